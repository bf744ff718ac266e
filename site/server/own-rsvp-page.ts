import { isOutage, UserError } from '#db/errors.ts'
import type { Call } from '#db/operation.ts'
import { getOwnRsvp } from '#db/private-link/own-rsvp.ts'
import type { OwnRevision } from '#db/private-link/schema.ts'
import { hashOfLinkSecret } from '#db/private-link/secret.ts'
import { choicesForAny } from '#site/lib/role-choices.ts'
import { serviceDay } from '#site/lib/service-days.ts'
import { logOutage } from './log.ts'
import { loadRsvpPage } from './page-data.ts'
import { problemOf } from './problem.ts'

const BUSY = "The church's computer is busy at the moment. Reload this page in a few seconds."

const OTHER_LINK =
  'Another private link was opened in this browser meanwhile, so nothing was changed. Open the link of this RSVP once more, then change it.'

/** What the page of a private link shows: the RSVP, or why there is none. `mark` says in its forms which one it is. */
export async function loadOwnRsvpPage(call: Call, linkSecret: string | undefined, otherLink = false) {
  if (otherLink) return { own: undefined, status: 409, reason: OTHER_LINK }
  try {
    const own = await getOwnRsvp({ linkSecret }, call)
    return { own, mark: hashOfLinkSecret(linkSecret ?? ''), status: 200, reason: '' }
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
    roles: [...own, ...choicesForAny(others, offered, rsvp.serviceDate)],
    // Where visitors are told of no days, they choose none.
    days: offered.length === 0 ? [] : days,
  }
}
