import type { ExecFileException } from 'node:child_process'
import pLimit from 'p-limit'
import { broken, type PreparedPicture, tooSlow } from '#db/church/prepare-picture.ts'
import { type ErrorCode, UserError } from '#db/errors.ts'
import { runProgram } from '#site/server/program.ts'

/** What the program writes: bytes as base64. */
export type Prepared =
  | { hash: string; sizes: { width: number; height: number; bytes: string }[] }
  | { refusal: ErrorCode; message: string }

/** For the memory that each takes: a few hundred megabytes. */
const oneAtATime = pLimit(1)

/**
 * Prepares a picture in a process of its own.
 * @throws UserError as `preparePicture`.
 */
export async function prepareApart(bytes: Uint8Array): Promise<PreparedPicture> {
  const output = await oneAtATime(() => runProgram('picture', bytes)).catch(explain)
  const prepared: Prepared = JSON.parse(output.toString())
  if ('refusal' in prepared) throw new UserError(prepared.refusal, prepared.message)
  const { hash, sizes } = prepared
  return { hash, sizes: sizes.map((size) => ({ ...size, bytes: Buffer.from(size.bytes, 'base64') })) }
}

function explain(error: ExecFileException): never {
  // The program gives up earlier, unless it cannot even do that.
  if (error.killed) throw new UserError('invalid', tooSlow)
  // It crashed, or the system took its memory.
  throw error.signal ? new UserError('invalid', broken) : error
}
