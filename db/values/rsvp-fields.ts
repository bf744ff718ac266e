import { ageOfYears } from './people.ts'
import { ageGroups, type StoredRsvp } from './rsvp.ts'

// Every field of a response, once. The CSV, the administration's table, the terminal, the search, the privacy page and
// the retention follow from this list; elsewhere, e.g. in a form, the type checker or a test reports a missing field.

/** The most rows that a printer and a browser can handle. */
export const PRINTED_MAXIMUM = 5000
export const tooManyToPrint = 'At most 5,000 responses can be printed at once. Choose fewer, or download the CSV.'

export type FieldName = keyof StoredRsvp

type Place = 'csv' | 'administration' | 'terminal' | 'search'

type Field = {
  /** The name of the field on the privacy page; null if visitors do not type it. */
  privacy: { always: string } | { ifGiven: string } | null
  /** Whether the retention removes the field. The fields that stay must not identify a person. */
  retention: 'removed' | 'kept'
} & (
  | {
      title: string
      /** The value in words; empty if there is none. */
      text: (response: StoredRsvp) => string
      /** The places that do not show the field. */
      notIn?: readonly Place[]
    }
  /** Why no place shows the field. */
  | { unshown: string }
)

/** In the order of the CSV, the administration's table and the privacy page. */
const fields = {
  id: { title: 'Id', text: ({ id }) => String(id), notIn: ['administration'], privacy: null, retention: 'kept' },
  name: { title: 'Name', text: ({ name }) => name, privacy: { always: 'your name' }, retention: 'removed' },
  email: { title: 'Email', text: ({ email }) => email, privacy: { always: 'e-mail address' }, retention: 'removed' },
  phone: {
    title: 'Phone',
    text: ({ phone }) => phone ?? '',
    privacy: { ifGiven: 'your phone number' },
    retention: 'removed',
  },
  message: {
    title: 'Message',
    text: ({ message }) => message ?? '',
    privacy: { ifGiven: 'your message' },
    retention: 'removed',
  },
  attending: { title: 'Status', text: statusText, notIn: ['search'], privacy: null, retention: 'kept' },
  familyMembers: {
    title: 'Family Members',
    // E.g. `Joel Cole (child); Dina Cole (adult, not attending)`.
    text: ({ familyMembers }) => familyMembers.map(memberText).join(LIST_SEPARATOR),
    privacy: { ifGiven: 'the names and age groups of your family' },
    retention: 'removed',
  },
  volunteerSignups: {
    title: 'Volunteer Roles',
    text: ({ volunteerSignups }) => volunteerSignups.map(({ role }) => role.name).join(LIST_SEPARATOR),
    privacy: { ifGiven: 'what you offer to do' },
    retention: 'kept',
  },
  addToCalendar: { unshown: 'The calendar says it.', privacy: null, retention: 'kept' },
  calendarType: {
    title: 'Calendar',
    text: calendarText,
    notIn: ['administration', 'search'],
    privacy: { ifGiven: 'which calendar you use' },
    retention: 'kept',
  },
  createdAt: {
    title: 'Date',
    text: ({ createdAt }) => createdAt,
    notIn: ['search'],
    privacy: null,
    retention: 'kept',
  },
  deletedAt: { unshown: 'Deleted responses have a list of their own.', privacy: null, retention: 'kept' },
  mergedInto: { unshown: 'The list of the deleted ones says it.', privacy: null, retention: 'kept' },
  suspicion: {
    title: 'Note',
    text: suspicionText,
    // The administration shows it beside the name.
    notIn: ['csv', 'administration', 'search'],
    privacy: null,
    retention: 'kept',
  },
  // Last, after the columns of the specification.
  serviceDate: {
    title: 'Service',
    text: ({ serviceDate }) => serviceDate,
    notIn: ['search'],
    privacy: null,
    retention: 'kept',
  },
  changedAt: {
    title: 'Changed',
    text: ({ changedAt }) => changedAt ?? '',
    // The administration shows it beside the date.
    notIn: ['administration', 'search'],
    privacy: null,
    retention: 'kept',
  },
  standing: { unshown: 'A mark beside the name says it.', privacy: null, retention: 'kept' },
  firstVisit: {
    unshown: 'A mark beside the name says it.',
    privacy: { ifGiven: 'whether it is your first visit' },
    retention: 'kept',
  },
  remind: { unshown: 'Only its sender changes it.', privacy: null, retention: 'kept' },
} as const satisfies Record<FieldName, Field>

