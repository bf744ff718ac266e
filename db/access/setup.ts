import { readFile } from 'node:fs/promises'
import { and, eq, like } from 'drizzle-orm'
import * as z from 'zod/mini'
import { audit } from '#db/audit.ts'
import { type Call, isOpenMode, parseInput } from '#db/call.ts'
import type { Config } from '#db/config/config.ts'
import { rsvpCommand } from '#db/config/places.ts'
import { db, type Transaction, transaction } from '#db/storage/client.ts'
import { administrators, allowances, isPresent, sessions } from '#db/tables/access.ts'
import { errorCodeOf, UserError } from '#db/values/errors.ts'
import { emailAddress, newPassword } from '#db/values/schemas.ts'
import { isLoopback } from '#db/values/url.ts'
import { storeAdministrator } from './administrators.ts'
import { assertUncommon, hashPassword, isPasswordOf } from './password.ts'

/** The name of an owner who has never given one. */
export const UNNAMED = 'Administrator'

const anyAdministrator = db.select({ id: administrators.id }).from(administrators).where(isPresent).limit(1).prepare()

/** Whether there is an administrator. If so, only a signed-in one may administer the site. */
export async function isGuarded() {
  return (await anyAdministrator.all()).length > 0
}

type AccessState = { mode: 'open' | 'guarded'; signedIn: boolean }

/** Whether a browser has to show the sign-in form. */
export async function getAccess(call: Call): Promise<AccessState> {
  return {
    mode: isOpenMode(call) ? 'open' : 'guarded',
    signedIn: call.administrator !== undefined,
  }
}

const setPasswordInput = z.object({ email: z.optional(emailAddress.check(z.toLowerCase())), password: newPassword })

/**
 * Sets the password of the administrator with this email, or of the only one, and ends their sessions. An open site gets
 * its first owner. Also ends the waits after wrong passwords.
 * @throws UserError 'invalid' for a password that is too common, and without an email if there are several administrators;
 * 'not-found' if none has the email; 'conflict' if the password comes from ADMIN_PASSWORD.
 */
export async function setPassword(input: unknown, call: Call): Promise<void> {
  const { email, password } = parseInput(setPasswordInput, input)
  await assertUncommon(password)
  const hash = await hashPassword(password)
  await transaction(async (tx) => {
    const isNamed = email === undefined ? isPresent : and(isPresent, eq(administrators.email, email))
    const [found, ...others] = await tx.select().from(administrators).where(isNamed)
    if (others.length > 0)
      throw new UserError('invalid', 'There are several administrators. Say whose password it is, with --of EMAIL.')
    if (email !== undefined && found === undefined)
      throw new UserError('not-found', `No administrator has the email ${email}.`)
    // The next start would bring back the old password, which others may know.
    if (email !== undefined && found?.isFromSettings) {
      const todo = 'Change it there, and restart the site.'
      throw new UserError('conflict', `This password comes from ADMIN_PASSWORD. ${todo}`)
    }
    await storePassword(tx, found?.id ?? (await addUnnamedOwner(tx, call)), hash, call)
  })
}

const applyPasswordInput = z.optional(newPassword)

/**
 * Makes ADMIN_PASSWORD the password of the owner without an email, who is added if the site has no administrator.
 * @returns whether the password is used.
 */
export async function applyPassword(input: unknown, call: Call): Promise<boolean> {
  const password = parseInput(applyPasswordInput, input)
  const present = await db.select().from(administrators).where(isPresent)
  const owner = ownerForSettings(present)
  if (password === undefined) {
    if (owner?.isFromSettings) await transaction((tx) => markFromSettings(tx, owner.id, false))
    return false
  }
  const isSame = owner?.passwordHash != null && (await isPasswordOf(owner.passwordHash, password))
  if (isSame && owner.isFromSettings) return true
  const hash = isSame ? undefined : await hashPassword(password)
  return transaction(async (tx) => {
    // Another instance that starts at the same time may have added the owner meanwhile.
    const current = await tx.select().from(administrators).where(isPresent)
    const currentOwner = ownerForSettings(current)
    if (currentOwner === undefined && current.length > 0) return false
    const id = currentOwner?.id ?? (await addUnnamedOwner(tx, call))
    await markFromSettings(tx, id, true)
    if (hash !== undefined) await storePassword(tx, id, hash, call)
    return true
  })
}

