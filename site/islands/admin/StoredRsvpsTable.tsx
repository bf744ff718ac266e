import { memo } from 'react'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { tableColumns } from '#site/lib/table-columns.ts'
import { Checkbox } from '#site/ui/Checkbox.tsx'
import { StoredRsvpCells, type StoredRsvpCellsProps } from './StoredRsvpCells.tsx'

/** The responses of a page with every column; on a phone each row becomes a card. */
export function StoredRsvpsTable({
  rows,
  severalWeeks,
  zone,
  superseded,
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
  /** The ids of those that a newer one of the same person supersedes. */
  superseded: ReadonlySet<number>
  selected: ReadonlySet<number>
  onSelectAll: (ticked: boolean) => void
  /** This and those below stay the same functions: a tick then draws one row. */
  onTick: (id: number, ticked: boolean) => void
  onEdit: (row: StoredRsvp) => void
  onDelete: (id: number) => void
}) {
  return (
    <div className="admin-table__scroll">
      <table className={severalWeeks ? 'admin-table admin-table--weeks' : 'admin-table'}>
        <caption className="visually-hidden">Responses</caption>
        <thead>
          <tr>
            <th scope="col" className="needs-script">
              <Checkbox
                checked={rows.length > 0 && selected.size === rows.length}
                indeterminate={selected.size > 0 && selected.size < rows.length}
                onChange={onSelectAll}
              >
                <span className="visually-hidden">Select all</span>
              </Checkbox>
            </th>
            {tableColumns(severalWeeks).map(({ name, title }) => (
              <th scope="col" key={name}>
                {title}
              </th>
            ))}
            <th scope="col" className="needs-script">
              Actions
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row
              key={row.id}
              row={row}
              severalWeeks={severalWeeks}
              zone={zone}
              superseded={superseded.has(row.id)}
              ticked={selected.has(row.id)}
              onTick={onTick}
              onEdit={onEdit}
              onDelete={onDelete}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

const Row = memo(function Row({
  ticked,
  onTick,
  ...cells
}: StoredRsvpCellsProps & { ticked: boolean; onTick: (id: number, ticked: boolean) => void }) {
  const { row } = cells
  return (
    <tr aria-selected={ticked} data-rsvp={row.id}>
      <td className="admin-table__tick needs-script">
        <Checkbox label={`Select ${row.name}`} checked={ticked} onChange={(now) => onTick(row.id, now)} />
      </td>
      <StoredRsvpCells {...cells} />
    </tr>
  )
})
