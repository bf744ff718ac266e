import { stringify } from 'csv-stringify/sync'
import type { StoredRsvp } from './schema.ts'

const COLUMNS = [
  'Id',
  'Name',
  'Email',
  'Phone',
  'Message',
  'Status',
  'Family Members',
  'Volunteer Roles',
  'Calendar',
  'Date',
]
const BYTE_ORDER_MARK = '\uFEFF'
const calendars = { google: 'Google Calendar', ical: 'iCal' }

/** What a spreadsheet would run as a formula, also behind blanks and apostrophes. */
const formula = /^['\s]*[=+\-@\t\r\n|%＝＋－＠]/

/** Puts one apostrophe before what a spreadsheet would run. `restoreCell` takes it away again. */
export function defuseCell(value: string): string {
  return formula.test(value) ? `'${value}` : value
}

/** What was stored, from a cell made by `defuseCell`. */
export function restoreCell(cell: string): string {
  return cell.startsWith("'") && formula.test(cell.slice(1)) ? cell.slice(1) : cell
}

/** The first line: UTF-8 with a byte order mark, so that Excel reads it as such. */
export function csvHeader(): string {
  return BYTE_ORDER_MARK + lines([COLUMNS])
}

/** One line for each response (RFC 4180, CRLF). */
export function csvLines(responses: StoredRsvp[]): string {
  return lines(responses.map((response) => cellsOf(response).map(defuseCell)))
}

function lines(rows: string[][]): string {
  // Without being told, it leaves a lone line break unquoted once the delimiter is CRLF.
  return stringify(rows, { record_delimiter: '\r\n', quoted_match: /[\r\n]/ })
}

function cellsOf(response: StoredRsvp): string[] {
  return [
    String(response.id),
    response.name,
    response.email,
    response.phone ?? '',
    response.message ?? '',
    response.attending ? 'Attending' : 'Not Attending',
    response.familyMembers.map(memberText).join('; '),
    response.volunteerSignups.map(({ role }) => role.name).join('; '),
    response.calendarType === null ? '' : calendars[response.calendarType],
    response.createdAt,
  ]
}

/** As in `Joel Cole (child)` or `Dina Cole (adult, not attending)`. */
function memberText({ name, age, attending }: StoredRsvp['familyMembers'][number]): string {
  const remarks = [age, attending ? null : 'not attending'].filter((remark) => remark !== null)
  return remarks.length === 0 ? name : `${name} (${remarks.join(', ')})`
}
