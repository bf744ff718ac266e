import { createHash, randomUUID } from 'node:crypto'
import { readFileSync, readlinkSync, rmSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'

/** What SQLite calls the file beside a database in which it keeps what a transaction has changed so far. */
export const JOURNAL = '-journal'

/** What is called like this may be unfinished; with the machine and the process that write it, it is surely ours. */
const UNFINISHED = /^\..+\.[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\.tmp(-journal)?$/
const WRITER = /\.rsvp-([\da-f]{8})-(\d+)\.[\da-f-]{36}\.tmp(-journal)?$/
/** What has not grown for that long, in ms, was cut off, where nobody can tell whether its process still runs. */
const ABANDONED_AFTER = 60 * 60 * 1000
/** The same where there is a process of that number: it may be suspended, or another one by now. */
const FORGOTTEN_AFTER = 24 * ABANDONED_AFTER

/**
 * Lets something be written under another name beside the file that it is to become. What is still there afterwards,
 * or when the process has to end in the midst of it, is taken away.
 */
export async function withUnfinished<Output>(
  file: string,
  work: (unfinished: string) => Promise<Output>,
): Promise<Output> {
  const unfinished = join(dirname(file), `.${basename(file)}.rsvp-${thisMachine()}-${process.pid}.${randomUUID()}.tmp`)
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

/** Takes away what nobody will finish any more from a folder of ours: it holds everybody's answers. */
export async function removeAbandoned(folder: string): Promise<void> {
  for (const file of await abandonedIn(folder, UNFINISHED)) await rm(file, { force: true }).catch(() => {})
}

/** The same in a folder that may hold anything: only what surely is ours is meant. */
export async function removeAbandonedOfOurs(folder: string): Promise<void> {
  for (const file of await findAbandonedOfOurs(folder)) await rm(file, { force: true }).catch(() => {})
}

/** The files in a folder that were begun by a process of ours and that nobody will finish any more. */
export function findAbandonedOfOurs(folder: string): Promise<string[]> {
  return abandonedIn(folder, WRITER)
}

async function abandonedIn(folder: string, pattern: RegExp): Promise<string[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => UNFINISHED.test(name) && pattern.test(name))
  const abandoned: string[] = []
  for (const name of names.toSorted()) if (await isAbandoned(join(folder, name))) abandoned.push(join(folder, name))
  return abandoned
}

async function isAbandoned(file: string): Promise<boolean> {
  const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Date.now() }))
  const age = Date.now() - mtimeMs
  const [, machine, processId] = WRITER.exec(file) ?? []
  if (machine !== thisMachine()) return age > ABANDONED_AFTER
  return !isRunning(Number(processId)) || age > FORGOTTEN_AFTER
}

function isRunning(processId: number): boolean {
  try {
    return process.kill(processId, 0)
  } catch (error) {
    // One of another account may not be asked, but it is there.
    return error instanceof Error && 'code' in error && error.code !== 'ESRCH'
  }
}

/** Says where, and since which start of the machine, the numbers of processes mean what they mean here. */
function thisMachine(): string {
  const parts = [hostname(), tried(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'))]
  parts.push(tried(() => readlinkSync('/proc/self/ns/pid')))
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 8)
}

function tried(read: () => string): string {
  try {
    return read()
  } catch {
    return ''
  }
}