/** The fields that the retention removes from a response. */
export type RemovedField = {
  [Name in FieldName]: (typeof fields)[Name]['retention'] extends 'removed' ? Name : never
}[FieldName]

export type ShownField = { name: FieldName; title: string; text: (response: StoredRsvp) => string }

const fieldNames = Object.keys(fields).filter((name): name is FieldName => name in fields)

export function fieldsIn(place: Place): ShownField[] {
  return fieldNames.flatMap((name) => {
    const field: Field = fields[name]
    if ('unshown' in field || field.notIn?.includes(place)) return []
    return [{ name, title: field.title, text: field.text }]
  })
}

/**
 * The fields that visitors type, as the privacy page names them.
 * @param prayers whether the form asks for prayer requests, which have a table of their own.
 */
export function typedFields(prayers = false): { always: string[]; ifGiven: string[] } {
  const named = fieldNames.map((name): Field['privacy'] => fields[name].privacy)
  return {
    always: named.flatMap((words) => (words !== null && 'always' in words ? [words.always] : [])),
    ifGiven: [
      ...named.flatMap((words) => (words !== null && 'ifGiven' in words ? [words.ifGiven] : [])),
      ...(prayers ? ['your prayer request'] : []),
    ],
  }
}

const calendars = { google: 'Google Calendar', ical: 'iCal' }

const suspicions = {
  'hidden-field': 'Perhaps spam: filled in what people do not see',
  'too-fast': 'Perhaps spam: sent within two seconds',
  flood: 'Perhaps spam: sent while very many were',
}

const LIST_SEPARATOR = '; '

/** E.g. `Joel Cole (child)`. */
function memberText({ name, age, attending }: StoredRsvp['familyMembers'][number]): string {
  const remarks = [age, attending ? null : 'not attending'].filter((remark) => remark !== null)
  return remarks.length === 0 ? name : `${name} (${remarks.join(', ')})`
}

export function itemsOf(text: string): string[] {
  return text
    .split(LIST_SEPARATOR)
    .map((item) => item.trim())
    .filter(Boolean)
}

/** The family members in a cell of our CSV, e.g. `Joel Cole (child); Dina Cole (not attending)`. */
export function membersOf(text: string) {
  return itemsOf(text).map(memberFrom)
}

/** Matches a name with the remarks that `memberText` appends, or with an age in years. */
const remarkAtEnd = /^(.+?)\s*\((?=[^)])(adult|teen|child|\d{1,2})?(?:, )?(not attending)?\)$/is

/** E.g. `Joel Cole (child)`, or with an age in years, `Joel Cole (4)`. */
export function memberFrom(item: string) {
  const [, name = item, remark = '', absent] = remarkAtEnd.exec(item) ?? []
  const group = remark.toLowerCase()
  const age = /^\d/.test(remark) ? ageOfYears(Number(remark)) : ageGroups.find((each) => each === group)
  return { name, age, attending: absent === undefined }
}

export function calendarText({ calendarType }: Pick<StoredRsvp, 'calendarType'>): string {
  return calendarType === null ? '' : calendars[calendarType]
}

/** Why the response may be spam; empty for all others. */
export function suspicionText({ suspicion }: StoredRsvp): string {
  return suspicion === null ? '' : suspicions[suspicion]
}

export const ANONYMOUS = 'Anonymous'

/** The values of anonymized fields; family members have a table of their own. */
export const anonymousFields = {
  name: ANONYMOUS,
  email: '',
  phone: null,
  message: null,
} satisfies Partial<StoredRsvp> & Record<Exclude<RemovedField, 'familyMembers'>, unknown>

/** Whether nothing in a response identifies a person, so that it counts as anonymized. */
export function isAnonymous({
  name,
  email,
  phone,
  message,
}: Partial<Record<keyof typeof anonymousFields, unknown>>): boolean {
  return name === anonymousFields.name && !email && !phone && !message
}

export function statusText({ attending }: { attending: boolean }): string {
  return attending ? 'Attending' : 'Not Attending'
}

const csvFields = fieldsIn('csv')

export const cellTitles = csvFields.map(({ title }) => title)

/** A response as cells of text, in the order of the CSV. */
export function cellsOf(response: StoredRsvp): string[] {
  return csvFields.map(({ text }) => text(response))
}
