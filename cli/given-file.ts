import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { CommandError, exitCodes } from './exit-code.ts'
import type { Io } from './io.ts'

/**
 * Reads a file that is named on the command line.
 * @throws CommandError 'notFound' when it is missing, 'failed' when it cannot be read.
 */
export async function readGivenFile(name: string, io: Io): Promise<Uint8Array> {
  const path = resolve(io.cwd(), name)
  try {
    return await readFile(path)
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    const sentence = isMissing ? 'There is no such file' : 'The file cannot be read'
    throw new CommandError(isMissing ? exitCodes.notFound : exitCodes.failed, `${sentence}: ${path}`)
  }
}
