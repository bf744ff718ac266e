import { millisecondsInDay } from 'date-fns/constants'
import { count, inArray, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { auditedIfChanged } from '#db/audit/entry.ts'
import { familyMembers } from '#db/family-member/table.ts'
import { operation } from '#db/operation.ts'
import { ANONYMOUS, removed } from '#db/rsvp/anonymous.ts'
import { markSuperseded } from '#db/rsvp/duplicates/superseded.ts'
import { isNamed } from '#db/rsvp/list/conditions.ts'
import { SAMPLE_KEY } from '#db/rsvp/sample/sample.ts'
import { WRITE_BATCH_SIZE } from '#db/rsvp/schema.ts'
import { rsvps } from '#db/rsvp/table.ts'
import { db } from '#db/storage/client.ts'

/** Replaces the key, which like the body hash could confirm a guess at what was sent. A sample stays a sample. */
const anonymousKey = sql`iif(${rsvps.key} LIKE ${`${SAMPLE_KEY}%`}, ${SAMPLE_KEY}, '') || lower(hex(randomblob(16)))`

const days = z.int().check(z.positive())
const age = z.object({ days })

/** How many responses are older than so many days and not anonymous yet. */
export const countOldRsvps = operation(age, async ({ days }, { now }): Promise<number> => {
  const [found] = await db.select({ old: count() }).from(rsvps).where(isOld(days, now))
  return found?.old ?? 0
})

/**
 * Takes names, addresses and texts from some of the responses older than so many days, in one write, and leaves what
 * is counted: who came, of which age, in which role. None is left when it returns 0.
 */
export const anonymizeOldRsvps = operation(age, async ({ days }, call): Promise<number> => {
  const old = db.select({ id: rsvps.id }).from(rsvps).where(isOld(days, call.now))
  const some = old.orderBy(rsvps.id).limit(WRITE_BATCH_SIZE)
  const [, , anonymous] = await db.batch([
    // First: the last write removes the fields by which duplicates are found and old ones are selected.
    markSuperseded(some.getSQL()),
    db.update(familyMembers).set({ name: ANONYMOUS }).where(inArray(familyMembers.rsvpId, some)),
    db
      .update(rsvps)
      .set({ ...removed, publicName: ANONYMOUS, key: anonymousKey, bodyHash: null, linkHash: null })
      .where(inArray(rsvps.id, some))
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
