import type { FieldError } from '#db/errors.ts'
import type { Features } from '#db/feature/schema.ts'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import type { OfferedRole } from '#db/volunteer-role/schema.ts'
import { excessText } from '#db/volunteer-role/texts.ts'
import { plural } from '#site/texts/plural.ts'
import { t } from '#site/texts/texts.ts'
import { choicesFor } from './role-choices.ts'

/** The days of the services that a response can be for, the nearest first. */
export type EntryDays = { next: string[]; past: string[] }

/** What a response that is entered can say. Null is what the server could not read. */
export type EntryChoices = { days: EntryDays; roles: OfferedRole[] | null; features: Features | null }

/** The form in which an administrator enters a response, as it is sent. Empty lines of the family are left out. */
export type Entry = ReturnType<typeof readEntry>['entry']

/** A line of the family, as its controls are named: `member.3.name`. */
export type MemberLine = { line: number; name: string; age: string; attending: boolean }

/** @returns with `lines`, of each family member that is sent, in which line it stands: errors belong beside it. */
export function readEntry(fields: FormData) {
  const text = (name: string) => String(fields.get(name) ?? '')
  const lines = fields
    .getAll('line')
    .map(Number)
    .filter((line) => text(`member.${line}.name`).trim() !== '')
  const attending = text('attending') === 'true'
  // Who takes the name off the list means the whole family, unless the form says otherwise.
  const familyComes = attending || fields.has('othersCome')
  const entry = {
    name: text('name'),
    email: text('email'),
    phone: text('phone'),
    message: text('message'),
    attending,
    familyMembers: lines.map((line) => ({
      name: text(`member.${line}.name`),
      age: text(`member.${line}.age`),
      attending: familyComes && fields.has(`member.${line}.attending`),
    })),
    volunteerRoles: fields.getAll('volunteerRoles').map(Number),
    serviceDate: text('serviceDate'),
  }
  return { entry, lines }
}

/** Gives errors of family members, which count what was sent, the names of their controls. */
export function errorsByControl(errors: FieldError[], lines: number[]): FieldError[] {
  return errors.map(({ path, message }) => {
    const [, position, field] = /^familyMembers\.(\d+)\.(.+)$/.exec(path) ?? []
    return { path: position === undefined ? path : `member.${lines[Number(position)]}.${field}`, message }
  })
}

/** What decides how full its roles are. */
type Serving = Pick<Entry, 'attending' | 'serviceDate' | 'volunteerRoles'>

/** What is entered before anything is typed. `day` is the one that a new response is for. */
export function servingOf(stored: StoredRsvp | undefined, day: string): Serving {
  const { attending = true, serviceDate = day, volunteerSignups = [] } = stored ?? {}
  return { attending, serviceDate, volunteerRoles: volunteerSignups.map(({ role }) => role.id) }
}

/**
 * The roles with what is still needed at the service of the entry, beside those who fill them without it. `excess` says so
 * where the entry makes them more than are needed. Nothing is said of a service that is over.
 */
export function entryRoles(roles: OfferedRole[], before: Serving, { attending, serviceDate, volunteerRoles }: Serving) {
  return roles.map(({ needed, filled, ...role }) => {
    const counted = filled?.[serviceDate]
    if (needed === undefined || counted === undefined) return { ...role, state: undefined, excess: undefined }
    const isCounted = before.attending && before.serviceDate === serviceDate && before.volunteerRoles.includes(role.id)
    const others = counted - Number(isCounted)
    const [choice] = choicesFor([{ ...role, needed, filled: { [serviceDate]: others } }], serviceDate)
    const isFilling = attending && volunteerRoles.includes(role.id)
    return {
      ...role,
      state: choice?.state,
      excess: excessText(others + Number(isFilling), isFilling ? needed : null),
    }
  })
}

/** E.g. `4 people`; whoever does not come is not counted. */
export function peopleText({ attending, familyMembers }: Pick<StoredRsvp, 'attending'> & Pick<Entry, 'familyMembers'>) {
  const people = Number(attending) + familyMembers.filter((member) => member.attending).length
  if (people === 0) return t('not attending')
  return plural(people, '{count} person', '{count} people')
}
