import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** What SQLite calls the file beside a database in which it keeps what a transaction has changed so far. */
export const JOURNAL = '-journal'

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
    for (const end of ['', JOURNAL]) rmSync(unfinished + end, { force: true })
  }
  process.once('exit', forget)
  try {
    return await work(unfinished)
  } finally {
    process.off('exit', forget)
    forget()
  }
}
