import type { PromisedMail } from '#db/values/mail.ts'
import type { StoredRsvp } from '#db/values/rsvp.ts'
import { t } from '#site/texts/texts.ts'

/** The part of an RSVP that the thank-you shows. `link` opens the page that changes the RSVP. */
export type Recorded = ReturnType<typeof recordedOf> & {
  link?: string | undefined
  /** The mails that the visitor will get. */
  mail?: PromisedMail[] | undefined
  /** Whether the visitor has withdrawn it, or has ended "every week". */
  isWithdrawn?: boolean
  /** When the link stops working, if known. */
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
  /** The chosen calendar, `google` or `ical`. */
  calendarType?: string | null | undefined
  /** Truthy if the RSVP is for every week: its weeks, or true. */
  standing?: unknown
  remind?: boolean | undefined
  firstVisit?: boolean | undefined
  prayer?: string | null | undefined
}

/** No roles if the visitor does not attend. `coming` are the names of those who do. */
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

/** @param showsDay whether visitors are shown days. */
export function recordedOfStored({ volunteerSignups, serviceDate, ...rsvp }: Known, showsDay: boolean): Recorded {
  const roles = volunteerSignups.map(({ role }) => role.name)
  return recordedOf({ ...rsvp, roles, serviceDate: showsDay ? serviceDate : undefined })
}

export function withdrawnText(everyWeek: boolean): string {
  return everyWeek ? t('You no longer come every week.') : t('You have withdrawn this RSVP.')
}
