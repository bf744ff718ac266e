import { millisecondsInDay } from 'date-fns/constants'
import { and, eq, gt, isNotNull, isNull, ne, or, type SQL } from 'drizzle-orm'
import * as z from 'zod/mini'
import { audit } from '#db/audit.ts'
import { type Call, isOpenMode, parseInput } from '#db/call.ts'
import { db, type Transaction, transaction } from '#db/storage/client.ts'
import { administrators, passkeys, sessions } from '#db/tables/access.ts'
import { type Administrator, administratorChange, newAdministrator } from '#db/values/access.ts'
import { UserError } from '#db/values/errors.ts'
import { idText } from '#db/values/schemas.ts'
import { hashOfToken, newToken } from './tokens.ts'

/** How long an invitation link works. */
const INVITATION_TTL_MS = 7 * millisecondsInDay

type Row = typeof administrators.$inferSelect
type Change = Partial<Omit<z.output<typeof administratorChange>, 'id'>>
/** `key` is the secret of the link. It cannot be read again: only its hash is stored. */
type Invitation = { id: number; key: string }

export const isPresent = isNull(administrators.removedAt)

/** Those who are not removed, in the order in which they were invited. */
export async function listAdministrators(): Promise<Administrator[]> {
  const present = await db.select().from(administrators).where(isPresent).orderBy(administrators.id)
  return present.map(shown)
}

/**
 * Stores a person who has no way to sign in yet, and makes the link that gives them one. On an open site a command may
 * invite an owner, which guards it.
 * @throws UserError 'conflict' when another administrator has the email, and while the site is open.
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

const renewInvitationInput = z.object({ id: idText })

/**
 * Makes a new link for a person who has not accepted the last one, or has lost every way to sign in. The earlier link
 * ends; what the person signs in with stays until the new one is accepted.
 * @throws UserError 'not-found' when there is no such administrator.
 */
export async function renewInvitation(input: unknown, call: Call) {
  const { id } = parseInput(renewInvitationInput, input)
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
 * the sessions of the person, and that of an owner all open invitations; a new email ends the own one, whose link went to
 * the address before.
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
      await endLinksKnownTo(tx, before, call)
    }
    if (after.email === before.email || before.invitationHash === null) return shown(after)
    const ended = endedInvitation(call)
    await tx.update(administrators).set(ended).where(eq(administrators.id, id))
    return shown({ ...after, ...ended })
  })
}

const removeAdministratorInput = z.object({ id: idText })

/**
 * Removes a person, who is signed out everywhere with the next request. The name stays, for the audit. With an owner all
 * open invitations end.
 * @throws UserError 'not-found' when there is no such administrator, 'conflict' for the last owner, and for the owner of
 * ADMIN_PASSWORD.
 */
export async function removeAdministrator(input: unknown, call: Call): Promise<void> {
  const { id } = parseInput(removeAdministratorInput, input)
  await transaction(async (tx) => {
    await assertStillOwner(tx, call)
    const before = await findPresent(tx, id)
    await assertNotNeeded(tx, before)
    const nothing = { email: null, passwordHash: null, invitationHash: null, invitationEndsAt: null }
    const removed = { ...nothing, removedAt: call.now.getTime() }
    await tx.update(administrators).set(removed).where(eq(administrators.id, id))
    await tx.delete(passkeys).where(eq(passkeys.administratorId, id))
    await tx.delete(sessions).where(eq(sessions.administratorId, id))
    await endLinksKnownTo(tx, before, call)
    await audit(tx, call, 'administrator removed', `administrator ${id}`)
  })
}

/** An owner who leaves may have kept a link that was made for someone else. */
async function endLinksKnownTo(tx: Transaction, { role, seenAt }: Row, call: Call): Promise<void> {
  if (role !== 'owner' || seenAt === null) return
  await tx.update(administrators).set(endedInvitation(call)).where(isNotNull(administrators.invitationHash))
}

/**
 * Stores what differs. The audit names it without personal data, e.g. `administrator 3 name role=clerk`.
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

/** Stores a new one; returns the id. */
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

/** Who may accept the invitation of a key, until it is used, over or replaced. */
export function isInvited(key: string, { now }: Call): SQL | undefined {
  const isOpen = gt(administrators.invitationEndsAt, now.getTime())
  return and(eq(administrators.invitationHash, hashOfToken(key)), isOpen, isPresent)
}

async function assertFreeEmail(tx: Transaction, email: string): Promise<void> {
  if ((await tx.$count(administrators, eq(administrators.email, email))) === 0) return
  throw new UserError('email-taken').at('email')
}

/**
 * The caller may have been removed or demoted since the request began, e.g. by the owner whom this call removes; and the
 * site may have been open then, when everyone was an owner.
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

/** An owner who is removed or demoted must leave another one who can sign in. */
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

/** Shown as one that is over. */
function endedInvitation({ now }: Call) {
  return { invitationHash: null, invitationEndsAt: now.getTime() }
}

function shown({ id, name, email, role, seesContacts, prayers, seenAt, invitationEndsAt }: Row): Administrator {
  const moment = (at: number | null) => (at === null ? null : new Date(at).toISOString())
  const known = { id, name, email, role, seesContacts, prayers }
  return { ...known, seenAt: moment(seenAt), invitedUntil: moment(invitationEndsAt) }
}
