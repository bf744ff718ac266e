import { and, eq, inArray, ne, not, type SQL, sql } from 'drizzle-orm'
import { audit } from '#db/audit/operations.ts'
import { markIfLater } from '#db/clock/clock.ts'
import { UserError } from '#db/errors.ts'
import type { Call } from '#db/operation.ts'
import type { Service } from '#db/schedule/schema.ts'
import { db, type Transaction } from '#db/storage/client.ts'
import { dayText } from '#db/values/dates.ts'
import { everyRole } from '#db/volunteer-role/operations.ts'
import { isBy, isSuperseded, lastWord, type Sender } from './duplicates.ts'
import { LIST_SEPARATOR } from './fields.ts'
import type { RequestDigest } from './idempotency.ts'
import { momentOfChange } from './moments.ts'
import { publicNameOf } from './names.ts'
import { isFilling } from './roles.ts'
import type { Rsvp, StoredRsvp } from './schema.ts'
import { PUBLIC_NAME_RULE } from './schema.ts'
import { isLive } from './search.ts'
import { familyMembers, rsvps, volunteerSignups } from './table.ts'

// How an RSVP is written, whoever does it: a visitor who sends it, a clerk who enters it, an import, or its sender by the
// link.

/** An RSVP as its row holds it, with what becomes rows of its own. */
export type NewRsvp = Rsvp &
  RequestDigest &
  Pick<StoredRsvp, 'serviceDate' | 'createdAt'> &
  Partial<Pick<StoredRsvp, 'changedAt' | 'suspicion'>> & { linkHash?: string }

/**
 * Stores RSVPs with their family members and roles, except where a key is in use.
 * @param keptFrom the moment from which the retention counts; null is the moment at which an RSVP came.
 * @returns the ids and keys of those that it stored.
 */
export async function storeRsvps(
  tx: Transaction,
  sent: NewRsvp[],
  keptFrom: (createdAt: string) => SQL<string | null> | null = markIfLater,
): Promise<{ id: number; key: string }[]> {
  if (sent.length === 0) return []
  const rows = sent.map(({ familyMembers: _, volunteerRoles: __, ...row }) => ({
    ...row,
    keptFrom: keptFrom(row.createdAt),
    publicName: publicNameOf(row.name),
    publicNameRule: PUBLIC_NAME_RULE,
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

/** Replaces what an RSVP says, and notes when. */
export async function replaceRsvp(
  tx: Transaction,
  id: number,
  { familyMembers: members, volunteerRoles: roles, ...row }: Rsvp & { serviceDate: string; changedAt?: string | null },
  call: Call,
): Promise<void> {
  await tx
    .update(rsvps)
    .set({
      changedAt: momentOfChange(call.now),
      ...row,
      phone: row.phone ?? null,
      message: row.message ?? null,
      calendarType: row.calendarType ?? null,
      publicName: publicNameOf(row.name),
      publicNameRule: PUBLIC_NAME_RULE,
    })
    .where(eq(rsvps.id, id))
  await tx.delete(familyMembers).where(eq(familyMembers.rsvpId, id))
  await tx.delete(volunteerSignups).where(eq(volunteerSignups.rsvpId, id))
  await storeLists(tx, [{ id, familyMembers: members, volunteerRoles: roles }])
  await audit(tx, call, 'response changed', String(id))
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

/** Which RSVP asks for room: one that is stored has an id. */
type Asking = Sender & { id?: number }

/**
 * The names of those roles that have no room for an RSVP of this sender. Whoever fills a role already stays: what the same
 * person sent before takes no place beside it.
 */
export async function findFilledRoles(roles: number[], sender: Asking): Promise<string[]> {
  const places = await readPlaces(roles, sender)
  return places.filter(({ own, others, needed }) => own === 0 && others >= needed).map(({ name }) => name)
}

/**
 * Takes the roles that others fill by now from what counts again once `gone` does not any more: the RSVP that the same person
 * sent before. Call it after `gone` was withdrawn, or became another person's or for another service.
 * @param gone as it was before.
 */
export async function leaveFilledRoles(tx: Transaction, gone: StoredRsvp, { now }: Call): Promise<void> {
  const isEarlier = sql`${lastWord(sql`rsvps`)} < (${gone.changedAt ?? gone.createdAt}, ${gone.id})`
  const [earlier] = await tx
    .select()
    .from(rsvps)
    .where(and(isLive, ne(rsvps.id, gone.id), isBy(gone), isEarlier, not(isSuperseded('rsvps'))))
  if (!earlier?.attending) return
  const offers = await tx.select().from(volunteerSignups).where(eq(volunteerSignups.rsvpId, earlier.id))
  const places = await readPlaces(
    offers.map(({ roleId }) => roleId),
    earlier,
  )
  const filled = places.filter(({ others, needed }) => others >= needed).map(({ id }) => id)
  if (filled.length === 0) return
  await tx
    .delete(volunteerSignups)
    .where(and(eq(volunteerSignups.rsvpId, earlier.id), inArray(volunteerSignups.roleId, filled)))
  // Whoever has read it before would give it the roles back.
  await tx
    .update(rsvps)
    .set({ changedAt: momentOfChange(now) })
    .where(eq(rsvps.id, earlier.id))
}

/** Of those roles that have a need: how many fill them at the sender's service, by RSVPs of the sender and of others. */
async function readPlaces(roles: number[], { id, ...sender }: Asking) {
  if (roles.length === 0) return []
  const places = []
  for (const role of await everyRole.all()) {
    if (role.needed === null || !roles.includes(role.id)) continue
    const filling = await db
      .select({ id: rsvps.id, isOwn: sql<number>`${isBy(sender)}` })
      .from(rsvps)
      .innerJoin(volunteerSignups, and(eq(volunteerSignups.rsvpId, rsvps.id), eq(volunteerSignups.roleId, role.id)))
      .where(and(eq(rsvps.serviceDate, sender.serviceDate), isFilling))
    const own = filling.filter((rsvp) => rsvp.id === id || rsvp.isOwn === 1).length
    places.push({ id: role.id, name: role.name, needed: role.needed, own, others: filling.length - own })
  }
  return places
}

/** What to say where these roles are filled at the service on this day. */
export function rolesFilled(names: string[], date: string, [next]: Service[]): UserError | undefined {
  if (names.length === 0) return undefined
  const when = date === next?.date ? 'this week' : dayText(date)
  const message =
    names.length === 1
      ? `${names[0]} is filled for ${when}. Submit without it, or choose another role.`
      : `Filled for ${when}: ${names.join(LIST_SEPARATOR)}. Submit without them, or choose another role.`
  return new UserError('invalid', message, [{ path: 'volunteerRoles', message }])
}
