import type { ReactNode } from 'react'
import { isSeveral } from '#db/values/people.ts'
import type { StoredRsvp } from '#db/values/rsvp.ts'
import { type FieldName, type ShownField, suspicionText } from '#db/values/rsvp-fields.ts'
import { AttendanceMark } from '#site/islands/Attendance.tsx'
import { RoleList } from '#site/islands/RoleName.tsx'
import { formatLater } from '#site/lib/days.ts'
import { phoneLink, WRITTEN_NUMBER } from '#site/lib/phone-links.ts'
import { type Entered, loadMerge } from '#site/stores/admin/entry.ts'
import { comma, formatDay } from '#site/texts/dates.ts'
import { t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'
import { Checkbox } from '#site/ui/Field.tsx'
import { Icon, warning } from '#site/ui/Icon.tsx'
import { NameList } from '#site/ui/Sentence.tsx'

const NOTHING = '-'

/** On the screen, the fields that are not plain text. */
const renderers: Partial<Record<FieldName, (row: StoredRsvp, zone: string) => ReactNode>> = {
  name: renderName,
  email: ({ email }) => email && <EmailLink email={email} />,
  message: ({ message }) => message && <div dir="auto">{message}</div>,
  phone: ({ phone }) => phone && <PhoneLink phone={phone} />,
  attending: ({ attending }) => <AttendanceMark attending={attending} />,
  familyMembers: ({ familyMembers }) =>
    familyMembers.length > 0 && (
      <div>
        <NameList names={familyMembers.map(renderMember)} />
      </div>
    ),
  volunteerSignups: ({ volunteerSignups }) =>
    volunteerSignups.length > 0 && (
      <div>
        <RoleList roles={volunteerSignups.map(({ role }) => role)} />
      </div>
    ),
  createdAt: renderDate,
  serviceDate: ({ serviceDate }) => formatDay(serviceDate, 'UTC'),
}

/** The number at the beginning of a phone field; a remark may follow. */
const BEGINS = new RegExp(String.raw`^[\s\p{Cf}]*(${WRITTEN_NUMBER})`, 'u')

export type TableOfRsvps = {
  zone: string
  onEdit: (asked: Entered | Promise<Entered | undefined>) => void
  onDelete: (row: StoredRsvp) => void
}

export function StoredRsvpRow({
  row,
  again,
  columns,
  zone,
  onEdit,
  onDelete,
}: TableOfRsvps & {
  row: StoredRsvp
  /** Which one counts, if its sender has sent several. */
  again: string | undefined
  columns: ShownField[]
}) {
  const note = again && (
    <div className="admin-table__superseded">
      {again}
      <Button
        variant="quiet"
        className="needs-script"
        aria-label={t('Merge the RSVPs of {name}', { name: row.name })}
        onClick={() => onEdit(loadMerge(row.id))}
      >
        {t('Merge')}
      </Button>
    </div>
  )
  return (
    <tr data-rsvp={row.id}>
      <td className="admin-table__tick needs-script">
        <Checkbox aria-label={t('Select {name}', { name: row.name })} />
      </td>
      {columns.map((column) => renderCell(column, row, zone, column.name === 'name' && note))}
      <td data-column="actions" data-label={t('Actions')} className="needs-script">
        <Button
          variant="quiet"
          aria-label={t('Edit the RSVP of {name}', { name: row.name })}
          onClick={() => onEdit({ stored: row })}
        >
          {t('Edit')}
        </Button>
        <Button
          variant="quiet"
          aria-label={t('Delete the RSVP of {name}', { name: row.name })}
          onClick={() => onDelete(row)}
        >
          {t('Delete')}
        </Button>
      </td>
    </tr>
  )
}

function renderCell({ name, title, text }: ShownField, row: StoredRsvp, zone: string, note: ReactNode) {
  const render = renderers[name]
  const content = (render ? render(row, zone) : text(row)) || NOTHING
  const isName = name === 'name'
  const Cell = isName ? 'th' : 'td'
  return (
    <Cell
      key={name}
      scope={isName ? 'row' : undefined}
      data-column={name}
      data-label={t(title)}
      className={content === NOTHING ? 'admin-table__nothing' : undefined}
    >
      {content}
      {note}
    </Cell>
  )
}

function renderName(row: StoredRsvp) {
  return (
    <>
      <bdi>{row.name}</bdi>
      {row.firstVisit && <FirstVisitMark />}
      {row.suspicion && (
        <span className="admin-table__suspicion">
          <Icon shape={warning} /> {t(suspicionText(row))}
        </span>
      )}
      {row.standing && <span className="admin-table__standing">{t('Every week')}</span>}
      {isSeveral(row.name) && <span className="admin-table__standing">{t('several people?')}</span>}
    </>
  )
}

/** Beside a name, for those who greet people. */
export function FirstVisitMark() {
  const text = t('First visit')
  return (
    <span className="first-visit" role="img" aria-label={text} title={text}>
      {' ★'}
    </span>
  )
}

/** The name as specified, with remarks, e.g. ` (child, not attending)`. */
function renderMember({ name, age, attending }: StoredRsvp['familyMembers'][number]): ReactNode {
  const remarks = [age && t(age), !attending && t('not attending'), isSeveral(name) && t('several people?')]
  const all = remarks.filter(Boolean).join(comma())
  return (
    <>
      <bdi>{name}</bdi>
      {all && <span className="admin-table__remark">{` (${all})`}</span>}
    </>
  )
}

function renderDate({ createdAt, changedAt }: StoredRsvp, zone: string): ReactNode {
  return (
    <div suppressHydrationWarning>
      {formatDay(createdAt, zone)}
      {changedAt !== null && (
        <span className="admin-table__changed" suppressHydrationWarning>
          {t('changed {moment}', { moment: formatLater(changedAt, createdAt, zone) })}
        </span>
      )}
    </div>
  )
}

/** No one reads more names than this. */
const NAMED = 3

/** The first of `count` names, e.g. `Ana Cole, Ben Roe, Cy Fox and 12 more`. */
export function SomeNames({ names, count }: { names: string[]; count: number }) {
  const named = names.slice(0, NAMED)
  return (
    <>
      <NameList names={named} />
      {count > named.length && ` ${t('and {count} more', { count: count - named.length })}`}
    </>
  )
}

/** An address that needs two lines is broken before the @ if possible. */
export function EmailLink({ email }: { email: string }) {
  const at = email.lastIndexOf('@')
  return (
    <a href={`mailto:${encodeURIComponent(email).replace('%40', '@')}`}>
      {email.slice(0, at)}
      <wbr />
      {email.slice(at)}
    </a>
  )
}

/** Plain text if it does not begin with a number, of at least three digits. */
export function PhoneLink({ phone }: { phone: string }) {
  const href = phoneLink(BEGINS.exec(phone)?.[1] ?? '')
  if (!/\d{3}/.test(href)) return <bdi>{phone}</bdi>
  return (
    <a href={href}>
      <bdi dir="ltr">{phone}</bdi>
    </a>
  )
}
