import { type FileHandle, open, rename, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { assertUnsupported, giveToOwner, renameToFree, syncFolder, withTemporaryFile } from '#db/process/files.ts'
import { realPathOf } from '#db/storage/local-file.ts'
import { type CommandError, failure } from '../exit-code.ts'

const permission = 'This account may not write there: give another --out, or the right to write.'

const sentences: Record<string, string> = {
  EACCES: permission,
  EPERM: permission,
  EROFS: 'That place is read-only: give another --out.',
  ENOENT: 'There is no such folder: create it first, or give another --out.',
  ENOTDIR: 'A part of that path is a file, not a folder: give another --out.',
  EISDIR: 'That is a folder: give the name of a file in it with --out.',
  ENOSPC: 'The disk is full: make room, then run it again.',
  EDQUOT: 'Your share of the disk is used up: make room, then run it again.',
}

type Owner = { uid: number; gid: number }

/**
 * Writes a file that only this account can read: first under a temporary name, then, once it is complete and synced to
 * disk, under its own. If that fails, an old file stays unchanged and no partial file is left.
 * @param options root gives a new file to the owner of `like`, by default the folder; with `readersStay` the owner and
 * the group of the old file can read the new one.
 * @throws CommandError 'failed', also if there is a file already that may not be replaced.
 */
export async function writePrivateFile(
  asked: string,
  pieces: AsyncIterable<string | Uint8Array> | Iterable<string>,
  { replace, like = dirname(asked), readersStay = false }: { replace: boolean; like?: string; readersStay?: boolean },
): Promise<void> {
  const file = await realPathOf(asked)
  try {
    await withTemporaryFile(file, async (unfinished) => {
      await refuseTarget(file, replace)
      const made = await open(unfinished, 'wx', 0o600)
      try {
        await (readersStay ? keepReaders(made, file, like) : giveToOwner(made, [file, like]))
        for await (const piece of pieces) await made.writeFile(piece)
        await made.sync()
      } finally {
        await made.close()
      }
      if (replace) await rename(unfinished, file)
      else await renameToFree(unfinished, file)
      // Some folders, e.g. on a network share, cannot be synced.
      await syncFolder(dirname(file)).catch(() => undefined)
    })
  } catch (error) {
    throw explainFileError(error, file)
  }
}

/** Turns an error of the file system into a sentence; returns any other error unchanged. */
export function explainFileError(error: unknown, file: string): unknown {
  const code = error instanceof Error && 'syscall' in error && 'code' in error ? String(error.code) : undefined
  if (code === undefined) return error
  if (code === 'EEXIST') return alreadyThere(file)
  return failed(code, file)
}

/**
 * Gives a new file the owner and group of the file that it replaces; no other account can read it. If all accounts
 * could read the old file and `like` belongs to another account, that of the site, the group of `like` can read the new
 * one.
 * @throws CommandError 'failed' if this account may not do that.
 */
async function keepReaders(made: FileHandle, replaced: string, like: string): Promise<void> {
  const old = await stat(replaced).catch(() => undefined)
  if (old === undefined || process.platform === 'win32') return giveToOwner(made, [replaced, like])
  const own = await made.stat()
  // Root can read every file, even one that it gives away.
  const uid = old.uid === 0 && process.getuid?.() !== 0 ? own.uid : old.uid
  const site = (old.mode & 0o004) === 0 ? undefined : await stat(like).catch(() => undefined)
  const group = site === undefined || [uid, 0].includes(site.uid) ? undefined : site.gid
  const given = await give(made, own, { uid, gid: group ?? old.gid })
  const groupReads = group !== undefined || ((old.mode & 0o040) !== 0 && old.gid !== 0)
  if (!given && (uid !== own.uid || groupReads)) {
    const alone = `run this as root, or, if no other account needs to read it, first run \`chmod o= ${replaced}\`.`
    const todo = uid === own.uid && group !== undefined ? alone : 'run this as its owner, or as root.'
    throw failure(`Accounts that can read ${replaced} now could no longer read it: ${todo} It was not changed.`)
  }
  const mode = group === undefined ? old.mode : old.mode | 0o040
  await made.chmod(mode & (given ? 0o640 : 0o600)).catch(assertUnsupported)
}

/** Refuses early, before the work; the name may still be taken after it. */
async function refuseTarget(file: string, replace: boolean): Promise<void> {
  const there = await stat(file).catch(() => undefined)
  if (there === undefined) return
  if (there.isDirectory()) throw failed('EISDIR', file)
  if (!there.isFile()) throw failure(`${file} is not a regular file: use --out - and a redirection.`)
  if (!replace) throw alreadyThere(file)
}

function alreadyThere(file: string): CommandError {
  return failure(`${file} exists already. Add --force to replace it, or give another --out.`)
}

function failed(code: string, file: string): CommandError {
  const sentence = sentences[code] ?? `It cannot be written (${code}).`
  return failure(`${sentence} Tried: ${file}`)
}

async function give(made: FileHandle, own: Owner, { uid, gid }: Owner): Promise<boolean> {
  if (own.uid === uid && own.gid === gid) return true
  return made.chown(uid, gid).then(
    () => true,
    (error) => {
      if (error.code === 'EPERM') return false
      throw error
    },
  )
}
