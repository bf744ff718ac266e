import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { identityFrom } from './local-file.ts'

/** Fields in the header of a file (https://sqlite.org/fileformat.html): two format versions, and the count of commits. */
const VERSIONS_OFFSET = 18
const COUNT_OFFSET = 24
const HEADER_LENGTH = 28
/** Both versions are 1 for a file with a rollback journal; in WAL mode, where commits are not counted, they are 2. */
const ROLLBACK_JOURNAL = 0x0101

/**
 * Reads SQLite's count of commits from the header of the file; docs/decisions/server.md explains it.
 * @param path of the database, with links resolved. The file is opened at the first read.
 */
export function openChangeCounter(path: string) {
  const bytes = Buffer.alloc(HEADER_LENGTH)
  let opened: { file: number; identity: string } | undefined

  /** Closing the file also releases the locks that SQLite holds on it in this process (POSIX). */
  function close(): void {
    if (opened !== undefined) closeSync(opened.file)
    opened = undefined
  }

  return {
    /**
     * If two calls return the same text, nothing was stored in between. Undefined if that is unknown.
     * @param identity of the file: the path may point to another one by now.
     */
    read(identity: string | undefined): string | undefined {
      try {
        const present = statSync(path)
        if (identityFrom(present) !== identity) return undefined
        if (opened?.identity !== identity) {
          close()
          const file = openSync(path, 'r')
          opened = { file, identity: identityFrom(fstatSync(file)) }
        }
        readSync(opened.file, bytes, 0, HEADER_LENGTH, 0)
        if (opened.identity !== identity || bytes.readUInt16BE(VERSIONS_OFFSET) !== ROLLBACK_JOURNAL) return undefined
        // A commit that fails after writing has the same number as the next one; the time distinguishes them.
        return `${identity} ${present.mtimeMs} ${bytes.readUInt32BE(COUNT_OFFSET)}`
      } catch {
        // The file is gone or not readable, or too many are open: reading the database will report it.
        return undefined
      }
    },
    /** Call it once the connection is closed. */
    close,
  }
}
