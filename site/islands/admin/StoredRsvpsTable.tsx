import { type ChangeEvent, memo, useEffect, useRef, useState } from 'react'
import type { ShownDuplicates, StoredRsvp, TablePage } from '#db/values/rsvp.ts'
import { fieldsIn } from '#db/values/rsvp-fields.ts'
import { numberText } from '#site/texts/dates.ts'
import { plural, t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'
import { StoredRsvpRow, type TableOfRsvps } from './StoredRsvpRow.tsx'

type Selection = ReturnType<typeof useSelection>

/**
 * The ticked rows of a page; or `all` that match on every page, without the unticked rows of this page. The rows of
 * other pages are never held here. The checkboxes keep their state themselves: redrawing a hundred rows when all are
 * ticked took half of the time.
 */
export function useSelection(page: TablePage | undefined) {
  const rows = page?.responses ?? []
  const table = useRef<HTMLDivElement>(null)
  const [ticked, setTicked] = useState<StoredRsvp[]>([])
  const [all, setAll] = useState(false)
  const unticked = rows.filter((row) => !ticked.includes(row)).map(({ id }) => id)
  const count = all ? (page?.total ?? 0) - unticked.length : ticked.length

  // Back restores what was ticked.
  useEffect(() => {
    for (const box of boxesIn(table.current)) box.checked = false
  }, [])

  function onChange({ currentTarget, target }: ChangeEvent<HTMLDivElement>) {
    const [head, ...boxes] = boxesIn(currentTarget)
    if (!head) return
    if (target === head) for (const box of boxes) box.checked = head.checked
    if (target === head && !head.checked) setAll(false)
    const now = rows.filter((_, place) => boxes[place]?.checked)
    head.checked = rows.length > 0 && now.length === rows.length
    // HTML has no attribute for this state.
    head.indeterminate = now.length > 0 && !head.checked
    setTicked(now)
  }

  return { ticked, unticked, all, count, selectAll: setAll, wiring: { ref: table, onChange } }
}

/** The checkbox of all rows, then one for each row. */
function boxesIn(table: HTMLElement | null): HTMLInputElement[] {
  return Array.from(table?.querySelectorAll<HTMLInputElement>('[type=checkbox]') ?? [])
}

/**
 * Deletes the selected rows. While any are selected, it covers the head of the table and stays in sight with their
 * number and, once the whole page is selected, offers to select the other pages as well.
 */
export function SelectionBar({
  selection: { count, all, unticked, selectAll },
  page,
  onDelete,
}: {
  selection: Selection
  page: TablePage
  onDelete: () => void
}) {
  const isOffered = all || (unticked.length === 0 && page.total > page.responses.length)
  return (
    <div id="selection" className={count > 0 ? 'selection selection--some needs-script' : 'selection needs-script'}>
      <div className="flow selection__bar">
        <span className="selection__count" role="status">
          {count > 0 && plural(count, '{count} selected', '{count} selected')}
        </span>
        {isOffered && (
          <Button variant="quiet" onClick={() => selectAll(!all)}>
            {all ? t('Select only this page') : t('Select all {total} on all pages', { total: numberText(page.total) })}
          </Button>
        )}
        <Button variant={count > 0 ? 'danger' : 'quiet'} onClick={onDelete}>
          {t('Delete Selected')}
        </Button>
      </div>
    </div>
  )
}

/** The responses of a page with every column; on a phone each row becomes a card. Ticking a row does not redraw it. */
export const StoredRsvpsTable = memo(function StoredRsvpsTable({
  rows,
  duplicates,
  severalWeeks,
  ...table
}: TableOfRsvps & {
  rows: StoredRsvp[]
  duplicates: ShownDuplicates | undefined
  /** Whether they are for services on several days: then each row shows its own. */
  severalWeeks: boolean
}) {
  const columns = fieldsIn('administration').filter(({ name }) => severalWeeks || name !== 'serviceDate')
  const { superseded = [], newest = [] } = duplicates?.marked ?? {}
  const againText = (id: number) => {
    if (newest.includes(id)) return t('Sent again: this one counts')
    return superseded.includes(id) ? t('Sent again: the newest counts') : undefined
  }
  return (
    <table className={severalWeeks ? 'admin-table admin-table--weeks' : 'admin-table'}>
      <caption className="visually-hidden">{t('Responses')}</caption>
      <thead>
        <tr>
          <th scope="col" className="needs-script">
            <label className="checkbox">
              <input className="checkbox__input" type="checkbox" />
              <span className="visually-hidden">{t('Select all')}</span>
            </label>
          </th>
          {columns.map(({ name, title }) => (
            <th scope="col" key={name}>
              {t(title)}
            </th>
          ))}
          <th scope="col" className="needs-script">
            {t('Actions')}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <StoredRsvpRow key={row.id} row={row} again={againText(row.id)} columns={columns} {...table} />
        ))}
      </tbody>
    </table>
  )
})
