import { millisecondsInDay } from 'date-fns/constants'
import { and, eq, gt, isNotNull, ne, or, type SQL } from 'drizzle-orm'
import * as z from 'zod/mini'
import { audit } from '#db/audit.ts'
import { type Call, isOpenMode, parseInput } from '#db/call.ts'
import { db, type Transaction, transaction } from '#db/storage/client.ts'
import { administrators, isPresent, passkeys, sessions } from '#db/tables/access.ts'
import { type Administrator, administratorChange, newAdministrator } from '#db/values/access.ts'
import { UserError } from '#db/values/errors.ts'
import { idText } from '#db/values/schemas.ts'
import { hashOfToken, newToken } from './tokens.ts'

const INVITATION_TTL_MS = 7 * millisecondsInDay

type Row = typeof administrators.$inferSelect
type Change = Partial<Omit<z.output<typeof administratorChange>, 'id'>>
/** `key` is the secret of the link, of which only the hash is stored. */
type Invitation = { id: number; key: string }

/** The administrators who are not removed, in the order of their invitations. */
export async function listAdministrators(): Promise<Administrator[]> {
  const present = await db.select().from(administrators).where(isPresent).orderBy(administrators.id)
  return present.map(shown)
}

/**
 * Stores a person who cannot sign in yet, and makes the link by which they choose how. On an open site, only a command may
 * invite, and only an owner, who then guards the site.
 * @throws UserError 'conflict' when another administrator has the email, and in open mode.
 */
export async function inviteAdministrator(input: unknown, call: Call) {
  const invited = parseInput(newAdministrator, input)
  return transaction(async (tx): Promise<Invitation> => {
    await assertStillOwner(tx, call)
    if (invited.role !== 'owner' && (await tx.$count(administrators, isPresent)) === 0)
      throw new UserError('conflict', 'This site has no owner yet. Invite an owner first.')
    await assertFreeEmail(tx, invited.email)
    const { key, ...invitation } = newInvitation(call)
    const id = await storeAdministrator(tx, { ...invited, ...invitation }, call)
    await audit(tx, call, 'administrator invited', `administrator ${id} role=${invited.role}`)
    return { id, key }
  })
}

const administratorId = z.object({ id: idText })

/**
 * Makes a new link for a person who has not accepted the last one, or can no longer sign in. The earlier link ends; the
 * password and passkeys stay until the new link is accepted.
 * @throws UserError 'not-found' when there is no such administrator.
 */
export async function renewInvitation(input: unknown, call: Call) {
  const { id } = parseInput(administratorId, input)
  return transaction(async (tx): Promise<Invitation> => {
    await assertStillOwner(tx, call)
    await findPresent(tx, id)
    const { key, ...invitation } = newInvitation(call)
    await tx.update(administrators).set(invitation).where(eq(administrators.id, id))
    await audit(tx, call, 'administrator invited', `administrator ${id}`)
    return { id, key }
  })
}

/**
 * Changes the name, the email, the role, what a reader sees, or which prayer requests the person reads. A new role ends
 * the person's sessions and, if they were an owner, all open invitations. A new email ends the person's own invitation,
 * whose link went to the earlier address.
 * @throws UserError 'not-found' when there is no such administrator, 'conflict' when another one has the email, for the
 * last owner, and for the owner of ADMIN_PASSWORD.
 */
export async function changeAdministrator(input: unknown, call: Call) {
  const { id, ...change } = parseInput(administratorChange, input)
  return transaction(async (tx): Promise<Administrator> => {
    await assertStillOwner(tx, call)
    const before = await findPresent(tx, id)
    const isNewRole = change.role !== undefined && change.role !== before.role
    if (isNewRole) await assertNotNeeded(tx, before)
    const after = await storeChange(tx, before, change, call)
    if (isNewRole) {
      await tx.delete(sessions).where(eq(sessions.administratorId, id))
      await endInvitationsKnownTo(tx, before, call)
    }
    if (after.email === before.email || before.invitationHash === null) return shown(after)
    const ended = endedInvitation(call)
    await tx.update(administrators).set(ended).where(eq(administrators.id, id))
    return shown({ ...after, ...ended })
  })
}

/**
 * Removes a person and signs them out everywhere. The name stays for the audit. If the person is an owner, all open
 * invitations end.
 * @throws UserError 'not-found' when there is no such administrator, 'conflict' for the last owner, and for the owner of
 * ADMIN_PASSWORD.
 */
export async function removeAdministrator(input: unknown, call: Call): Promise<void> {
  const { id } = parseInput(administratorId, input)
  await transaction(async (tx) => {
    await assertStillOwner(tx, call)
    const before = await findPresent(tx, id)
    await assertNotNeeded(tx, before)
    const nothing = { email: null, passwordHash: null, invitationHash: null, invitationEndsAt: null }
    const removed = { ...nothing, removedAt: call.now.getTime() }
    await tx.update(administrators).set(removed).where(eq(administrators.id, id))
    await tx.delete(passkeys).where(eq(passkeys.administratorId, id))
    await tx.delete(sessions).where(eq(sessions.administratorId, id))
    await endInvitationsKnownTo(tx, before, call)
    await audit(tx, call, 'administrator removed', `administrator ${id}`)
  })
}

