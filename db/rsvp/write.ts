import { isDeepStrictEqual } from 'node:util'
import { eq, type SQL, sql } from 'drizzle-orm'
import { audit } from '#db/audit.ts'
import type { Call } from '#db/call.ts'
import type { Transaction } from '#db/storage/client.ts'
import { familyMembers, rsvps, standingRsvps, volunteerSignups } from '#db/tables/rsvp.ts'
import { identityOf } from '#db/values/identity.ts'
import type { Language } from '#db/values/languages.ts'
import { enteredRsvp, type Rsvp, type StoredRsvp } from '#db/values/rsvp.ts'
import { sentAs } from '#db/values/stored-rsvp.ts'
import { markAddressChanged } from './private-links.ts'
import type { RequestDigest } from './request.ts'

// All writes of RSVPs: sent by a visitor, entered by a clerk, imported, or changed by private link.

/** The columns of an RSVP, and the lists that become rows of their own. */
export type NewRsvp = Rsvp &
  RequestDigest &
  Pick<StoredRsvp, 'serviceDate' | 'createdAt'> &
  Partial<Pick<StoredRsvp, 'changedAt' | 'suspicion'>> & {
    linkHash?: string
    /** See `standingRsvps`. */
    standingId?: number | undefined
    language?: Language | undefined
  }

/**
 * Stores RSVPs with their family members and roles, except those whose key is in use.
 * @returns the ids and keys of those that it stored.
 */
export async function insertRsvps(tx: Transaction, sent: NewRsvp[]): Promise<{ id: number; key: string }[]> {
  if (sent.length === 0) return []
  const rows = sent.map(({ familyMembers: _, volunteerRoles: __, ...row }) => ({
    ...row,
    identity: identityOf(row.name),
  }))
  const stored = await tx.insert(rsvps).values(rows).onConflictDoNothing().returning({ id: rsvps.id, key: rsvps.key })
  const ids = new Map(stored.map(({ id, key }) => [key, id]))
  await storeLists(
    tx,
    sent.flatMap((rsvp) => {
      const id = ids.get(rsvp.key)
      return id === undefined ? [] : [{ ...rsvp, id }]
    }),
  )
  return stored
}

/**
 * Replaces the fields of an RSVP, and stores the moment of the change. The audit says which fields it changes.
 * @param others names of fields that change with it.
 */
export async function replaceRsvp(
  tx: Transaction,
  before: StoredRsvp,
  sent: Rsvp & { serviceDate: string; changedAt?: string | null },
  call: Call,
  others: string[] = [],
): Promise<void> {
  const { id } = before
  const { familyMembers: members, volunteerRoles: roles, ...row } = sent
  const changed = [...changedFields(before, sent), ...others]
  await tx
    .update(rsvps)
    .set({
      changedAt: momentOfChange(call.now),
      ...row,
      phone: row.phone ?? null,
      message: row.message ?? null,
      calendarType: row.calendarType ?? null,
      identity: identityOf(row.name),
    })
    .where(eq(rsvps.id, id))
  await tx.delete(familyMembers).where(eq(familyMembers.rsvpId, id))
  await tx.delete(volunteerSignups).where(eq(volunteerSignups.rsvpId, id))
  await storeLists(tx, [{ id, familyMembers: members, volunteerRoles: roles }])
  await audit(tx, call, 'response changed', changed.length === 0 ? String(id) : `${id}: ${changed.join(', ')}`)
  const isMoved = before.email !== '' && before.email.toLowerCase() !== sent.email.toLowerCase()
  if (isMoved && call.role !== 'visitor') await markAddressChanged(tx, id)
}

function changedFields(before: StoredRsvp, sent: Rsvp): string[] {
  const stored = sentAs(before)
  const entered: Record<string, unknown> = enteredRsvp.safeParse(stored).data ?? stored
  return Object.entries(sent).flatMap(([name, value]) =>
    name === 'changedAt' || isDeepStrictEqual(value, entered[name]) ? [] : [name],
  )
}

type Lists = { id: number } & Pick<Rsvp, 'familyMembers' | 'volunteerRoles'>

async function storeLists(tx: Transaction, stored: Lists[]): Promise<void> {
  const members = stored.flatMap(({ id, familyMembers: list }) =>
    list.map((member, position) => ({ rsvpId: id, position, ...member })),
  )
  const signups = stored.flatMap(({ id, volunteerRoles: roles }) => roles.map((roleId) => ({ rsvpId: id, roleId })))
  if (members.length > 0) await tx.insert(familyMembers).values(members)
  // The same role twice counts once.
  if (signups.length > 0) await tx.insert(volunteerSignups).values(signups).onConflictDoNothing()
}

// The moments of changes, withdrawals and deletions. SQLite computes them during the write, from the stored row.

/**
 * Now, or a millisecond after the last change if that is later: no two changes of an RSVP have the same moment. A
 * withdrawal stores it as both `deletedAt` and `changedAt`, which tells it from a deletion by an administrator.
 */
export function momentOfChange(now: Date): SQL<string> {
  return sql`max(${now.toISOString()}, coalesce(${afterChange}, ''))`
}

/** For a deletion by an administrator: now, but never the moment of the last change. */
export function momentOfDeletion(now: Date): SQL<string> {
  const moment = now.toISOString()
  return sql`iif(${rsvps.changedAt} = ${moment}, ${afterChange}, ${moment})`
}

/** For the end of a standing RSVP: now, or a millisecond after all that happened to it if that is later. */
export function momentOfEnd(now: Date): SQL<string> {
  const { changedAt, deletedAt, standingId } = rsvps
  const last = sql`max(${standingRsvps.seenAt}, coalesce(max(${changedAt}), ''), coalesce(max(${deletedAt}), ''))`
  const ofAll = sql`(SELECT ${justAfter(last)} FROM ${rsvps} WHERE ${standingId} = ${standingRsvps.id})`
  return sql`max(${now.toISOString()}, ${ofAll})`
}

const afterChange = justAfter(sql`${rsvps.changedAt}`)

function justAfter(moment: SQL): SQL {
  return sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${moment}, '+0.001 seconds')`
}
