import { and, count, lt, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { auditedIfChanged } from '../audit/entry.ts'
import { db } from '../client.ts'
import { familyMembers } from '../family-member/table.ts'
import { operation } from '../operation.ts'
import { isNamed } from './conditions.ts'
import { SAMPLE_KEY } from './sample.ts'
import { DELETED_TOGETHER_MAXIMUM } from './schema.ts'
import { rsvps } from './table.ts'

const DAY = 24 * 60 * 60 * 1000
/** What stands where a name was. */
const ANONYMOUS = 'Anonymous'

/** That of a form was made from everything typed. A sample stays one. */
const anonymousKey = sql`iif(${rsvps.key} LIKE ${`${SAMPLE_KEY}%`}, ${SAMPLE_KEY}, '') || lower(hex(randomblob(16)))`

const age = z.object({ days: z.int().check(z.positive()) })

/** How many responses are older than so many days and not anonymous yet. */
export const countOldRsvps = operation(age, async ({ days }, { now }): Promise<number> => {
  const [found] = await db.select({ old: count() }).from(rsvps).where(isOld(days, now))
  return found?.old ?? 0
})

/**
 * Takes names, addresses and texts from some of the responses older than so many days, in one write, and leaves what
 * is counted: who came, of which age, in which role. None is left when it answers 0.
 */
export const anonymiseOldRsvps = operation(age, async ({ days }, call): Promise<number> => {
  const found = await db
    .select({ id: rsvps.id })
    .from(rsvps)
    .where(isOld(days, call.now))
    .limit(DELETED_TOGETHER_MAXIMUM)
  if (found.length === 0) return 0
  const ids = sql`(SELECT value FROM json_each(${JSON.stringify(found.map(({ id }) => id))}))`
  await db.batch([
    db.update(familyMembers).set({ name: ANONYMOUS }).where(sql`${familyMembers.rsvpId} IN ${ids}`),
    db
      .update(rsvps)
      .set({ name: ANONYMOUS, publicName: ANONYMOUS, email: '', phone: null, message: null, key: anonymousKey })
      .where(sql`${rsvps.id} IN ${ids}`),
    auditedIfChanged(call, 'responses made anonymous', sql`changes()`),
  ])
  return found.length
})

function isOld(days: number, now: Date) {
  return and(isNamed, lt(rsvps.createdAt, new Date(now.getTime() - days * DAY).toISOString()))
}
