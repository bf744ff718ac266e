import { createHmac, randomBytes } from 'node:crypto'
import { isOutage, UserError } from '#db/errors.ts'
import { defaultEvent } from '#db/event/content.ts'
import { getEvent } from '#db/event/operations.ts'
import { toContent } from '#db/event/payload.ts'
import { getFeatures } from '#db/feature/operations.ts'
import { idText } from '#db/id.ts'
import type { Call } from '#db/operation.ts'
import { getLatestId, listRsvps, type RsvpPage } from '#db/rsvp/operations.ts'
import { responsesOf } from '#db/rsvp/pages.ts'
import { publicRsvps } from '#db/rsvp/schema.ts'
import { countRsvps } from '#db/rsvp/statistics.ts'
import { getSettings, getShownNames } from '#db/settings/operations.ts'
import { listVolunteerRoles } from '#db/volunteer-role/operations.ts'
import { logOutage } from './log.ts'

const markKey = randomBytes(32)

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
  const guest = { ...call, administrator: false }
  const [event, features, names, drawnAfter] = await Promise.all([
    orNull(getEvent(undefined, call)),
    orNull(getFeatures(undefined, call)),
    orNull(getShownNames(undefined, call)),
    orNull(getLatestId(undefined, call)),
  ])
  // A list that cannot be read at the moment is one all the same: the browser asks again.
  const listed = names === null || names.read === 'full' || names.read === 'initial'
  const responses = names && listed ? await orNull(listRsvps({ limit, before }, guest).catch(noneWhenHidden)) : null
  const counts = names?.read === 'counts' ? await orNull(countRsvps({}, call)) : null
  const roles = features?.read.volunteerSignup ? await orNull(listVolunteerRoles(undefined, call)) : null
  return {
    event: event && (event.read === null ? defaultEvent : toContent(event.read)),
    features: features?.read ?? null,
    roles: roles?.read ?? null,
    /** The church shows everybody who has answered. */
    listed,
    counts: counts?.read ?? null,
    /** Tells the pages that were drawn after one answer from those drawn after the next. */
    drawnAfter: drawnAfter && markOf(drawnAfter.read),
    responses: responses && publicRsvps.parse(JSON.parse(responses.read.json)),
    next: responses?.read.next,
    complete: before === undefined && responses?.read.next === undefined,
    status: event && features && names && (responses || !listed) ? 200 : 503,
  }
}

/** How many have answered is not for everybody, so the number itself is not told. */
function markOf(latestId: number): string {
  return createHmac('sha256', markKey).update(String(latestId)).digest('base64url')
}

/** What the privacy page says of the settings in force; each null where it cannot be read. */
export async function loadPrivacyPage(call: Call) {
  const [names, settings] = await Promise.all([
    orNull(getShownNames(undefined, call)),
    orNull(getSettings(undefined, call)),
  ])
  return { names: names?.read ?? null, settings: settings?.read ?? null }
}

/** Where the older rows begin that a browser without JavaScript asks for, if the address says anything sensible. */
export function olderThan(searchParams: URLSearchParams): string | undefined {
  const asked = searchParams.get('before') ?? ''
  return idText.safeParse(asked).success ? asked : undefined
}

/** What the administration shows, read in the same way. */
export async function loadAdminPage(call: Call) {
  const [responses, counts, features, roles, settings] = await Promise.all([
    orNull(listRsvps({ limit: DRAWN_ROWS }, call)),
    orNull(countRsvps({}, call)),
    orNull(getFeatures(undefined, call)),
    orNull(listVolunteerRoles(undefined, call)),
    orNull(getSettings(undefined, call)),
  ])
  return {
    responses: responses && responsesOf(responses.read),
    complete: responses?.read.next === undefined,
    counts: counts?.read ?? null,
    features: features?.read ?? null,
    roles: roles?.read ?? null,
    settings: settings?.read ?? null,
    status: responses && counts && features && roles && settings ? 200 : 503,
  }
}

/** The church may have hidden the list since its setting was read. */
function noneWhenHidden(error: unknown): RsvpPage {
  if (error instanceof UserError && error.code === 'unauthenticated') return { json: '[]', next: undefined, filter: {} }
  throw error
}

async function orNull<Output>(reading: Promise<Output>): Promise<{ read: Output } | null> {
  try {
    return { read: await reading }
  } catch (error) {
    if (!isOutage(error)) throw error
    logOutage(error)
    return null
  }
}
