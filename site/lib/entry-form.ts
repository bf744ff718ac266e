import type { FieldError } from '#db/errors.ts'
import type { StoredRsvp } from '#db/rsvp/schema.ts'

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
  const entry = {
    name: text('name'),
    email: text('email'),
    phone: text('phone'),
    message: text('message'),
    attending: text('attending') === 'true',
    familyMembers: lines.map((line) => ({
      name: text(`member.${line}.name`),
      age: text(`member.${line}.age`),
      attending: fields.has(`member.${line}.attending`),
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

/** E.g. `4 people`; whoever does not come is not counted. */
export function peopleText({ attending, familyMembers }: Pick<StoredRsvp, 'attending'> & Pick<Entry, 'familyMembers'>) {
  const people = Number(attending) + familyMembers.filter((member) => member.attending).length
  if (people === 0) return 'not attending'
  return people === 1 ? '1 person' : `${people} people`
}
