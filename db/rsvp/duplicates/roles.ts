import { type SQL, sql } from 'drizzle-orm'
import type { Call } from '#db/operation.ts'
import { momentOfChange } from '#db/rsvp/moments.ts'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { rsvps } from '#db/rsvp/table.ts'
import { db } from '#db/storage/client.ts'
import { countFilling } from '#db/volunteer-role/filled.ts'
import { volunteerRoles, volunteerSignups } from '#db/volunteer-role/table.ts'
import { isSame, isSuperseded, lastWord, rowOf, type Sender } from './superseded.ts'

// The places in roles where a person has sent several RSVPs: the newest alone takes them.

/** The roles that an RSVP fills by a write of its sender. Those that are `kept` it fills already, unless it is superseded. */
export type Claims = { roles: number[]; kept: number[] }

/** The id and the name of those roles that others fill. What the same person sent before takes no place beside it. */
export function filledAmong({ roles, kept }: Claims, sent: Sender & { id: number }): SQL {
  const isOwn = sql`EXISTS (SELECT 1 FROM ${rowOf(sent)} AS sent WHERE ${isSame(sql.raw('host'), sql.raw('sent'))})`
  const others = countFilling(sql`role.id`, sql`${sent.serviceDate}`, sql`host.id <> ${sent.id} AND NOT ${isOwn}`)
  const isKept = sql`role.id IN (SELECT value FROM json_each(${JSON.stringify(kept)}))
    AND EXISTS (SELECT 1 FROM ${rsvps} AS own WHERE own.id = ${sent.id} AND NOT ${isSuperseded('own')})`
  return sql`SELECT role.id AS id, role.name AS name FROM json_each(${JSON.stringify(roles)}) AS wish
    JOIN ${volunteerRoles} AS role ON role.id = wish.value
    WHERE role.needed IS NOT NULL AND NOT (${isKept}) AND ${others} >= role.needed`
}

/** The names of those roles. */
export async function findFilledRoles(claims: Claims, sent: Sender & { id: number }): Promise<string[]> {
  const found = await db.select({ name: sql<string>`name` }).from(sql`(${filledAmong(claims, sent)})`)
  return found.map(({ name }) => name)
}

/**
 * An earlier RSVP of a person counts again once the newest is withdrawn, or is another person's or for another service by
 * now: without the roles that others fill meanwhile. These statements stand in the batch behind the line of the audit, which
 * is written if anything was changed.
 * @param newest as it was before.
 */
export function leaveFilledRoles(newest: StoredRsvp, { now }: Call) {
  const earlier = sql.raw('earlier')
  const others = countFilling(sql`role.id`, sql`earlier.service_date`, sql`host.id <> earlier.id`)
  const countsAgain = sql`${rowOf(newest)} AS person JOIN ${rsvps} AS earlier ON ${isSame(earlier, sql.raw('person'))}
    AND ${lastWord(earlier)} < (${newest.changedAt ?? newest.createdAt}, ${newest.id}) AND NOT ${isSuperseded('earlier')}`
  return [
    db.delete(volunteerSignups).where(
      sql`changes() > 0 AND (${volunteerSignups.rsvpId}, ${volunteerSignups.roleId}) IN (
        SELECT earlier.id, role.id FROM ${countsAgain} JOIN ${volunteerSignups} AS offer ON offer.rsvp_id = earlier.id
          JOIN ${volunteerRoles} AS role ON role.id = offer.role_id
        WHERE role.needed IS NOT NULL AND earlier.attending AND ${others} >= role.needed)`,
    ),
    // Whoever has read it before would give it the roles back.
    db
      .update(rsvps)
      .set({ changedAt: momentOfChange(now) })
      .where(sql`changes() > 0 AND ${rsvps.id} IN (SELECT earlier.id FROM ${countsAgain})`),
  ] as const
}
