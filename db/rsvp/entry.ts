import { subDays } from 'date-fns/subDays'
import * as z from 'zod/mini'
import { audit } from '#db/audit.ts'
import { type Call, parseInput } from '#db/call.ts'
import { readKeyedHash } from '#db/keyed-hash.ts'
import { readSchedule } from '#db/schedule.ts'
import { transaction } from '#db/storage/client.ts'
import { dayText } from '#db/values/dates.ts'
import { UserError } from '#db/values/errors.ts'
import { enteredRequest, enteredRsvp, entryChange } from '#db/values/rsvp.ts'
import { isAnonymous } from '#db/values/rsvp-fields.ts'
import { SERVICES_OFFERED, type StoredSchedule } from '#db/values/schedule.ts'
import { currentService, serviceOn, servicesFrom } from '#db/values/services.ts'
import { isRevision, sentAs } from '#db/values/stored-rsvp.ts'
import { readRsvp } from './list.ts'
import { digestRequest, findStored } from './request.ts'
import { findRolesNotOffered } from './roles.ts'
import { insertRsvps, replaceRsvp } from './write.ts'
import { startStanding, writeAhead } from './write-weeks.ts'

/** How old a service may be for which an administrator can enter responses. */
const PAST_DAYS = 366

export type EnteredRsvp = z.output<typeof enteredRsvp>

const nameMissing = 'Give another name, or an email: responses called Anonymous do not name their family.'

/** A response called Anonymous counts as anonymized, so retention would never remove its family's names. */
const namedWithFamily = z.refine<EnteredRsvp>(
  (response) => !isAnonymous(response) || response.familyMembers.every(({ name }) => name === response.name),
  { error: nameMissing, path: ['name'] },
)

export const checkedEntry = enteredRsvp.check(namedWithFamily)

/** Adds the key that identifies one request. */
const newEntry = z.extend(enteredRequest, { idempotencyKey: z.optional(z.string()) }).check(namedWithFamily)

/**
 * Stores a response that came by telephone or on paper, for the service of this week unless it names another, without
 * the limits and spam marks for visitors. An administrator may fill a role with more people than it needs. With
 * `standing` the household comes every week from that service on. Repeating the idempotency key with the same body
 * returns the first id.
 * @throws UserError 'invalid' with a message per field, also for a role that is not offered or a day without a service;
 * 'key-reused' and 'deleted' as `findStored` throws them.
 */
export async function addRsvp(input: unknown, call: Call): Promise<{ id: number }> {
  const { idempotencyKey, standing, ...sent } = parseInput(newEntry, input)
  const digest = digestRequest(idempotencyKey, { ...sent, standing }, await readKeyedHash())
  return transaction(
    async (tx) => {
      const known = await findStored(digest)
      if (known !== undefined) return { id: known.id }
      const schedule = await readSchedule()
      const { serviceDate = currentService(schedule, call.now).date } = sent
      const refused =
        (await findRolesNotOffered(sent.volunteerRoles)) ?? findDayWithoutService(serviceDate, schedule, call.now)
      if (refused !== undefined) throw refused
      const entry = { ...sent, ...digest, serviceDate, createdAt: call.now.toISOString() }
      const begins = standing === true && sent.attending
      if (begins && serviceOn(schedule, serviceDate).endsAt <= call.now.toISOString())
        throw new UserError('every-week-begins').at('serviceDate')
      const standingId = begins ? await startStanding(tx, { ...entry, suspicion: null }, call) : undefined
      const [stored] = await insertRsvps(tx, [{ ...entry, standingId }])
      if (stored === undefined) throw new Error('A response with a new key was not stored.')
      if (standingId !== undefined) await writeAhead(tx, standingId, call)
      await audit(tx, call, 'response added', String(stored.id))
      return { id: stored.id }
    },
    { repeatable: true },
  )
}

/**
 * Changes a response: fields that are sent replace the stored ones, fields left out stay. Sending what is already
 * stored succeeds, so that a request can be repeated if its reply was lost. Its roles and its service can stay even if
 * they are not offered. An administrator may fill a role with more people than it needs.
 * @throws UserError 'not-found' if there is no such response (any more), 'invalid' with a message per field,
 * 'changed-meanwhile' if it has another revision.
 */
export async function changeRsvp(input: unknown, call: Call): Promise<void> {
  const { id, onlyIfRevision, ...sent } = parseInput(entryChange, input)
  return transaction(
    async (tx) => {
      const stored = await readRsvp(id)
      if (isAnonymous(stored)) throw new UserError('not-found', 'This response is anonymous and cannot be changed.')
      const before = sentAs(stored)
      const changed = parseInput(checkedEntry, { ...before, ...sent })
      const isSame = JSON.stringify(changed) === JSON.stringify(checkedEntry.safeParse(before).data)
      if (isSame) return
      if (!isRevision(stored, onlyIfRevision))
        throw new UserError(
          'changed-meanwhile',
          'This response was changed meanwhile. Load the page again to see what it says now, then change it.',
        )
      const { serviceDate = stored.serviceDate } = changed
      const added = changed.volunteerRoles.filter((role) => !before.volunteerRoles.includes(role))
      const isMoved = serviceDate !== stored.serviceDate
      const refused =
        (await findRolesNotOffered(added)) ??
        (isMoved ? findDayWithoutService(serviceDate, await readSchedule(), call.now) : undefined)
      if (refused !== undefined) throw refused
      await replaceRsvp(tx, stored, { ...changed, serviceDate }, call)
    },
    { repeatable: true },
  )
}

/** The days of services, the nearest first. */
export type EnterableDays = { next: string[]; past: string[] }

export async function listEnterableDays({ now }: Call): Promise<EnterableDays> {
  return enterableDays(await readSchedule(), now)
}

/** The refusal of a day for which an administrator cannot enter responses. */
function findDayWithoutService(date: string, schedule: StoredSchedule, now: Date): UserError | undefined {
  const { next, past } = enterableDays(schedule, now)
  if (next.includes(date) || past.includes(date)) return undefined
  return new UserError(
    'invalid',
    `There is no service on ${dayText(date)} of ${date.slice(0, 4)}, or it is more than a year ago or too far ahead. Choose another day.`,
  ).at('serviceDate')
}

function enterableDays(schedule: StoredSchedule, now: Date): EnterableDays {
  const next: string[] = []
  const past: string[] = []
  for (const { date, endsAt } of servicesFrom(schedule, subDays(now, PAST_DAYS))) {
    if (endsAt > now.toISOString()) next.push(date)
    else past.unshift(date)
    if (next.length === SERVICES_OFFERED) break
  }
  return { next, past }
}
