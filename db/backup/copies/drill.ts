import { createWriteStream } from 'node:fs'
import { basename } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Examine } from '#db/backup/copy.ts'
import { isBackupName, listBackups, momentOfBackup, newestCopy, newestOf, readCopyName } from '#db/backup/names.ts'
import type { Config, Copies } from '#db/config/config.ts'
import { type ErrorCode, UserError } from '#db/errors.ts'
import { errorCodeOf } from '#db/process/errors.ts'
import { makePrivateFile, openRegularFile, withTemporaryFile } from '#db/process/files.ts'
import { decryptFile, readIdentities } from './encryption.ts'
import { findCountsMade, findLastSent } from './history.ts'
import { type Drill, type Finding, judge, type Known, OTHER_ONE, type Proof } from './judge.ts'
import { openPlace } from './open-place.ts'
import { fullHere, type Surroundings } from './place.ts'
import { findProofKeys, hashOf, prove } from './proof.ts'

export type Examinable = { backup: string } | Encrypted

type Request = Surroundings & {
  /** What to examine; by default the newest copy, or the newest backup if no place is set. */
  chosen: Examinable | undefined
  /** In ms; without it any age is fine. */
  maximumAgeMs: number | undefined
  /** The database file; temporary files go beside it. */
  beside: string
  now: Date
  /** Whether the database is open, which knows what was made and sent. */
  isOpen: boolean
  examine: Examine
}

const UNDECRYPTED = { kind: 'damaged', damage: 'it does not decrypt to its end' } as const

/** The finding that an error proves; other errors, e.g. a full local disk, prove none. */
const findingOf: Partial<Record<ErrorCode, Finding>> = {
  damaged: 'damaged',
  forbidden: 'cannot be decrypted',
  unavailable: 'unreachable',
}

/**
 * Restores a backup beside the database and removes it again: it is fetched, decrypted, checked page by page, and counted.
 * @throws UserError 'configuration' if neither a place nor a folder is set, 'full' if there is no room beside the
 * database.
 */
export async function drill(request: Request, config: Config): Promise<Drill> {
  let known: Known | undefined
  const lastSent = request.isOpen ? (await findLastSent(config.copies))?.name : undefined
  const around = { ...request, copies: config.copies, proofKeys: await findProofKeys(config.copies, request.isOpen) }
  try {
    const chosen = request.chosen ?? (await findNewest(request, config))
    if (chosen === undefined) return noneThere(config)
    known = await whatIsKnown(chosen, request, config)
    if ('backup' in chosen) {
      return judge(known, await withCopyBeside(chosen.backup, request, request.examine), request)
    }
    const missing = request.chosen === undefined && findMissing(chosen, lastSent, request.now, config)
    if (missing) return missing
    const isLastSent = lastSent === undefined || basename(known.title) === lastSent
    return await withPlainCopy(chosen, around, async (plain, found) => {
      // This site now marks every copy it sends: a newer one without a mark is not from it.
      const isStrange = found === 'unmarked' && request.chosen === undefined && !isLastSent
      const proof = isStrange ? 'forged' : found
      return judge({ ...known, title: titleOf(chosen, config.copies), proof }, await request.examine(plain), request)
    })
  } catch (error) {
    const finding = error instanceof UserError ? findingOf[error.code] : undefined
    if (finding === undefined || !(error instanceof UserError)) throw error
    if (finding === 'damaged' && known?.isEncrypted) return judge(known, UNDECRYPTED, request)
    return { finding, text: error.message, copy: known?.title, at: known?.moment?.toISOString() }
  }
}

/** An encrypted copy: a local file, or the name of one at the place. */
export type Encrypted = { file: string } | { name: string }

/**
 * Fetches and decrypts a copy into a temporary file for `work`, which is also told whether the copy is ours.
 * @param beside a file; temporary files go into its folder.
 * @throws UserError 'damaged' for a damaged copy, 'forbidden' without an identity that decrypts it, 'unavailable' if
 * the place cannot be reached.
 */
