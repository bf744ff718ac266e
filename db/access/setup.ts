import { readFile } from 'node:fs/promises'
import { and, eq, like } from 'drizzle-orm'
import * as z from 'zod/mini'
import { audit } from '#db/audit.ts'
import { type Call, isOpenMode, parseInput } from '#db/call.ts'
import type { Config } from '#db/config/config.ts'
import { rsvpCommand } from '#db/config/places.ts'
import { db, type Transaction, transaction } from '#db/storage/client.ts'
import { administrators, allowances, sessions } from '#db/tables/access.ts'
import { errorCodeOf, UserError } from '#db/values/errors.ts'
import { emailAddress, newPassword } from '#db/values/schemas.ts'
import { isLoopback } from '#db/values/url.ts'
import { isPresent, storeAdministrator } from './administrators.ts'
import { assertUncommon, hashPassword, isPasswordOf } from './password.ts'

/** The name of an owner who has only ever been known by a password. */
export const UNNAMED = 'Administrator'

const guards = db.select({ id: administrators.id }).from(administrators).where(isPresent).limit(1).prepare()

/** Whether there is an administrator: then only a signed-in one may administer. */
export async function isGuarded() {
  return (await guards.all()).length > 0
}

type AccessState = { mode: 'open' | 'guarded'; signedIn: boolean }

/** What a browser asks to know whether it has to show the sign-in form. */
export async function getAccess(call: Call): Promise<AccessState> {
  return {
    mode: isOpenMode(call) ? 'open' : 'guarded',
    signedIn: call.administrator !== undefined,
  }
}

const setPasswordInput = z.object({ email: z.optional(emailAddress.check(z.toLowerCase())), password: newPassword })

/**
 * Sets the password of the administrator with this email, or of the only one, and ends their sessions; on an open site it
 * makes an owner first. Waits after wrong passwords end too.
 * @throws UserError 'invalid' for a password that is too common, and without an email if there are several administrators;
 * 'not-found' if none has the email; 'conflict' for one whose password comes from ADMIN_PASSWORD.
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
    // The next start would bring the old one back, which may be known to others.
    if (email !== undefined && found?.isFromSettings) {
      const todo = 'Change it there, and restart the site.'
      throw new UserError('conflict', `This password comes from ADMIN_PASSWORD. ${todo}`)
    }
    await storePassword(tx, found?.id ?? (await addUnnamedOwner(tx, call)), hash, call)
  })
}

const applyPasswordInput = z.optional(newPassword)

/**
 * Makes ADMIN_PASSWORD the password of the owner that it guards the site with. A site that has other administrators
 * already does not get another one.
 * @returns whether it is used.
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
    const now = await tx.select().from(administrators).where(isPresent)
    const meant = ownerForSettings(now)
    if (meant === undefined && now.length > 0) return false
    const id = meant?.id ?? (await addUnnamedOwner(tx, call))
    await markFromSettings(tx, id, true)
    if (hash !== undefined) await storePassword(tx, id, hash, call)
    return true
  })
}

/**
 * The password that the settings give, if there is one: itself, or as the first line of a file.
 * @throws UserError 'configuration' when both are given, or when the file holds none.
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

/** A password from a file or a pipe: its line break is not part of it. */
export function firstLine(text: string): string {
  return text.replace(/\r?\n.*/s, '')
}

/**
 * Why the site may not start in open mode with these settings, in a sentence that says what to do; undefined when it
 * may. Everyone who reaches the site can administer it, so it has to be reachable from this computer only, or be meant
 * to be open.
 */
export function openModeRefusal(config: Config): string | undefined {
  const exposed = exposedBy(config)
  if (config.openToNetwork || exposed === undefined) return undefined
  return (
    `${exposed} can be reached from other machines, and no admin password is set. Set one with \`${rsvpCommand} password\`,\n` +
    'or set RSVP_ACCESS=open if everyone who can reach this address may administer the site.'
  )
}

/** The setting by which other machines reach the site, e.g. `HOST=0.0.0.0`; undefined if they do not. */
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

/** Also ends the sessions and the invitation of this person, and every wait after wrong passwords. */
async function storePassword(tx: Transaction, id: number, passwordHash: string, call: Call): Promise<void> {
  const set = { passwordHash, invitationHash: null, invitationEndsAt: null }
  await tx.update(administrators).set(set).where(eq(administrators.id, id))
  await tx.delete(sessions).where(eq(sessions.administratorId, id))
  await tx.delete(allowances).where(like(allowances.name, 'sign-in %'))
  await audit(tx, call, 'password set', `administrator ${id}`)
}
