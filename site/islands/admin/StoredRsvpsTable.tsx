import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { suspicionText } from '#db/rsvp/texts.ts'
import { AttendanceMark } from '#site/islands/AttendanceMark.tsx'
import { formatDay } from '#site/lib/day.ts'
import { Button } from '#site/ui/Button.tsx'
import { Checkbox } from '#site/ui/Checkbox.tsx'
import { Icon } from '#site/ui/Icon.tsx'

const columns = ['Name', 'Email', 'Phone', 'Message', 'Status', 'Family Members', 'Volunteer Roles', 'Date', 'Actions']
const NOTHING = '-'

/** Every response with every column; on a phone each row becomes a card. */
export function StoredRsvpsTable({
  rows,
  zone,
  selected,
  onSelect,
  onDelete,
}: {
  rows: StoredRsvp[]
  zone: string
  selected: ReadonlySet<number>
  onSelect: (selected: ReadonlySet<number> | 'all') => void
  onDelete: (id: number) => void
}) {
  function selectRow(id: number, ticked: boolean) {
    const next = new Set(selected)
    if (ticked) next.add(id)
    else next.delete(id)
    onSelect(next)
  }

  return (
    <div className="admin-table__scroll">
      <table className="admin-table">
        <caption className="visually-hidden">Responses</caption>
        <thead>
          <tr>
            <th scope="col">
              <Checkbox
                label="Select all"
                labelHidden
                checked={rows.length > 0 && selected.size === rows.length}
                indeterminate={selected.size > 0 && selected.size < rows.length}
                onChange={(ticked) => onSelect(ticked ? 'all' : new Set())}
              />
            </th>
            {columns.map((column) => (
              <th scope="col" key={column}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row
              key={row.id}
              row={row}
              zone={zone}
              ticked={selected.has(row.id)}
              onTick={selectRow}
              onDelete={onDelete}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Row({
  row,
  zone,
  ticked,
  onTick,
  onDelete,
}: {
  row: StoredRsvp
  zone: string
  ticked: boolean
  onTick: (id: number, ticked: boolean) => void
  onDelete: (id: number) => void
}) {
  return (
    <tr aria-selected={ticked} data-rsvp={row.id}>
      <td className="admin-table__tick">
        <Checkbox label={`Select ${row.name}`} labelHidden checked={ticked} onChange={(now) => onTick(row.id, now)} />
      </td>
      <th scope="row" data-label="Name">
        {row.name}
        {row.suspicion && (
          <span className="admin-table__suspicion">
            <Icon name="warning" /> {suspicionText(row)}
          </span>
        )}
      </th>
      <td data-label="Email">{row.email || NOTHING}</td>
      <td data-label="Phone">{row.phone ?? NOTHING}</td>
      <td data-label="Message" className="admin-table__message">
        {row.message ?? NOTHING}
      </td>
      <td data-label="Status">
        <AttendanceMark attending={row.attending} />
      </td>
      <td data-label="Family Members">{listOf(row.familyMembers.map((member) => member.name))}</td>
      <td data-label="Volunteer Roles">{listOf(row.volunteerSignups.map(({ role }) => role.name))}</td>
      <td data-label="Date">{formatDay(row.createdAt, zone)}</td>
      <td data-label="Actions">
        <Button variant="quiet" aria-label={`Delete the RSVP of ${row.name}`} onClick={() => onDelete(row.id)}>
          Delete
        </Button>
      </td>
    </tr>
  )
}

function listOf(names: string[]): string {
  return names.length === 0 ? NOTHING : names.join(', ')
}
