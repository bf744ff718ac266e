import { timingSafeEqual } from 'node:crypto'
import { eq } from 'drizzle-orm'
import * as z from 'zod/mini'
import { UserError } from '#db/errors.ts'
import { operation } from '#db/operation.ts'
import { type KeyedHash, readKeyedHash } from '#db/secret/keyed-hash.ts'
import { db, transaction } from '#db/storage/client.ts'
import { mailStops } from './table.ts'

export const STOP_PATH = '/mail/stop'

const stopRequest = z.object({ key: z.catch(z.string(), '') })

/** Stands for an address. A mailbox has many: with `+` something may follow its name. */
export function hashOfAddress(address: string, hash: KeyedHash): string {
  return hash('address', address.toLowerCase().replace(/\+[^@]*@/, '@'))
}

/** The page that stops messages to an address, which it does not contain. Only who got a message can know its key. */
export function stopPath(address: string, hash: KeyedHash): string {
  const addressHash = hashOfAddress(address, hash)
  return `${STOP_PATH}?key=${addressHash}.${hash('stop', addressHash)}`
}

export async function isStopped(address: string, hash: KeyedHash): Promise<boolean> {
  return (await db.$count(mailStops, eq(mailStops.addressHash, hashOfAddress(address, hash)))) > 0
}

/** Sends no more messages to the address of the key. @throws UserError 'not-found' if the site has not made the key. */
export const stopMail = operation(stopRequest, async ({ key }, { now }): Promise<void> => {
  const addressHash = await readKey(key)
  const stop = { addressHash, createdAt: now.toISOString() }
  await transaction((tx) => tx.insert(mailStops).values(stop).onConflictDoNothing(), { repeatable: true })
})

/** Takes that back. @throws UserError 'not-found' if the site has not made the key. */
export const allowMail = operation(stopRequest, async ({ key }): Promise<void> => {
  const addressHash = await readKey(key)
  await transaction((tx) => tx.delete(mailStops).where(eq(mailStops.addressHash, addressHash)), { repeatable: true })
})

async function readKey(key: string): Promise<string> {
  const [addressHash = '', sent = ''] = key.split('.')
  const hash = await readKeyedHash()
  const [one, other] = [sent, hash('stop', addressHash)].map((text) => Buffer.from(text))
  if (one !== undefined && other !== undefined && one.length === other.length && timingSafeEqual(one, other))
    return addressHash
  throw new UserError('not-found', 'This link does not work. Open it from the message once more, whole.')
}
