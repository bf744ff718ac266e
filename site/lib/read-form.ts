import type { RsvpDraft } from './rsvp-form.ts'

/** Twice as many as may be sent: who typed too many gets all of them back. A browser's form never holds more. */
const ROWS_READ = 40

/** Reads the fields of the form, in the browser and on the server alike. */
export function readForm(fields: FormData | URLSearchParams): RsvpDraft {
  const text = (name: string) => String(fields.get(name) ?? '')
  const attending = text('attending')
  return {
    name: text('name'),
    email: text('email'),
    phone: text('phone'),
    // Without JavaScript browsers send line breaks as CRLF.
    message: text('message').replaceAll('\r\n', '\n'),
    attending: attending === 'true' || attending === 'false' ? attending : undefined,
    calendarType: text('calendarType') || undefined,
    othersCome: fields.has('othersCome'),
    familyMembers: memberPositions(fields).map((position) => ({
      name: text(`familyMembers.${position}.name`),
      age: text(`familyMembers.${position}.age`),
      // Only of members who were entered by others: the form asks for those who come.
      attending: text(`familyMembers.${position}.attending`) !== 'false',
    })),
    volunteerRoles: fields.getAll('volunteerRoles').map(Number).filter(Number.isInteger),
    website: text('website'),
    serviceDate: text('serviceDate') || undefined,
  }
}

function memberPositions(fields: FormData | URLSearchParams): number[] {
  const positions = new Set<number>()
  for (const key of fields.keys()) {
    const position = /^familyMembers\.(\d{1,3})\.name$/.exec(key)?.[1]
    if (position !== undefined) positions.add(Number(position))
  }
  return Array.from(positions)
    .sort((a, b) => a - b)
    .slice(0, ROWS_READ)
}
