import { timingSafeEqual } from 'node:crypto'
import { eq } from 'drizzle-orm'
import * as z from 'zod/mini'
import { UserError } from '#db/errors.ts'
import { operation } from '#db/operation.ts'
import { type KeyedHash, readKeyedHash } from '#db/secret/keyed-hash.ts'
import { db, transaction } from '#db/storage/client.ts'
import { mailStops } from './table.ts'

const STOP_PATH = '/mail/stop'

const stopRequest = z.object({ key: z.catch(z.string(), ''), stopped: z.optional(z.boolean()) })

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

/**
 * Whether messages to the address of the key are stopped; with `stopped`, changes that.
 * @throws UserError 'not-found' if the site has not made the key.
 */
export const changeMailStop = operation(stopRequest, async ({ key, stopped }, { now }): Promise<boolean> => {
  const addressHash = await readKey(key)
  const isThis = eq(mailStops.addressHash, addressHash)
  if (stopped === undefined) return (await db.$count(mailStops, isThis)) > 0
  const stop = { addressHash, createdAt: now.toISOString() }
  await transaction(
    async (tx) => {
      if (stopped) await tx.insert(mailStops).values(stop).onConflictDoNothing()
      else await tx.delete(mailStops).where(isThis)
    },
    { repeatable: true },
  )
  return stopped
})

async function readKey(key: string): Promise<string> {
  const [addressHash = '', sent = ''] = key.split('.')
  const hash = await readKeyedHash()
  const [one, other] = [sent, hash('stop', addressHash)].map((text) => Buffer.from(text))
  if (one !== undefined && other !== undefined && one.length === other.length && timingSafeEqual(one, other))
    return addressHash
  throw new UserError('not-found', 'This link does not work. Open it from the message once more, whole.')
}
