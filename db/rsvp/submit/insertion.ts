import { eq, sql } from 'drizzle-orm'
import { markIfLater } from '#db/clock/mark.ts'
import { familyMembers } from '#db/family-member/table.ts'
import { PUBLIC_NAME_RULE } from '#db/rsvp/public-name/public-name.ts'
import type { Rsvp, StoredRsvp } from '#db/rsvp/schema.ts'
import { rsvps } from '#db/rsvp/table.ts'
import { db, repeatableDb } from '#db/storage/client.ts'
import { volunteerSignups } from '#db/volunteer-role/table.ts'
import { keyReused, type RequestDigest } from './idempotency.ts'

/**
 * Stores a response with everything that belongs to it, all or nothing; the same key again stores nothing.
 * @throws UserError 'key-reused' when another response was stored with this key at the same moment.
 */
export async function insertRsvp(
  response: Rsvp & { publicName: string; suspicion: StoredRsvp['suspicion'] },
  { key, bodyHash }: RequestDigest,
  createdAt: string,
): Promise<{ id: number }> {
  const { familyMembers: members, volunteerRoles: roles, ...fields } = response
  // Child rows are stored only with a response that this call made: for a repeated key the time does not match.
  const made = sql`${rsvps.key} = ${key} AND ${rsvps.createdAt} = ${createdAt} AND ${rsvps.bodyHash} IS ${bodyHash}`
  // A retry finds what the first try has stored, with the same time.
  const [, , , stored] = await repeatableDb.batch([
    db
      .insert(rsvps)
      .values({
        ...fields,
        publicNameRule: PUBLIC_NAME_RULE,
        key,
        bodyHash,
        createdAt,
        keptFrom: markIfLater(createdAt),
      })
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
    db.select({ id: rsvps.id, bodyHash: rsvps.bodyHash }).from(rsvps).where(eq(rsvps.key, key)),
  ])
  const [found] = stored
  if (found === undefined) throw new Error('The response was stored and then not found.')
  if (found.bodyHash !== bodyHash) throw keyReused()
  return { id: found.id }
}
