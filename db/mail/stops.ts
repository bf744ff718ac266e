import { domainToASCII } from 'node:url'
import { eq } from 'drizzle-orm'
import * as z from 'zod/mini'
import { type Call, parseInput } from '#db/call.ts'
import { type KeyedHash, readKeyedHash } from '#db/keyed-hash.ts'
import { db, transaction } from '#db/storage/client.ts'
import { mailStops } from '#db/tables/mail.ts'
import { UserError } from '#db/values/errors.ts'

const STOP_PATH = '/mail/stop'
const STOP_KEY = /([\w-]{43})\.([\w-]{43})(?![a-z\d])/i

const stopRequest = z.object({ key: z.catch(z.string(), ''), stopped: z.optional(z.boolean()) })

/**
 * One name for all addresses of a mailbox: they differ in case, in a tag after a `+`, in Unicode or ASCII and, at Gmail, in
 * dots.
 */
function mailboxOf(address: string): string {
  const at = address.lastIndexOf('@')
  const domain = domainToASCII(address.slice(at + 1)).replace(/^googlemail\.com$/, 'gmail.com')
  const name = address
    .slice(0, at)
    .toLowerCase()
    .replaceAll('"', '')
    .replace(/(.)\+.*/, '$1')
  return `${domain === 'gmail.com' ? name.replaceAll('.', '') : name}@${domain}`
}

/** Identifies the mailbox of an address. */
export function hashOfAddress(address: string, hash: KeyedHash): string {
  return hash('address', mailboxOf(address))
}

/** The page that stops messages to an address. Its key does not reveal the address, and only the recipient knows it. */
export function stopPath(address: string, hash: KeyedHash): string {
  const addressHash = hashOfAddress(address, hash)
  return `${STOP_PATH}?key=${addressHash}.${hash('stop', addressHash)}`
}

export async function isStopped(address: string, hash: KeyedHash): Promise<boolean> {
  return (await db.$count(mailStops, eq(mailStops.addressHash, hashOfAddress(address, hash)))) > 0
}

/**
 * Whether messages to the address of this key are stopped. Changes that first if `stopped` is given.
 * @throws UserError 'not-found' for a key that this site has not made.
 */
export async function changeMailStop(input: unknown, { now }: Call): Promise<boolean> {
  const { key, stopped } = parseInput(stopRequest, input)
  const hash = await readKeyedHash()
  // Mail programs break long links, and add the characters after them.
  const [, addressHash = '', signature = ''] = STOP_KEY.exec(key.replace(/[\s\p{Cf}]/gu, '')) ?? []
  // Compared as hashes, so that timing reveals nothing.
  if (hash('stop', signature) !== hash('stop', hash('stop', addressHash))) throw new UserError('no-such-stop')
  const isThis = eq(mailStops.addressHash, addressHash)
  const stop = { addressHash, createdAt: now.toISOString() }
  if (stopped === true) await transaction((tx) => tx.insert(mailStops).values(stop).onConflictDoNothing())
  if (stopped === false) await transaction((tx) => tx.delete(mailStops).where(isThis))
  return (await db.$count(mailStops, isThis)) > 0
}
