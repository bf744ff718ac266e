import { resolve } from 'node:path'
import { UserError } from '#db/errors.ts'
import { openRegularFile } from '#db/process/files.ts'
import { idText } from '#db/values/schemas.ts'
import { CommandError, exitCodes, failure, usageError } from './exit-code.ts'
import type { Io } from './io.ts'

/**
 * Parses the ids of a command line, each once.
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

/** The name that a word means, however people write it: `familyRsvp`, `family-rsvp` or `Family RSVP`. */
export function nameMeant<Name extends string>(word: string, names: readonly Name[]): Name | undefined {
  const lettersOf = (text: string) => text.toLowerCase().replace(/[\s_-]/g, '')
  return names.find((name) => lettersOf(name) === lettersOf(word))
}

/**
 * Reads a file that is named on the command line: at most one byte more than `maximum`, which tells that it is too large.
 * @throws CommandError 'notFound' when it is missing, 'failed' when it cannot be read or is none, e.g. a pipe.
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
