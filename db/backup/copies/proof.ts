import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { Copies } from '#db/config/config.ts'
import { readKeyedHash } from '#db/secret/keyed-hash.ts'
import { hasSentCopies } from './history.ts'
import type { Proof } from './judge.ts'

const KEPT_KEY = /^# verification key: ([\w-]{43})$/m
/** 128 bits in hex, which every file system keeps. */
const MARK_LENGTH = 32

/** The key of this site, with which it marks its copies. */
export async function readProofKey(): Promise<string> {
  return (await readKeyedHash())('copy', 'key')
}

/** As it is kept beside the identity, where it outlives the database. */
export function keptProofKey(key: string): string {
  return `# verification key: ${key}\n`
}

/**
 * The keys that tell here whether a copy is one of ours: that beside the identity, and that of the open database, unless it
 * has never sent one, as after the loss of the one that did.
 */
export async function findProofKeys({ identityFile }: Copies, isOpen: boolean): Promise<string[]> {
  const kept = identityFile && KEPT_KEY.exec(await readFile(identityFile, 'utf8').catch(() => ''))?.[1]
  const own = isOpen && (await hasSentCopies()) ? [await readProofKey()] : []
  return kept ? [kept, ...own] : own
}

/** What a copy has in its name: only who has the key can make it for this beginning of the name and these bytes. */
export function markOf(beginning: string, hash: string, key: string): string {
  return createHmac('sha256', key).update(`${beginning} ${hash}`).digest('hex').slice(0, MARK_LENGTH)
}

/** @param mark undefined for a copy of the first versions, and for a file that has been given another name. */
export function prove(
  { beginning, mark }: { beginning: string; mark?: string | undefined },
  hash: string,
  keys: string[],
): Proof {
  if (keys.length === 0) return 'unproved'
  if (mark === undefined) return 'unmarked'
  const isOurs = keys.some((key) => timingSafeEqual(Buffer.from(markOf(beginning, hash, key)), Buffer.from(mark)))
  return isOurs ? 'proved' : 'forged'
}

export async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}
