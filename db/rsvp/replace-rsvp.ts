import { and, eq, isNull, not, type SQL, sql } from 'drizzle-orm'
import { auditedIfChanged } from '#db/audit/operations.ts'
import type { Call } from '#db/operation.ts'
import { db } from '#db/storage/client.ts'
import { isSame, isSuperseded, rowOf } from './duplicates.ts'
import { isLive, isNamed, oneOf } from './list/conditions.ts'
import { momentOfChange, momentOfDeletion } from './moments.ts'
import { PUBLIC_NAME_RULE, publicNameOf } from './names.ts'
import { type Claims, filledAmong, leaveFilledRoles } from './roles.ts'
import type { Rsvp, StoredRsvp } from './schema.ts'
import { familyMembers, rsvps, volunteerSignups } from './table.ts'

/**
 * Replaces what an RSVP says, all or nothing, if it was neither changed nor deleted since it was read (`changedAt` is never
 * the same twice) nor moved with its service, and if there is room in the roles that its sender claims.
 * @param claims null where an administrator changes it, who may fill a role with more than it needs.
 * @param merged the ids of its duplicates, which are deleted with the same write, if all of them still are and it is the newest.
 * @returns whether it was replaced.
 */
export async function replaceRsvp(
  read: StoredRsvp,
  {
    familyMembers: members,
    volunteerRoles: roles,
    ...response
  }: Rsvp & { serviceDate: string; changedAt?: string | null },
  claims: Claims | null,
  call: Call,
  merged: number[] = [],
): Promise<boolean> {
  const filled = claims ? sql`EXISTS (${filledAmong(claims, { ...response, id: read.id })})` : sql`false`
  const isSameRevision = and(isChangedAt(read.changedAt), eq(rsvps.serviceDate, read.serviceDate))
  const isStillNewest = merged.length === 0 ? undefined : and(not(isSuperseded('rsvps')), areDuplicates(merged, read))
  const isAsRead = and(eq(rsvps.id, read.id), isSameRevision, isLive, isNamed, not(filled), isStillNewest)
  const stands = sql`EXISTS (SELECT 1 FROM ${rsvps} WHERE ${isAsRead})`
  const batch = await db.batch([
    db.delete(familyMembers).where(and(eq(familyMembers.rsvpId, read.id), stands)),
    db.delete(volunteerSignups).where(and(eq(volunteerSignups.rsvpId, read.id), stands)),
    db.insert(familyMembers).select(
      sql`SELECT ${read.id}, member.key, member.value ->> 'name', member.value ->> 'age', member.value ->> 'attending'
        FROM json_each(${JSON.stringify(members)}) AS member WHERE ${stands}`,
    ),
    db
      .insert(volunteerSignups)
      .select(sql`SELECT ${read.id}, role.value FROM json_each(${JSON.stringify(roles)}) AS role WHERE ${stands}`),
    // Last: the statements before it find the response as it was read.
    db
      .update(rsvps)
      .set({
        changedAt: momentOfChange(call.now),
        ...response,
        phone: response.phone ?? null,
        message: response.message ?? null,
        calendarType: response.calendarType ?? null,
        publicName: publicNameOf(response.name),
        publicNameRule: PUBLIC_NAME_RULE,
      })
      .where(isAsRead)
      .returning({ id: rsvps.id }),
    auditedIfChanged(call, 'response changed', String(read.id)),
    ...(merged.length > 0 ? deleteMerged(read.id, merged, call) : claims ? leaveFilledRoles(read, call) : []),
  ])
  return batch[4].length > 0
}

/** Their senders may have put in another name or email since they were read, or taken them back. */
function areDuplicates(ids: number[], read: StoredRsvp): SQL {
  const older = sql.raw('older')
  return sql`(SELECT count(*) FROM ${rsvps} AS older JOIN ${rowOf(read)} AS kept ON ${isSame(older, sql.raw('kept'))}
    WHERE older.id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))) = ${ids.length}`
}

/** These stand behind the line of the audit, which is written if the one that stays was changed. */
function deleteMerged(kept: number, merged: number[], call: Call) {
  return [
    db
      .update(rsvps)
      .set({ deletedAt: momentOfDeletion(call.now) })
      .where(and(sql`changes() > 0`, oneOf(merged), isLive)),
    auditedIfChanged(call, 'responses merged', `${merged.join(' and ')} into ${kept}`),
  ] as const
}

function isChangedAt(changedAt: string | null): SQL {
  return changedAt === null ? isNull(rsvps.changedAt) : eq(rsvps.changedAt, changedAt)
}
