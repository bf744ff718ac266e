import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { Copies } from '#db/config/config.ts'
import { readKeyedHash } from '#db/secret/keyed-hash.ts'
import { hasSentCopies } from './history.ts'
import type { Proof } from './judge.ts'

const KEPT_KEY = /^# verification key: ([\w-]{43})$/m
/** 128 bits in hex, which every file system accepts in a name. */
const MARK_LENGTH = 32

/** The key with which this site marks its copies. */
export async function readProofKey(): Promise<string> {
  return (await readKeyedHash())('copy', 'key')
}

/** The line kept beside the identity, where it outlives the database. */
export function keptProofKey(key: string): string {
  return `# verification key: ${key}\n`
}

/**
 * The keys that verify our copies: the one beside the identity, and that of the open database, unless it has never sent
 * a copy, e.g. because it replaces a lost one.
 */
export async function findProofKeys({ identityFile }: Copies, isOpen: boolean): Promise<string[]> {
  const kept = identityFile && KEPT_KEY.exec(await readFile(identityFile, 'utf8').catch(() => ''))?.[1]
  const own = isOpen && (await hasSentCopies()) ? [await readProofKey()] : []
  return kept ? [kept, ...own] : own
}

/** The mark in a copy's name: only a holder of the key can compute it for this beginning and these bytes. */
export function markOf(beginning: string, hash: string, key: string): string {
  return createHmac('sha256', key).update(`${beginning} ${hash}`).digest('hex').slice(0, MARK_LENGTH)
}

/** @param mark undefined for a copy of the first versions, and for a renamed file. */
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
