import { millisecondsInDay } from 'date-fns/constants'
import { count, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { auditedIfChanged } from '#db/audit/entry.ts'
import { familyMembers } from '#db/family-member/table.ts'
import { operation } from '#db/operation.ts'
import { ANONYMOUS, removed } from '#db/rsvp/anonymous.ts'
import { isNamed } from '#db/rsvp/conditions.ts'
import { markSuperseded } from '#db/rsvp/duplicates/superseded.ts'
import { SAMPLE_KEY } from '#db/rsvp/sample/sample.ts'
import { rsvps } from '#db/rsvp/table.ts'
import { db } from '#db/storage/client.ts'
import { purgeBound, purgeLimit } from './purge-share.ts'

/** Replaces the key, which like the body hash could confirm a guess at what was sent. A sample stays a sample. */
const anonymousKey = sql`iif(${rsvps.key} LIKE ${`${SAMPLE_KEY}%`}, ${SAMPLE_KEY}, '') || lower(hex(randomblob(16)))`

const days = z.int().check(z.positive())
const age = z.object({ days })
/** Responses that are older than `days` at `dueAt`, or now if it is left out; `bound` limits how many are purged. */
const purge = z.object({ days, bound: purgeBound, dueAt: z.optional(z.date()) })

/** How many responses are older than so many days and not anonymous yet. */
export const countOldRsvps = operation(age, async ({ days }, { now }): Promise<number> => {
  const [found] = await db.select({ old: count() }).from(rsvps).where(isOld(days, now))
  return found?.old ?? 0
})

/**
 * Takes names, addresses and texts from some of the responses older than so many days, in one write, and leaves what
 * is counted: who came, of which age, in which role. None is left when it returns 0.
 */
export const anonymizeOldRsvps = operation(purge, async ({ days, bound, dueAt }, call): Promise<number> => {
  const held = (taken: SQL) => sql`(SELECT count(*) + ${taken} FROM ${rsvps} WHERE ${isNamed})`
  const some = sql`SELECT ${rsvps.id} FROM ${rsvps} WHERE ${isOld(days, dueAt ?? call.now)}
    ORDER BY ${rsvps.id} LIMIT ${purgeLimit(bound, 'responses made anonymous', held, call.now)}`
  const [, , anonymous] = await db.batch([
    // First: the last write removes the fields by which duplicates are found and old ones are selected.
    markSuperseded(some),
    db.update(familyMembers).set({ name: ANONYMOUS }).where(sql`${familyMembers.rsvpId} IN (${some})`),
    db
      .update(rsvps)
      .set({ ...removed, publicName: ANONYMOUS, key: anonymousKey, bodyHash: null, linkHash: null })
      .where(sql`${rsvps.id} IN (${some})`)
      .returning({ id: rsvps.id }),
    auditedIfChanged(call, 'responses made anonymous', sql`changes()`),
  ])
  return anonymous.length
})

/** The moment from which the retention of a response counts. */
export const keptFrom = sql<string>`coalesce(${rsvps.keptFrom}, ${rsvps.createdAt})`

/** Older than so many days and not anonymous yet. */
export function isOld(days: number, now: Date): SQL {
  return sql`(${isNamed} AND ${keptFrom} < ${new Date(now.getTime() - days * millisecondsInDay).toISOString()})`
}
