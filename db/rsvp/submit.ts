import * as z from 'zod/mini'
import { type Call, isOpenMode, parseInput } from '#db/call.ts'
import { getFeatures } from '#db/features.ts'
import { type KeyedHash, readKeyedHash } from '#db/keyed-hash.ts'
import { readSchedule } from '#db/schedule.ts'
import { getSettings } from '#db/settings.ts'
import { db, transaction } from '#db/storage/client.ts'
import { events } from '#db/tables/invitation.ts'
import { weekdayOf } from '#db/values/dates.ts'
import { defaultEvent, isUnscheduled } from '#db/values/default-event.ts'
import { isOutage, UserError } from '#db/values/errors.ts'
import { type Features, featureNames } from '#db/values/features.ts'
import type { PromisedMail } from '#db/values/mail.ts'
import { prayerFields } from '#db/values/prayer.ts'
import { isAtLeast } from '#db/values/roles.ts'
import { featureFields, type Rsvp, rsvpRequest, type StoredRsvp } from '#db/values/rsvp.ts'
import type { Schedule, Service } from '#db/values/schedule.ts'
import { nextService, offeredServices } from '#db/values/services.ts'
import { storePrayer } from './prayers.ts'
import { hashOfLinkSecret, linkSecretFor, storeLink } from './private-links.ts'
import { listPromised, queueConfirmation } from './queue-mail.ts'
import { countRsvp, digestRequest, findStored, refuseTooMany } from './request.ts'
import { findFilledRoles, findRolesNotOffered } from './roles.ts'
import { insertRsvps } from './write.ts'
import { startStanding, writeAhead } from './write-weeks.ts'

/** People take longer than this to read the form and fill it in. */
const FASTEST_MS = 2000

const newRsvp = z.extend(rsvpRequest, {
  /** Identifies the request: a second one with this key stores nothing. */
  idempotencyKey: z.optional(z.string()),
  /** How long the form was shown before it was sent, in ms. */
  formAge: z.optional(z.number()),
})

/** `linkSecret` is that of the sender's private link; undefined if that has ended. */
type Receipt = { id: number; linkSecret: string | undefined }
type Submitted = Partial<Receipt> & { mail?: PromisedMail[] }

/**
 * Stores an RSVP as `createRsvp` does, and returns what the sender may know, and gets by mail: no id if visitors see no
 * list, because ids reveal how many there are, and only that list uses them.
 */
export async function submitRsvp(input: unknown, call: Call): Promise<Submitted> {
  const { id, linkSecret, seesList } = await createRsvp(input, call)
  // It is stored: what cannot be read now is not promised.
  const mail = await listPromised({ rsvpId: id }, call).catch((error) => {
    if (!isOutage(error)) throw error
    return []
  })
  return { linkSecret, ...(seesList && { id }), ...(mail.length > 0 && { mail }) }
}

/**
 * Stores a visitor's RSVP with its family members and volunteer roles, all or nothing. Fields of a feature that is not
 * offered are dropped unread. Repeating the idempotency key with the same body returns the first id and stores nothing.
 * @returns also whether the sender sees the list of RSVPs.
 * @throws UserError 'invalid' with a message per field, also for a role that is not offered or has no room; 'too-many'
 * if the caller's network has used up its allowance; 'key-reused' and 'deleted' as `findStored` throws them.
 */
export async function createRsvp(input: unknown, call: Call): Promise<Receipt & { seesList: boolean }> {
  // All at once: what is read later waits for the COMMIT of others.
  const reads = [offeredFeatures(), getSettings(), readKeyedHash()] as const
  const [features, { prayers, publicNames }, hash] = await Promise.all(reads)
  const relevant = dropDisabledFields(input, features, prayers)
  // Invalid input counts against the allowance too.
  if (!newRsvp.safeParse(relevant).success) await refuseTooMany(call)
  const receipt = await storeSent(parseInput(newRsvp, relevant), input, call, hash)
  const seesList = isAtLeast('clerk', call.role) || publicNames === 'full' || publicNames === 'initial'
  return { ...receipt, seesList }
}

