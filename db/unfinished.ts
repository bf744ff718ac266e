import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** What SQLite calls the file beside a database in which it keeps what a transaction has changed so far. */
export const JOURNAL = '-journal'

/** What is called like this, and has not grown for that long, in ms, was cut off by a kill or a power cut. */
const UNFINISHED = /^\..+\.[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\.tmp(-journal)?$/
const ABANDONED_AFTER = 60 * 60 * 1000

/**
 * Lets something be written under another name beside the file that it is to become. What is still there afterwards,
 * or when the process has to end in the midst of it, is taken away.
 */
export async function withUnfinished<Output>(
  file: string,
  work: (unfinished: string) => Promise<Output>,
): Promise<Output> {
  const unfinished = join(dirname(file), `.${basename(file)}.${randomUUID()}.tmp`)
  function forget(): void {
    try {
      for (const end of ['', JOURNAL]) rmSync(unfinished + end, { force: true })
    } catch {
      // The folder is none, or is gone: then there is nothing to take away.
    }
  }
  process.once('exit', forget)
  try {
    return await work(unfinished)
  } finally {
    process.off('exit', forget)
    forget()
  }
}

/** Whether it failed because the file system knows no second names (hard links). */
export function isWithoutLinks(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && /^(EPERM|ENOTSUP|EOPNOTSUPP|ENOSYS|EMLINK)$/.test(String(error.code))
  )
}

/** Takes away what nobody will finish any more: it holds everybody's answers. */
export async function removeAbandoned(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  for (const file of names.filter((name) => UNFINISHED.test(name)).map((name) => join(folder, name))) {
    const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Date.now() }))
    if (Date.now() - mtimeMs > ABANDONED_AFTER) await rm(file, { force: true }).catch(() => {})
  }
}
