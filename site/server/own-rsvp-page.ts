import { isOutage, UserError } from '#db/errors.ts'
import type { Call } from '#db/operation.ts'
import { getOwnRsvp } from '#db/private-link/operations.ts'
import type { OwnRevision } from '#db/private-link/schema.ts'
import { hashOfLinkSecret } from '#db/rsvp/link-secret.ts'
import { serviceDay } from '#site/lib/days.ts'
import { choicesForAny } from '#site/lib/role-choices.ts'
import { logOutage } from './log.ts'
import { loadRsvpPage } from './page-data.ts'
import { problemOf } from './problem.ts'

const BUSY = "The church's computer is busy at the moment. Reload this page in a few seconds."

const OTHER_LINK =
  'Another private link was opened in this browser meanwhile, so nothing was changed. Open the link of this RSVP once more, then change it.'

/**
 * What the page of a private link shows: the RSVP with what can be chosen in its form, none where it is withdrawn; or why
 * there is no RSVP. `mark` says in its forms which one it is.
 */
export async function loadOwnRsvpPage(call: Call, linkSecret: string | undefined, otherLink = false) {
  if (otherLink) return { own: undefined, status: 409, reason: OTHER_LINK }
  try {
    const own = await getOwnRsvp({ linkSecret }, call)
    const choices = own.rsvp.withdrawnAt === null ? await loadOwnChoices(own, call) : undefined
    return { own, choices, mark: hashOfLinkSecret(linkSecret ?? ''), status: 200, reason: '' }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    const isForThem: boolean = isOutage(error)
    if (isForThem) logOutage(error)
    return { own: undefined, status: problemOf(error).status, reason: isForThem ? BUSY : error.message }
  }
}

/** What can be chosen in its form. Its own roles and its own day stay, also where no one else can choose them. */
async function loadOwnChoices({ rsvp }: OwnRevision, call: Call) {
  const { features, roles, services } = await loadRsvpPage(call, { shared: true, limit: 1 })
  // A form without the parts that cannot be read at the moment would take from the RSVP what it says there.
  if (!features || !services || (features.volunteerSignup && !roles)) throw new UserError('busy', BUSY)
  const own = rsvp.volunteerSignups.map(({ role }) => role)
  const others = (roles ?? []).filter(({ id }) => own.every((role) => role.id !== id))
  const { offered } = services
  const days = offered.some(({ date }) => date === rsvp.serviceDate)
    ? offered
    : [serviceDay(rsvp.serviceDate), ...offered]
  return {
    features,
    roles: [...own, ...choicesForAny(others, offered, rsvp.serviceDate)],
    // Where visitors are told of no days, they choose none.
    days: offered.length === 0 ? [] : days,
  }
}
