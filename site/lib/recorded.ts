import type { PromisedMail } from '#db/values/mail.ts'
import type { StoredRsvp } from '#db/values/rsvp.ts'

/** The part of an RSVP that its visitor is shown. `link` opens the page that changes it. */
export type Recorded = ReturnType<typeof recordedOf> & {
  link?: string | undefined
  /** What comes by mail. */
  mail?: PromisedMail[] | undefined
  /** When the link stops working, once that is known. */
  endsAt?: string
}

type Sent = {
  name: string
  attending: boolean
  familyMembers: { name: string; attending: boolean }[]
  roles: string[]
  message?: string | null | undefined
  /** Undefined if days are not shown to visitors. */
  serviceDate: string | undefined
  /** The calendar that was chosen, `google` or `ical`. */
  calendarType?: string | null | undefined
  /** Whether it is for every week: the weeks ahead, or true. */
  standing?: unknown
  remind?: boolean | undefined
  firstVisit?: boolean | undefined
  prayer?: string | null | undefined
}

/** The roles are left out if the visitor is not coming; `coming` are the names of those who are. */
export function recordedOf({ familyMembers, roles, message, standing, remind, prayer, ...sent }: Sent) {
  const { attending, serviceDate, calendarType = null, firstVisit = false } = sent
  const coming = [sent, ...familyMembers].filter((person) => person.attending).map((person) => person.name.trim())
  return {
    name: sent.name.trim(),
    attending,
    coming,
    roles: attending ? roles : [],
    serviceDate,
    calendarType,
    firstVisit,
    everyWeek: Boolean(standing),
    remind: Boolean(remind),
    hasMessage: Boolean(message),
    hasPrayer: Boolean(prayer),
  }
}

type Known = Omit<Sent, 'roles' | 'serviceDate'> & Pick<StoredRsvp, 'volunteerSignups' | 'serviceDate'>

/**
 * The same for a stored RSVP, on pages that the server draws.
 * @param saysDay whether days are shown to visitors.
 */
export function recordedOfStored({ volunteerSignups, serviceDate, ...rsvp }: Known, saysDay: boolean): Recorded {
  const roles = volunteerSignups.map(({ role }) => role.name)
  return recordedOf({ ...rsvp, roles, serviceDate: saysDay ? serviceDate : undefined })
}
