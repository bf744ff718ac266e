import { memo, useEffect, useRef } from 'react'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { tableColumns } from '#site/lib/table-columns.ts'
import { said } from '#site/texts/said.ts'
import { t } from '#site/texts/texts.ts'
import { Checkbox } from '#site/ui/Checkbox.tsx'
import { type SentAgain, StoredRsvpCells, type StoredRsvpCellsProps } from './StoredRsvpCells.tsx'

/** The responses of a page with every column; on a phone each row becomes a card. */
export function StoredRsvpsTable({
  rows,
  severalWeeks,
  zone,
  sentAgain,
  selected,
  onSelectAll,
  onTick,
  onEdit,
  onDelete,
}: {
  rows: StoredRsvp[]
  /** Whether they are for services on several days, each of which then says its own. */
  severalWeeks: boolean
  zone: string
  /** By id: those that a newer one of the same person supersedes, and the newest of them. */
  sentAgain: ReadonlyMap<number, SentAgain>
  selected: ReadonlySet<number>
  onSelectAll: (ticked: boolean) => void
  /** This and those below stay the same functions: a tick then draws one row. */
  onTick: (id: number, ticked: boolean) => void
  onEdit: (row: StoredRsvp) => void
  onDelete: (id: number) => void
}) {
  const body = useRef<HTMLTableSectionElement>(null)

  // Not by React: with all rows ticked at once, drawing a hundred of them takes half of the time. It also unticks what
  // Back shows as it was when the page was left.
  useEffect(() => {
    const inputs = body.current?.querySelectorAll('input') ?? []
    for (const [place, input] of inputs.entries()) input.checked = selected.has(rows[place]?.id ?? 0)
  }, [rows, selected])

  return (
    <div className="admin-table__scroll">
      <table
        className={severalWeeks ? 'admin-table admin-table--weeks' : 'admin-table'}
        aria-describedby="responses-keys"
      >
        <caption className="visually-hidden">{t('Responses')}</caption>
        <thead className={selected.size > 0 ? 'admin-table__head--low' : undefined}>
          <tr>
            <th scope="col" className="needs-script">
              <Checkbox
                checked={rows.length > 0 && selected.size === rows.length}
                indeterminate={selected.size > 0 && selected.size < rows.length}
                onChange={onSelectAll}
              >
                <span className="visually-hidden">{t('Select all')}</span>
              </Checkbox>
            </th>
            {tableColumns(severalWeeks).map(({ name, title }) => (
              <th scope="col" key={name}>
                {said(title)}
              </th>
            ))}
            <th scope="col" className="needs-script">
              {t('Actions')}
            </th>
          </tr>
        </thead>
        <tbody ref={body} data-arrows>
          {rows.map((row) => (
            <Row
              key={row.id}
              row={row}
              severalWeeks={severalWeeks}
              zone={zone}
              sentAgain={sentAgain.get(row.id)}
              onTick={onTick}
              onEdit={onEdit}
              onDelete={onDelete}
            />
          ))}
        </tbody>
      </table>
      <p id="responses-keys" className="admin-table__keys needs-script">
        {t('The arrow keys lead to the other responses.')}
      </p>
    </div>
  )
}

const Row = memo(function Row({
  onTick,
  ...cells
}: StoredRsvpCellsProps & { onTick: (id: number, ticked: boolean) => void }) {
  const { row } = cells
  return (
    <tr data-rsvp={row.id}>
      <td className="admin-table__tick needs-script">
        <label className="checkbox">
          <input
            className="checkbox__input"
            type="checkbox"
            aria-label={t('Select {name}', { name: row.name })}
            onChange={(event) => onTick(row.id, event.currentTarget.checked)}
          />
        </label>
      </td>
      <StoredRsvpCells {...cells} />
    </tr>
  )
})
