import { randomUUID } from 'node:crypto'
import { and, desc, eq, lt, sql } from 'drizzle-orm'
import { db } from '../client.ts'
import { UserError } from '../errors.ts'
import { familyMembers } from '../family-member/table.ts'
import { getFeatures } from '../feature/operations.ts'
import { type FeatureName, type Features, featureNames } from '../feature/schema.ts'
import { type Operation, operation } from '../operation.ts'
import { refuseRolesNotOffered } from '../volunteer-role/operations.ts'
import { volunteerSignups } from '../volunteer-role/table.ts'
import { conditions } from './conditions.ts'
import { everyField, publicFields } from './json.ts'
import { pageRequest, type Rsvp, rsvp, rsvpId, rsvpIds, type StoredRsvp, storedRsvp } from './schema.ts'
import { rsvps } from './table.ts'

/** One page of responses. `json` is the text of a JSON array; `next` is where the page after it begins. */
export type RsvpPage = { json: string; next: number | undefined }

/**
 * Stores a response with its family members and volunteer roles, all or nothing. What belongs to a feature that is
 * off is left out unread. The same idempotency key again answers the first id and stores nothing.
 * @throws UserError 'invalid' with a message per field, also for a role that is not offered.
 */
export const createRsvp: Operation<{ id: number }> = async (input, call) =>
  storeRsvp(onlyWhatIsOn(input, await getFeatures(undefined, call)), call)

const storeRsvp = operation(rsvp, async (response, call): Promise<{ id: number }> => {
  const { idempotencyKey: key, now } = call
  const known = key === undefined ? undefined : await findByKey(key)
  if (known !== undefined) return known
  await refuseRolesNotOffered(response.volunteerRoles)
  return insertRsvp(response, key ?? randomUUID(), now.toISOString())
})

/**
 * One page of responses, newest first, as JSON text made inside SQLite: an array of stored responses for an
 * administrator, of public ones for everyone else.
 */
export const listRsvps = operation(pageRequest, async ({ limit, before, ...filter }, call): Promise<RsvpPage> => {
  const object = call.administrator ? everyField : publicFields
  const newest = db
    .select({ id: rsvps.id, object: object.as('object') })
    .from(rsvps)
    .where(and(before === undefined ? undefined : lt(rsvps.id, before), ...conditions(filter)))
    .orderBy(desc(rsvps.id))
    // One more than asked tells whether there is a next page.
    .limit(limit + 1)
    .as('newest')
  const found = await db.select({ id: newest.id, object: newest.object }).from(newest)
  const rows = found.slice(0, limit)
  return {
    json: `[${rows.map((row) => row.object).join(',')}]`,
    next: found.length > limit ? rows.at(-1)?.id : undefined,
  }
})

/**
 * One response in full.
 * @throws UserError 'not-found' when there is no such response.
 */
export const getRsvp = operation(rsvpId, async ({ id }): Promise<StoredRsvp> => {
  const [found] = await db.select({ object: everyField }).from(rsvps).where(eq(rsvps.id, id))
  if (found === undefined) throw noSuchRsvp()
  return storedRsvp.parse(JSON.parse(found.object))
})

/**
 * Deletes a response; its family members and roles go with it.
 * @throws UserError 'not-found' when there is no such response (any more).
 */
export const deleteRsvp = operation(rsvpId, async ({ id }): Promise<void> => {
  const [deleted] = await db.batch([db.delete(rsvps).where(eq(rsvps.id, id)).returning({ id: rsvps.id })])
  if (deleted.length === 0) throw noSuchRsvp()
})

/** Deletes several responses, in one write; answers the ids of those that were there. */
export const deleteRsvps = operation(rsvpIds, async ({ ids }): Promise<number[]> => {
  const named = sql`${rsvps.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`
  const [deleted] = await db.batch([db.delete(rsvps).where(named).returning({ id: rsvps.id })])
  return deleted.map(({ id }) => id)
})

function noSuchRsvp(): UserError {
  return new UserError('not-found', 'There is no such response. It may have been deleted already.')
}

const fieldsOf: Record<FeatureName, string[]> = {
  calendarIntegration: ['addToCalendar', 'calendarType'],
  familyRsvp: ['familyMembers'],
  volunteerSignup: ['volunteerRoles'],
}

/** A form that was open while a feature went off can still be sent. */
function onlyWhatIsOn(input: unknown, features: Features): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input
  const off = featureNames.filter((name) => !features[name]).flatMap((name) => fieldsOf[name])
  return Object.fromEntries(Object.entries(input).filter(([field]) => !off.includes(field)))
}

async function findByKey(key: string): Promise<{ id: number } | undefined> {
  const [known] = await db.select({ id: rsvps.id }).from(rsvps).where(eq(rsvps.key, key))
  return known
}

async function insertRsvp(response: Rsvp, key: string, createdAt: string): Promise<{ id: number }> {
  const { familyMembers: members, volunteerRoles: roles, ...answer } = response
  // Child rows go in only beside a response made by this very call: on a repeated key the time does not match.
  const made = sql`${rsvps.key} = ${key} AND ${rsvps.createdAt} = ${createdAt}`
  const [, , , stored] = await db.batch([
    db
      .insert(rsvps)
      .values({ ...answer, key, createdAt })
      .onConflictDoNothing(),
    db
      .insert(familyMembers)
      .select(
        sql`SELECT ${rsvps.id}, member.key, member.value ->> 'name', member.value ->> 'age', member.value ->> 'attending'
          FROM ${rsvps}, json_each(${JSON.stringify(members)}) AS member WHERE ${made}`,
      )
      .onConflictDoNothing(),
    db
      .insert(volunteerSignups)
      .select(
        sql`SELECT ${rsvps.id}, role.value FROM ${rsvps}, json_each(${JSON.stringify(roles)}) AS role WHERE ${made}`,
      )
      .onConflictDoNothing(),
    db.select({ id: rsvps.id }).from(rsvps).where(eq(rsvps.key, key)),
  ])
  const [{ id } = {}] = stored
  if (id === undefined) throw new Error('The response was stored and then not found.')
  return { id }
}