/** @param body what was sent, with the fields of features that are off. */
async function storeSent(sent: z.output<typeof newRsvp>, body: unknown, call: Call, hash: KeyedHash): Promise<Receipt> {
  const { idempotencyKey, formAge, ...request } = sent
  const { website, standing, prayer, prayerAudience, ...response } = request
  // Of the whole body: a retry may come after features were switched.
  const digest = digestRequest(idempotencyKey, rsvpRequest.safeParse(body).data ?? request, hash)
  const linkSecret = linkSecretFor(idempotencyKey, hash)
  const linkHash = hashOfLinkSecret(linkSecret)
  const outcome = await transaction(
    async (tx) => {
      const known = await findStored(digest)
      if (known !== undefined) return known
      // Refusals are returned, not thrown: what was taken from the allowance stays taken.
      const { refused: tooMany, flooded } = await countRsvp(tx, call)
      if (tooMany !== undefined) return { refused: tooMany }
      const schedule = await readSchedule()
      const { serviceDate = nextService(schedule, call.now).date } = response
      const refused = await findRefusal({ ...response, serviceDate }, schedule, call)
      if (refused !== undefined) return { refused }
      const rsvp = {
        ...response,
        ...digest,
        linkHash,
        serviceDate,
        createdAt: call.now.toISOString(),
        // In open mode every visitor is an administrator, so no RSVP is suspicious.
        suspicion: isOpenMode(call) ? null : suspicionOf(website, formAge, flooded),
        language: call.language,
      }
      const standingId = standing === true && rsvp.attending ? await startStanding(tx, rsvp, call) : undefined
      const [stored] = await insertRsvps(tx, [{ ...rsvp, standingId }])
      if (stored === undefined) throw new Error('An RSVP with a new key was not stored.')
      if (standingId !== undefined) {
        await storeLink(tx, linkHash, { standingId }, call)
        await writeAhead(tx, standingId, call)
      }
      if (prayer !== undefined) await storePrayer(tx, stored.id, { prayer, prayerAudience }, call)
      await queueConfirmation(tx, { ...rsvp, id: stored.id }, schedule, call, hash)
      return { id: stored.id, linkHash }
    },
    { repeatable: true },
  )
  if ('refused' in outcome) throw outcome.refused
  // The link that came with the first try may have ended since.
  return { id: outcome.id, linkSecret: outcome.linkHash === linkHash ? linkSecret : undefined }
}

/** The features that are on, without the calendar while it could contradict the invitation: visitors get none then. */
export async function offeredFeatures(): Promise<Features> {
  const [features, schedule] = await Promise.all([getFeatures(), readSchedule()])
  if (!features.calendarIntegration || schedule.confirmed) return features
  const [texts = defaultEvent] = await db.select({ date: events.date, time: events.time }).from(events)
  return { ...features, calendarIntegration: !isUnscheduled(texts, schedule) }
}

/**
 * Removes the fields of disabled features, unread: a form may have been open when a feature was switched off.
 * @param prayers whether the form asks for prayer requests.
 */
export function dropDisabledFields(input: object, features: Features, prayers?: boolean): Record<string, unknown>
export function dropDisabledFields(input: unknown, features: Features, prayers?: boolean): unknown
export function dropDisabledFields(input: unknown, features: Features, prayers = false): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input
  const off: string[] = featureNames.filter((name) => !features[name]).flatMap((name) => featureFields[name])
  if (!prayers) off.push(...Object.keys(prayerFields))
  if (off.length === 0) return input
  return Object.fromEntries(Object.entries(input).filter(([field]) => !off.includes(field)))
}

type Asked = Pick<Rsvp, 'name' | 'email' | 'attending' | 'volunteerRoles'> & { serviceDate: string }

/**
 * The refusal of an RSVP for a service or a role that is not offered, or for a role that has no room.
 * @param stored the RSVP before it is changed: it may keep its service and its roles.
 */
export async function findRefusal(
  asked: Asked,
  schedule: Schedule,
  call: Call,
  stored?: StoredRsvp,
): Promise<UserError | undefined> {
  const services = offeredServices(schedule, call.now)
  const { serviceDate, attending, volunteerRoles } = asked
  const had = stored?.volunteerSignups.map(({ role }) => role.id) ?? []
  const added = volunteerRoles.filter((role) => !had.includes(role))
  const wanted = attending ? volunteerRoles : []
  const stays = serviceDate === stored?.serviceDate
  return (
    (stays ? undefined : serviceNotOffered(serviceDate, schedule, services)) ??
    (await findRolesNotOffered(added)) ??
    rolesFilled(await findFilledRoles(wanted, { ...asked, id: stored?.id }), serviceDate, services)
  )
}

/** The refusal of a service that visitors cannot choose (any more). */
export function serviceNotOffered(
  date: string,
  { weekday, skippedDates }: Schedule,
  offered: Service[],
): UserError | undefined {
  const [next] = offered
  if (next === undefined || offered.some((service) => service.date === date)) return undefined
  const hasService = weekdayOf(date) === weekday && !skippedDates.includes(date)
  const days = { day: date, next: next.date }
  return new UserError(hasService ? 'service-closed' : 'no-service', days).at('serviceDate')
}

/** The refusal of roles that are filled at the service on this day. */
function rolesFilled(filled: { name: string }[], date: string, [next]: Service[]): UserError | undefined {
  if (filled.length === 0) return undefined
  const roles = filled.map(({ name }) => name)
  const [role = ''] = roles
  const when = date === next?.date ? 'this week' : date
  const refused =
    roles.length === 1 ? new UserError('role-filled', { role, when }) : new UserError('roles-filled', { roles, when })
  return refused.at('volunteerRoles')
}

/**
 * Why a response may be spam, judging by its form. It is stored anyway: the administrator decides.
 * @param website what was typed into a hidden field.
 * @param formAge how long the form was shown, in ms, if known.
 */
function suspicionOf(website = '', formAge = FASTEST_MS, flooded = false): StoredRsvp['suspicion'] {
  if (website !== '') return 'hidden-field'
  if (formAge < FASTEST_MS) return 'too-fast'
  return flooded ? 'flood' : null
}
