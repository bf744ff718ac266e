import { isOutage } from '#db/errors.ts'
import { defaultEvent } from '#db/event/content.ts'
import { getEvent } from '#db/event/operations.ts'
import { toContent } from '#db/event/payload.ts'
import { getFeatures } from '#db/feature/operations.ts'
import { idText } from '#db/id.ts'
import type { Call } from '#db/operation.ts'
import { listRsvps } from '#db/rsvp/operations.ts'
import { responsesOf } from '#db/rsvp/pages.ts'
import { publicRsvps } from '#db/rsvp/schema.ts'
import { countRsvps } from '#db/rsvp/statistics.ts'
import { listVolunteerRoles } from '#db/volunteer-role/operations.ts'

/** Rows drawn on the server; the browser fetches what is beyond them. */
const DRAWN_ROWS = 200

/**
 * What the main page and the share page show. A part that cannot be read at the moment is null: the page then says
 * Loading… and the browser asks again.
 */
export async function loadRsvpPage(
  call: Call,
  { limit = DRAWN_ROWS, before }: { limit?: number; before?: string | undefined },
) {
  const [event, features, responses] = await Promise.all([
    orNull(getEvent(undefined, call)),
    orNull(getFeatures(undefined, call)),
    orNull(listRsvps({ limit, before }, { ...call, administrator: false })),
  ])
  const roles = features?.read.volunteerSignup ? await orNull(listVolunteerRoles(undefined, call)) : null
  return {
    event: event && (event.read === null ? defaultEvent : toContent(event.read)),
    features: features?.read ?? null,
    roles: roles?.read ?? null,
    responses: responses && publicRsvps.parse(JSON.parse(responses.read.json)),
    next: responses?.read.next,
    complete: before === undefined && responses?.read.next === undefined,
    status: event && features && responses ? 200 : 503,
  }
}

/** Where the older rows begin that a browser without JavaScript asks for, if the address says anything sensible. */
export function olderThan(searchParams: URLSearchParams): string | undefined {
  const asked = searchParams.get('before') ?? ''
  return idText.safeParse(asked).success ? asked : undefined
}

/** What the administration shows, read in the same way. */
export async function loadAdminPage(call: Call) {
  const [responses, counts, features, roles] = await Promise.all([
    orNull(listRsvps({ limit: DRAWN_ROWS }, call)),
    orNull(countRsvps({}, call)),
    orNull(getFeatures(undefined, call)),
    orNull(listVolunteerRoles(undefined, call)),
  ])
  return {
    responses: responses && responsesOf(responses.read),
    complete: responses?.read.next === undefined,
    counts: counts?.read ?? null,
    features: features?.read ?? null,
    roles: roles?.read ?? null,
    status: responses && counts && features && roles ? 200 : 503,
  }
}

async function orNull<Output>(reading: Promise<Output>): Promise<{ read: Output } | null> {
  try {
    return { read: await reading }
  } catch (error) {
    if (isOutage(error)) return null
    throw error
  }
}
