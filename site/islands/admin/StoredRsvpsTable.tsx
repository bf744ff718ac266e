import { Fragment, memo, type ReactNode } from 'react'
import { memberRemarks, suspicionText } from '#db/rsvp/field-texts.ts'
import { type FieldName, fieldsIn, type ShownField } from '#db/rsvp/fields.ts'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { AttendanceMark } from '#site/islands/AttendanceMark.tsx'
import { formatDay } from '#site/lib/day.ts'
import { formatLater } from '#site/lib/later-moment.ts'
import { Button } from '#site/ui/Button.tsx'
import { Checkbox } from '#site/ui/Checkbox.tsx'
import { Icon } from '#site/ui/Icon.tsx'
import { warning } from '#site/ui/icons.ts'

const columns = fieldsIn('administration')
const NOTHING = '-'

/** Fields that are not rendered as plain text. */
const renderers: Partial<Record<FieldName, (row: StoredRsvp, zone: string) => ReactNode>> = {
  name: renderName,
  attending: ({ attending }) => <AttendanceMark attending={attending} />,
  familyMembers: renderFamily,
  volunteerSignups: ({ volunteerSignups }) => listOf(volunteerSignups.map(({ role }) => role.name)),
  createdAt: renderDate,
}

/** The responses of a page with every column; on a phone each row becomes a card. */
export function StoredRsvpsTable({
  rows,
  zone,
  selected,
  onSelectAll,
  onTick,
  onEdit,
  onDelete,
}: {
  rows: StoredRsvp[]
  zone: string
  selected: ReadonlySet<number>
  onSelectAll: (ticked: boolean) => void
  /** This and those below stay the same functions: a tick then draws one row. */
  onTick: (id: number, ticked: boolean) => void
  onEdit: (row: StoredRsvp) => void
  onDelete: (id: number) => void
}) {
  return (
    <div className="admin-table__scroll">
      <table className="admin-table">
        <caption className="visually-hidden">Responses</caption>
        <thead>
          <tr>
            <th scope="col" className="needs-script">
              <Checkbox
                label="Select all"
                labelHidden
                checked={rows.length > 0 && selected.size === rows.length}
                indeterminate={selected.size > 0 && selected.size < rows.length}
                onChange={onSelectAll}
              />
            </th>
            {columns.map(({ name, title }) => (
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
              zone={zone}
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
  row,
  zone,
  ticked,
  onTick,
  onEdit,
  onDelete,
}: {
  row: StoredRsvp
  zone: string
  ticked: boolean
  onTick: (id: number, ticked: boolean) => void
  onEdit: (row: StoredRsvp) => void
  onDelete: (id: number) => void
}) {
  return (
    <tr aria-selected={ticked} data-rsvp={row.id}>
      <td className="admin-table__tick needs-script">
        <Checkbox label={`Select ${row.name}`} labelHidden checked={ticked} onChange={(now) => onTick(row.id, now)} />
      </td>
      <Cells row={row} zone={zone} onEdit={onEdit} onDelete={onDelete} />
    </tr>
  )
})

/** What a tick does not change: with all rows ticked at once, drawing it again would take longer than the ticks. */
const Cells = memo(function Cells({
  row,
  zone,
  onEdit,
  onDelete,
}: {
  row: StoredRsvp
  zone: string
  onEdit: (row: StoredRsvp) => void
  onDelete: (id: number) => void
}) {
  return (
    <>
      {columns.map((column) => renderCell(column, row, zone))}
      <td data-label="Actions" className="needs-script">
        <Button variant="quiet" aria-label={`Edit the RSVP of ${row.name}`} onClick={() => onEdit(row)}>
          Edit
        </Button>
        <Button variant="quiet" aria-label={`Delete the RSVP of ${row.name}`} onClick={() => onDelete(row.id)}>
          Delete
        </Button>
      </td>
    </>
  )
})

function renderCell({ name, title, text }: ShownField, row: StoredRsvp, zone: string) {
  const content = renderers[name]?.(row, zone) ?? (text(row) || NOTHING)
  if (name === 'name') {
    return (
      <th key={name} scope="row" data-label={title}>
        {content}
      </th>
    )
  }
  return (
    <td key={name} data-label={title} className={name === 'message' ? 'admin-table__message' : undefined}>
      {content}
    </td>
  )
}

function renderName(row: StoredRsvp) {
  return (
    <>
      {row.name}
      {row.suspicion && (
        <span className="admin-table__suspicion">
          <Icon shape={warning} /> {suspicionText(row)}
        </span>
      )}
    </>
  )
}

/** The names as specified; the ages and who does not come are quiet additions. */
function renderFamily({ familyMembers }: StoredRsvp): ReactNode {
  if (familyMembers.length === 0) return NOTHING
  return (
    <div>
      {familyMembers.map((member, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: Two members can have the same name, and their order never changes.
        <Fragment key={place}>
          {place > 0 && ', '}
          {member.name}
          <span className="admin-table__remark">{memberRemarks(member)}</span>
        </Fragment>
      ))}
    </div>
  )
}

function renderDate({ createdAt, changedAt }: StoredRsvp, zone: string) {
  return (
    <div>
      {formatDay(createdAt, zone)}
      {changedAt && <span className="admin-table__changed">changed {formatLater(changedAt, createdAt, zone)}</span>}
    </div>
  )
}

function listOf(names: string[]): string {
  return names.length === 0 ? NOTHING : names.join(', ')
}
