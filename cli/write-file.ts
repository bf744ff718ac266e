import { open, rename, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { giveToOwner, renameToFree, syncFolder, withTemporaryFile } from '#db/storage/files.ts'
import { realPathOf } from '#db/storage/local-file.ts'
import { type CommandError, failure } from './exit-code.ts'

const permission = 'This account may not write there: give another --out, or the right to write.'

const sentences: Record<string, string> = {
  EACCES: permission,
  EPERM: permission,
  EROFS: permission,
  ENOENT: 'There is no such folder: create it first, or give another --out.',
  ENOTDIR: 'A part of that path is a file, not a folder: give another --out.',
  EISDIR: 'That is a folder: give the name of a file in it with --out.',
  ENOSPC: 'The disk is full: make room, then run it again.',
}

/**
 * Writes a file that only this account can read: first under a temporary name, then, once it is complete and synced to
 * disk, under its own. If that fails, an old file stays unchanged and no partial file is left.
 * Root gives a new file to the owner of the folder.
 * @throws CommandError 'failed', also if there is a file already that may not be replaced.
 */
export async function writePrivateFile(
  asked: string,
  pieces: AsyncIterable<string | Uint8Array> | Iterable<string>,
  { replace }: { replace: boolean },
): Promise<void> {
  const file = await realPathOf(asked)
  try {
    await withTemporaryFile(file, async (unfinished) => {
      await refuseTarget(file, replace)
      const made = await open(unfinished, 'wx', 0o600)
      try {
        await giveToOwner(made, [file, dirname(asked)])
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
