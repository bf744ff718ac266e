import { resolve } from 'node:path'
import { UserError } from '#db/errors.ts'
import { openRegularFile } from '#db/process/files.ts'
import { idText } from '#db/values/schemas.ts'
import { CommandError, exitCodes, failure, usageError } from './exit-code.ts'
import type { Io } from './io.ts'

/**
 * Parses ids, without repetitions.
 * @throws CommandError 'usage' that names the first word that is not an id.
 */
export function idsOf(words: string[]): number[] {
  const ids = words.map((word) => {
    const id = idText.safeParse(word)
    if (id.success) return id.data
    throw usageError(`${JSON.stringify(word)} is not an id. An id is a whole number, e.g. 12.`)
  })
  return Array.from(new Set(ids))
}

/** Finds a name however it is written: `familyRsvp`, `family-rsvp` or `Family RSVP`. */
export function nameMeant<Name extends string>(word: string, names: readonly Name[]): Name | undefined {
  const lettersOf = (text: string) => text.toLowerCase().replace(/[\s_-]/g, '')
  return names.find((name) => lettersOf(name) === lettersOf(word))
}

/**
 * Reads at most one byte more than `maximum`, so that callers notice a file that is too large.
 * @throws CommandError 'notFound' if it is missing, 'failed' if it cannot be read or is not a file, e.g. a pipe.
 */
export async function readGivenFile(name: string, io: Io, maximum = Number.POSITIVE_INFINITY): Promise<Uint8Array> {
  const path = resolve(io.cwd(), name)
  try {
    const opened = await openRegularFile(path)
    return Buffer.concat(await Array.fromAsync(opened.createReadStream({ end: maximum })))
  } catch (error) {
    if (error instanceof UserError) throw failure(error.message)
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    const sentence = isMissing ? 'There is no such file' : 'The file cannot be read'
    throw new CommandError(isMissing ? exitCodes.notFound : exitCodes.failed, `${sentence}: ${path}`)
  }
}