export async function withPlainCopy<Output>(
  encrypted: Encrypted,
  { copies, beside, proofKeys, ...around }: { copies: Copies; beside: string; proofKeys: string[] } & Surroundings,
  work: (plain: string, proof: Proof) => Promise<Output>,
): Promise<Output> {
  const identities = await readIdentities(copies)
  const named = titleOf(encrypted, copies)
  return withTemporaryFile(beside, async (plain) => {
    await makePrivateFile(plain, beside)
    if ('file' in encrypted) return work(plain, await decrypt(encrypted.file, plain))
    const proof = await withTemporaryFile(beside, async (fetched) => {
      await makePrivateFile(fetched, beside)
      await (await openPlace(copies, around)).fetch(encrypted.name, fetched)
      return decrypt(fetched, plain)
    })
    return work(plain, proof)
  })

  async function decrypt(file: string, plain: string): Promise<Proof> {
    const result = await decryptFile(file, plain, identities, around.signal)
    if (result === 'damaged') throw new UserError('damaged', `${named} is damaged. Try another one.`)
    if (result === 'for others') {
      const why = `none of the identities in ${copies.identityFile} fits, or its first lines are damaged`
      throw new UserError('forbidden', `${named} cannot be decrypted: ${why}. Use the identity of that time.`)
    }
    const name = basename(named)
    return prove(readCopyName(name) ?? { beginning: name }, await hashOf(file), proofKeys)
  }
}

export function titleOf(encrypted: Encrypted, { place }: Copies): string {
  return 'file' in encrypted ? encrypted.file : `${place?.title}/${encrypted.name}`
}

async function findNewest(
  { now, ...around }: Request,
  { copies, backupFolder }: Config,
): Promise<Examinable | undefined> {
  if (copies.place !== undefined) {
    const found = await (await openPlace(copies, around)).list()
    return newestCopy(found, now)
  }
  const backup = newestOf(await listBackups(backupFolder ?? ''), now)
  return backup === undefined ? undefined : { backup }
}

/** An older copy proves nothing if a newer one was sent. */
function findMissing(
  chosen: Encrypted,
  lastSent: string | undefined,
  now: Date,
  { copies }: Config,
): Drill | undefined {
  const newest = basename(titleOf(chosen, copies))
  const sentAt = readCopyName(lastSent ?? '')?.moment
  // Names given while the clock was ahead do not sort by age.
  if (lastSent === undefined || newest >= lastSent || (sentAt && sentAt > now)) return undefined
  const text = `${lastSent} is not at ${copies.place?.title}, though it was sent there; the newest is ${newest}. ${OTHER_ONE}`
  return { finding: 'missing', text, copy: titleOf(chosen, copies), at: readCopyName(newest)?.moment.toISOString() }
}

function noneThere({ copies, backupFolder }: Config): Drill {
  const place = copies.place?.title ?? backupFolder
  if (place === undefined) {
    throw new UserError('configuration', 'Set BACKUP_COPY_TO or BACKUP_DIR, or give the file of a backup.')
  }
  return { finding: 'none there', text: `There is no backup at ${place}: run \`rsvp backup\`.` }
}

/** Works on a copy, because opening a database can change its file. */
async function withCopyBeside<Output>(
  backup: string,
  { beside, signal }: Request,
  work: (copy: string) => Promise<Output>,
): Promise<Output> {
  return withTemporaryFile(beside, async (copy) => {
    await makePrivateFile(copy, beside)
    try {
      await pipeline((await openRegularFile(backup)).createReadStream(), createWriteStream(copy), { signal })
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof UserError) throw error
      const code = errorCodeOf(error)
      if (/^(ENOSPC|EDQUOT)$/.test(code)) throw fullHere()
      throw new UserError('unavailable', `${backup} cannot be read (${code}). Look at its disk.`)
    }
    return work(copy)
  })
}

/** The moment is in the name, unless the file was renamed. */
async function whatIsKnown(chosen: Examinable, { isOpen }: Request, { copies }: Config): Promise<Known> {
  if ('backup' in chosen) {
    const { backup } = chosen
    const moment = isBackupName(basename(backup)) ? momentOfBackup(backup) : undefined
    return { title: backup, moment, counts: isOpen ? await findCountsMade(backup) : undefined }
  }
  const title = titleOf(chosen, copies)
  const { moment, counts } = readCopyName(basename(title)) ?? {}
  return { title, isEncrypted: true, moment, counts }
}
