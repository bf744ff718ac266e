import { memo, type ReactNode } from 'react'
import type { FieldName, ShownField } from '#db/rsvp/fields.ts'
import { suspicionText } from '#db/rsvp/fields.ts'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { AttendanceMark } from '#site/islands/AttendanceMark.tsx'
import { RoleList } from '#site/islands/RoleList.tsx'
import { formatLater } from '#site/lib/later-moment.ts'
import { tableColumns } from '#site/lib/table-columns.ts'
import { comma, formatDay } from '#site/texts/dates.ts'
import { said } from '#site/texts/said.ts'
import { t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'
import { Icon } from '#site/ui/Icon.tsx'
import { warning } from '#site/ui/icons.ts'
import { NameList } from '#site/ui/NameList.tsx'
import { EmailLink, PhoneLink } from './contact-links.tsx'

const NOTHING = '-'

/** Fields that are not rendered as plain text, on the screen. */
const renderers: Partial<Record<FieldName, (row: StoredRsvp, zone: string) => ReactNode>> = {
  name: renderName,
  email: ({ email }) => email && <EmailLink email={email} />,
  message: ({ message }) => message && <div dir="auto">{message}</div>,
  phone: ({ phone }) => phone && <PhoneLink phone={phone} />,
  attending: ({ attending }) => <AttendanceMark attending={attending} />,
  familyMembers: renderFamily,
  volunteerSignups: renderRoles,
  createdAt: renderDate,
  serviceDate: ({ serviceDate }) => formatDay(serviceDate, 'UTC'),
}

/** Whether a response of someone who sent several is counted. */
export type SentAgain = 'superseded' | 'newest'

export type StoredRsvpCellsProps = {
  row: StoredRsvp
  severalWeeks: boolean
  zone: string
  sentAgain: SentAgain | undefined
  onEdit: (row: StoredRsvp) => void
  onDelete: (id: number) => void
}

/** What a tick does not change: with all rows ticked at once, drawing it again would take longer than the ticks. */
export const StoredRsvpCells = memo(function StoredRsvpCells({
  row,
  severalWeeks,
  zone,
  sentAgain,
  onEdit,
  onDelete,
}: StoredRsvpCellsProps) {
  return (
    <>
      {tableColumns(severalWeeks).map((column) => renderCell(column, row, zone, sentAgain))}
      <td data-column="actions" data-label={t('Actions')} className="needs-script">
        <Button
          variant="quiet"
          aria-label={t('Edit the RSVP of {name}', { name: row.name })}
          onClick={() => onEdit(row)}
        >
          {t('Edit')}
        </Button>
        <Button
          variant="quiet"
          aria-label={t('Delete the RSVP of {name}', { name: row.name })}
          onClick={() => onDelete(row.id)}
        >
          {t('Delete')}
        </Button>
      </td>
    </>
  )
})

function renderCell({ name, title, text }: ShownField, row: StoredRsvp, zone: string, sentAgain?: SentAgain) {
  const render = renderers[name]
  const content = (render ? render(row, zone) : text(row)) || NOTHING
  if (name === 'name') {
    return (
      <th key={name} scope="row" data-column={name} data-label={said(title)}>
        {content}
        {sentAgain && (
          <span className="admin-table__superseded">
            {sentAgain === 'newest' ? t('Sent again: this one counts') : t('Sent again: the newest counts')}
          </span>
        )}
      </th>
    )
  }
  return (
    <td key={name} data-column={name} data-label={said(title)} className={classOf(name, row, content)}>
      {content}
    </td>
  )
}

/** A column that is empty on this page leaves its width to the others; a card has no line for what is empty. */
function classOf(name: FieldName, row: StoredRsvp, content: ReactNode): string | undefined {
  if (content === NOTHING) return 'admin-table__nothing'
  return (name === 'phone' || name === 'message') && row[name] !== null ? `admin-table__${name}` : undefined
}

function renderName(row: StoredRsvp) {
  return (
    <>
      <bdi>{row.name}</bdi>
      {row.suspicion && (
        <span className="admin-table__suspicion">
          <Icon shape={warning} /> {said(suspicionText(row))}
        </span>
      )}
    </>
  )
}

/** The names as specified; the ages and who does not come are quiet additions. */
export function renderFamily({ familyMembers }: StoredRsvp): ReactNode {
  if (familyMembers.length === 0) return undefined
  return (
    <div>
      <NameList
        names={familyMembers.map((member) => (
          <>
            <bdi>{member.name}</bdi>
            {renderRemarks(remarksOf(member))}
          </>
        ))}
      />
    </div>
  )
}

export function renderRoles({ volunteerSignups }: StoredRsvp): ReactNode {
  if (volunteerSignups.length === 0) return undefined
  return (
    <div>
      <RoleList roles={volunteerSignups.map(({ role }) => role)} />
    </div>
  )
}

/** E.g. ` (child, not attending)`; empty where there is nothing to say. */
function remarksOf({ age, attending }: StoredRsvp['familyMembers'][number]): string {
  const remarks = [age && said(age), attending ? null : t('not attending')].filter((remark) => remark !== null)
  return remarks.length === 0 ? '' : ` (${remarks.join(comma())})`
}

function renderRemarks(remarks: string): ReactNode {
  return remarks !== '' && <span className="admin-table__remark">{remarks}</span>
}

function renderDate({ createdAt, changedAt }: StoredRsvp, zone: string): ReactNode {
  const day = formatDay(createdAt, zone)
  if (changedAt === null) return day
  return (
    <div>
      {day}
      <span className="admin-table__changed">
        {t('changed {moment}', { moment: formatLater(changedAt, createdAt, zone) })}
      </span>
    </div>
  )
}
