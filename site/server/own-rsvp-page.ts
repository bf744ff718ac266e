import { isOutage, UserError } from '#db/errors.ts'
import type { Call } from '#db/operation.ts'
import { getOwnRsvp } from '#db/private-link/own-rsvp.ts'
import type { OwnRevision } from '#db/private-link/schema.ts'
import { serviceDay } from '#site/lib/service-days.ts'
import { logOutage } from './log.ts'
import { loadRsvpPage } from './page-data.ts'
import { problemOf } from './problem.ts'

const BUSY = "The church's computer is busy at the moment. Reload this page in a few seconds."

/** What the page of a private link shows: the RSVP, or why there is none. */
export async function loadOwnRsvpPage(call: Call, linkSecret: string | undefined) {
  try {
    return { own: await getOwnRsvp({ linkSecret }, call), status: 200, reason: '' }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    const isForThem: boolean = isOutage(error)
    if (isForThem) logOutage(error)
    return { own: undefined, status: problemOf(error).status, reason: isForThem ? BUSY : error.message }
  }
}

/** What can be chosen in its form. Its own roles and its own day stay, also where no one else can choose them. */
export async function loadOwnChoices({ rsvp }: OwnRevision, call: Call) {
  const { features, roles, services } = await loadRsvpPage(call, { shared: true, limit: 1 })
  const own = rsvp.volunteerSignups.map(({ role }) => role)
  const others = (roles ?? []).filter(({ id }) => own.every((role) => role.id !== id))
  const offered = services?.offered ?? []
  const days = offered.some(({ date }) => date === rsvp.serviceDate)
    ? offered
    : [serviceDay(rsvp.serviceDate), ...offered]
  return {
    features: features ?? { calendarIntegration: false, familyRsvp: false, volunteerSignup: false },
    roles: [...own, ...others],
    // Where visitors are told of no days, they choose none.
    days: offered.length === 0 ? [] : days,
  }
}