/** An owner who leaves may have kept a link that they made for someone else. */
async function endInvitationsKnownTo(tx: Transaction, { role, seenAt }: Row, call: Call): Promise<void> {
  if (role !== 'owner' || seenAt === null) return
  await tx.update(administrators).set(endedInvitation(call)).where(isNotNull(administrators.invitationHash))
}

/**
 * Stores the fields that differ, and audits them without personal data, e.g. `administrator 3 name role=clerk`.
 * @throws UserError 'conflict' with a field `email` when another administrator has it.
 */
export async function storeChange(tx: Transaction, before: Row, change: Change, call: Call): Promise<Row> {
  const { name = before.name, email = before.email, role = before.role } = change
  const { seesContacts = before.seesContacts, prayers = before.prayers } = change
  const changed = { name, email, role, seesContacts, prayers }
  const named = (['name', 'email'] as const).filter((field) => changed[field] !== before[field])
  const valued = (['role', 'seesContacts', 'prayers'] as const).filter((field) => changed[field] !== before[field])
  const what = [...named, ...valued.map((field) => `${field}=${changed[field]}`)]
  if (what.length === 0) return before
  if (email !== null && email !== before.email) await assertFreeEmail(tx, email)
  await tx.update(administrators).set(changed).where(eq(administrators.id, before.id))
  await audit(tx, call, 'administrator changed', `administrator ${before.id} ${what.join(' ')}`)
  return { ...before, ...changed }
}

/** @returns the id of the new administrator. */
export async function storeAdministrator(
  tx: Transaction,
  row: Omit<typeof administrators.$inferInsert, 'createdAt'>,
  { now }: Call,
): Promise<number> {
  const stored = { ...row, createdAt: now.getTime() }
  const [added] = await tx.insert(administrators).values(stored).returning({ id: administrators.id })
  if (added === undefined) throw new Error('The administrator was not stored.')
  return added.id
}

/** Selects the administrator whose open invitation has this key. */
export function isInvited(key: string, { now }: Call): SQL | undefined {
  const isCurrent = gt(administrators.invitationEndsAt, now.getTime())
  return and(eq(administrators.invitationHash, hashOfToken(key)), isCurrent, isPresent)
}

async function assertFreeEmail(tx: Transaction, email: string): Promise<void> {
  if ((await tx.$count(administrators, eq(administrators.email, email))) === 0) return
  throw new UserError('email-taken').at('email')
}

/**
 * Checks again inside the transaction. Since the request began, the caller may have been removed or demoted, e.g. by the
 * owner whom this call removes, and an open site, where everyone is an owner, may have been guarded.
 */
async function assertStillOwner(tx: Transaction, call: Call): Promise<void> {
  if (isOpenMode(call)) throw new UserError('still-open')
  const { administrator } = call
  if (administrator === undefined) return
  const isOwner = and(eq(administrators.id, administrator.id), eq(administrators.role, 'owner'), isPresent)
  if ((await tx.$count(administrators, isOwner)) === 0) throw new UserError('no-longer-owner')
}

async function findPresent(tx: Transaction, id: number): Promise<Row> {
  const [found] = await tx
    .select()
    .from(administrators)
    .where(and(eq(administrators.id, id), isPresent))
  if (found === undefined) throw new UserError('no-such-administrator')
  return found
}

/** Refuses to remove or demote the last owner who can sign in. */
async function assertNotNeeded(tx: Transaction, { id, role, isFromSettings }: Row): Promise<void> {
  if (isFromSettings) throw new UserError('owner-of-settings')
  if (role !== 'owner') return
  const isOtherOwner = and(isPresent, eq(administrators.role, 'owner'), ne(administrators.id, id))
  const canSignIn = or(isNotNull(administrators.passwordHash), isNotNull(passkeys.id))
  const [other] = await tx
    .select({ id: administrators.id })
    .from(administrators)
    .leftJoin(passkeys, eq(passkeys.administratorId, administrators.id))
    .where(and(isOtherOwner, canSignIn))
    .limit(1)
  if (other === undefined) throw new UserError('last-owner')
}

function newInvitation({ now }: Call) {
  const key = newToken()
  return { key, invitationHash: hashOfToken(key), invitationEndsAt: now.getTime() + INVITATION_TTL_MS }
}

/** The columns of an invitation that has ended; the screen shows it as expired. */
function endedInvitation({ now }: Call) {
  return { invitationHash: null, invitationEndsAt: now.getTime() }
}

function shown({ id, name, email, role, seesContacts, prayers, seenAt, invitationEndsAt }: Row): Administrator {
  const iso = (moment: number | null) => (moment === null ? null : new Date(moment).toISOString())
  const invitedUntil = iso(invitationEndsAt)
  return { id, name, email, role, seesContacts, prayers, seenAt: iso(seenAt), invitedUntil }
}