/**
 * The password from ADMIN_PASSWORD, or from the first line of ADMIN_PASSWORD_FILE; undefined if neither is set.
 * @throws UserError 'configuration' when both are set, or the file holds no usable password.
 */
export async function givenPassword({ adminPassword, adminPasswordFile: file }: Config): Promise<string | undefined> {
  const refused = (reason: string) => new UserError('configuration', reason)
  if (file === undefined) return adminPassword
  if (adminPassword !== undefined) throw refused('Give ADMIN_PASSWORD or ADMIN_PASSWORD_FILE, not both.')
  const text = await readFile(file, 'utf8').catch((error) => {
    const reason = `cannot be read (${errorCodeOf(error)}). Check the path and who may read it.`
    throw refused(`The password in ${file} (ADMIN_PASSWORD_FILE) ${reason}`)
  })
  const password = firstLine(text)
  if (newPassword.safeParse(password).success) return password
  const reason = 'cannot be the password. Give 12 to 128 characters.'
  throw refused(`The first line of ${file} (ADMIN_PASSWORD_FILE) ${reason}`)
}

/** The password in a file or from a pipe, without the line break after it. */
export function firstLine(text: string): string {
  return text.replace(/\r?\n.*/s, '')
}

/**
 * Why the site may not start in open mode with these settings, in a sentence that says what to do; undefined when it may.
 * Anyone who reaches an open site can administer it, so other computers must not reach it unless RSVP_ACCESS says so.
 */
export function openModeRefusal(config: Config): string | undefined {
  const exposed = exposedBy(config)
  if (config.openToNetwork || exposed === undefined) return undefined
  return (
    `${exposed} can be reached from other machines, and no admin password is set. Set one with \`${rsvpCommand} password\`,\n` +
    'or set RSVP_ACCESS=open if everyone who can reach this address may administer the site.'
  )
}

/** The setting that lets other machines reach the site, e.g. `HOST=0.0.0.0`; undefined if none does. */
export function exposedBy({ host, publicUrl }: Config): string | undefined {
  if (!isLoopback(host)) return `HOST=${host}`
  if (publicUrl === undefined || isLoopback(new URL(publicUrl).hostname)) return undefined
  return `PUBLIC_URL=${publicUrl}`
}

function ownerForSettings(present: (typeof administrators.$inferSelect)[]) {
  return (
    present.find(({ isFromSettings }) => isFromSettings) ??
    present.find(({ email, role }) => email === null && role === 'owner')
  )
}

async function markFromSettings(tx: Transaction, id: number, isFromSettings: boolean): Promise<void> {
  await tx.update(administrators).set({ isFromSettings }).where(eq(administrators.id, id))
}

function addUnnamedOwner(tx: Transaction, call: Call): Promise<number> {
  return storeAdministrator(tx, { name: UNNAMED, role: 'owner' }, call)
}

/** Also ends the person's sessions and invitation, and forgets everyone's wrong passwords. */
async function storePassword(tx: Transaction, id: number, passwordHash: string, call: Call): Promise<void> {
  const set = { passwordHash, invitationHash: null, invitationEndsAt: null }
  await tx.update(administrators).set(set).where(eq(administrators.id, id))
  await tx.delete(sessions).where(eq(sessions.administratorId, id))
  await tx.delete(allowances).where(like(allowances.name, 'sign-in %'))
  await audit(tx, call, 'password set', `administrator ${id}`)
}
