import { useCallback, useEffect, useRef, useState } from 'react'
import type { StoredRsvp, TablePage } from '#db/rsvp/schema.ts'
import { numberText } from '#site/texts/dates.ts'
import { said } from '#site/texts/said.ts'
import { plural, t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'
import { Icon, trash } from '#site/ui/Icon.tsx'
import { StoredRsvpRow, type TableOfRsvps, tableColumns } from './StoredRsvpRow.tsx'

type Selection = ReturnType<typeof useSelection>

/**
 * The ticked rows of a page; or `all` that match on every page, without the unticked rows of this page. The rows of
 * other pages are never held here.
 */
export function useSelection(page: TablePage | undefined) {
  const ids = page?.responses.map(({ id }) => id) ?? []
  const [ticked, setTicked] = useState<ReadonlySet<number>>(new Set())
  const [all, setAll] = useState(false)
  const unticked = ids.filter((id) => !ticked.has(id))

  const tick = useCallback((id: number, now: boolean) => {
    setTicked((before) => new Set(now ? [...before, id] : [...before].filter((each) => each !== id)))
  }, [])

  function tickAll(now: boolean) {
    setTicked(new Set(now ? ids : []))
    if (!now) setAll(false)
  }

  const count = all ? (page?.total ?? 0) - unticked.length : ticked.size
  return { ticked, unticked, all, count, tick, tickAll, selectAll: setAll }
}

/**
 * Deletes the selected rows. While there are some, it stays in sight with their number and, once the whole page is
 * selected, offers to select the other pages as well.
 */
export function SelectionBar({
  selection: { count, all, unticked, selectAll },
  page,
  onDelete,
}: {
  selection: Selection
  /** Undefined if the server could not read it. */
  page: TablePage | undefined
  onDelete: () => void
}) {
  const isOffered = page !== undefined && (all || (unticked.length === 0 && page.total > page.responses.length))
  return (
    <div
      id="selection"
      className={count > 0 ? 'flow selection selection--some needs-script' : 'flow selection needs-script'}
    >
      <Button variant={count > 0 ? 'danger' : 'quiet'} onClick={onDelete}>
        <Icon shape={trash} />
        {t('Delete Selected')}
      </Button>
      <span className="selection__count" role="status">
        {count > 0 && plural(count, '{count} selected', '{count} selected')}
      </span>
      {isOffered && (
        <Button variant="quiet" onClick={() => selectAll(!all)}>
          {all ? t('Select only this page') : t('Select all {total} on all pages', { total: numberText(page.total) })}
        </Button>
      )}
    </div>
  )
}

/** The responses of a page with every column; on a phone each row becomes a card. */
export function StoredRsvpsTable({
  rows,
  table,
  selection: { ticked, tick, tickAll },
}: {
  rows: StoredRsvp[]
  table: TableOfRsvps
  selection: Selection
}) {
  const body = useRef<HTMLTableSectionElement>(null)
  const selectAll = useRef<HTMLInputElement>(null)

  // Not by React: with all rows ticked at once, redrawing a hundred took half of the time. It also unticks the boxes
  // that Back restores. HTML has no attribute for `indeterminate`.
  useEffect(() => {
    const inputs = body.current?.querySelectorAll('input') ?? []
    for (const [place, input] of inputs.entries()) input.checked = ticked.has(rows[place]?.id ?? 0)
    if (!selectAll.current) return
    selectAll.current.checked = rows.length > 0 && ticked.size === rows.length
    selectAll.current.indeterminate = ticked.size > 0 && ticked.size < rows.length
  }, [rows, ticked])

  return (
    <div className="admin-table__scroll">
      <table className={table.severalWeeks ? 'admin-table admin-table--weeks' : 'admin-table'}>
        <caption className="visually-hidden">{t('Responses')}</caption>
        <thead>
          <tr>
            <th scope="col" className="needs-script">
              <label className="checkbox">
                <input
                  ref={selectAll}
                  className="checkbox__input"
                  type="checkbox"
                  onChange={(event) => tickAll(event.currentTarget.checked)}
                />
                <span className="visually-hidden">{t('Select all')}</span>
              </label>
            </th>
            {tableColumns(table.severalWeeks).map(({ name, title }) => (
              <th scope="col" key={name}>
                {said(title)}
              </th>
            ))}
            <th scope="col" className="needs-script">
              {t('Actions')}
            </th>
          </tr>
        </thead>
        <tbody ref={body}>
          {rows.map((row) => (
            <StoredRsvpRow key={row.id} row={row} table={table} onTick={tick} />
          ))}
        </tbody>
      </table>
    </div>
  )
}
