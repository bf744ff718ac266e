import * as z from 'zod/mini'
import { calendarFrom, membersFrom } from '#db/rsvp/entry/read-texts.ts'
import { type EnteredRsvp, enteredRsvp } from '#db/rsvp/entry/schema.ts'
import { LIST_SEPARATOR } from '#db/rsvp/field-texts.ts'
import { type FieldName, fieldsIn } from '#db/rsvp/fields.ts'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { statusText } from '#db/rsvp/texts.ts'
import type { Schedule } from '#db/schedule/schema.ts'
import { nextService } from '#db/schedule/services.ts'
import { calendarDay } from '#db/values/schemas.ts'
import type { StoredVolunteerRole } from '#db/volunteer-role/schema.ts'
import type { CsvRow } from './read-csv.ts'

/** A row that fits: what is stored of it, its number in the file, and the one that it had where it was exported. */
export type FittingRow = EnteredRsvp &
  Pick<StoredRsvp, 'createdAt' | 'changedAt' | 'serviceDate'> & { row: number; exportedId: number | undefined }

/** What does not fit in a row. Of what the row says the sentences hold only the names of roles that there are not. */
export type Misfit = { row: number; sentences: string[] }

type Known = { roles: StoredVolunteerRole[]; schedule: Schedule; now: Date }

const titles = new Map<string, string>(fieldsIn('csv').map(({ name, title }) => [name, title]))
const moment = z.iso.datetime()

/** Reads a row by the rules that hold for every response. */
export function checkRow({ row, cells }: CsvRow, { roles, schedule, now }: Known): FittingRow | Misfit {
  const sentences: string[] = []
  const refuse = (field: FieldName, sentence: string) => sentences.push(`${titles.get(field)}: ${sentence}`)

  const createdAt = momentIn(cells.createdAt ?? '', now)
  if (createdAt === undefined) refuse('createdAt', 'give a moment in UTC that is over, e.g. 2026-11-21T09:30:00.000Z.')
  const changedAt = cells.changedAt ? momentIn(cells.changedAt, now) : null
  if (changedAt === undefined) refuse('changedAt', 'give a moment in UTC that is over, or nothing.')

  const attending = [true, false].find((value) => statusText({ attending: value }) === cells.attending)
  if (attending === undefined) refuse('attending', 'write Attending or Not Attending.')

  const calendarType = calendarFrom(cells.calendarType ?? '')
  if (cells.calendarType && calendarType === undefined) refuse('calendarType', 'write Google Calendar or iCal.')

  const { ids, unknown } = rolesFrom(cells.volunteerSignups ?? '', roles)
  if (unknown.length > 0)
    refuse('volunteerSignups', `there is no role ${unknown.join(', ')}: add it, then import again.`)

  const serviceDate = cells.serviceDate || (createdAt ? nextService(schedule, new Date(createdAt)).date : '')
  if (cells.serviceDate && !calendarDay.safeParse(serviceDate).success)
    refuse('serviceDate', 'give a day, e.g. 2026-11-21.')

  const read = enteredRsvp.safeParse({
    ...{ name: cells.name, email: cells.email, phone: cells.phone, message: cells.message },
    ...{ attending: attending ?? true, calendarType, addToCalendar: calendarType !== undefined },
    ...{ familyMembers: membersFrom(cells.familyMembers ?? ''), volunteerRoles: ids },
  })
  if (!read.success) {
    for (const { path, message } of read.error.issues)
      sentences.push(`${titles.get(String(path[0])) ?? ''}: ${message}`)
  }
  if (!read.success || createdAt === undefined || changedAt === undefined || sentences.length > 0)
    return { row, sentences }
  const exportedId = /^[1-9]\d{0,14}$/.test(cells.id ?? '') ? Number(cells.id) : undefined
  return { ...read.data, row, createdAt, changedAt, serviceDate, exportedId }
}

/** As moments are stored; undefined for what is none, or is not over. */
function momentIn(text: string, now: Date): string | undefined {
  if (!moment.safeParse(text).success || new Date(text) > now) return undefined
  return new Date(text).toISOString()
}

/**
 * Roles are found by name, also the retired ones: of two with the same name, the one on offer. The longest name first: it
 * can contain what stands between two of them.
 */
function rolesFrom(text: string, roles: StoredVolunteerRole[]): { ids: number[]; unknown: string[] } {
  const known = roles.toSorted(
    (one, other) => other.name.length - one.name.length || Number(one.retired) - Number(other.retired),
  )
  const ids: number[] = []
  const unknown: string[] = []
  for (let rest = text.trim(); rest !== ''; ) {
    const role = known.find(({ name }) => rest === name || rest.startsWith(name + LIST_SEPARATOR))
    const [item = ''] = rest.split(LIST_SEPARATOR, 1)
    if (role !== undefined) ids.push(role.id)
    else if (item.trim() !== '') unknown.push(JSON.stringify(item))
    rest = rest.slice((role?.name ?? item).length + LIST_SEPARATOR.length)
  }
  return { ids, unknown }
}
