import type { ExecFileException } from 'node:child_process'
import type { APIContext } from 'astro'
import pLimit from 'p-limit'
import { broken, type PreparedPicture, tooSlow } from '#db/church/prepare-picture.ts'
import { type ErrorCode, UserError } from '#db/errors.ts'
import { runProgram } from '#site/server/program.ts'

/** The output of the program; `bytes` is base64. */
export type Prepared =
  | { hash: string; sizes: { width: number; height: number; bytes: string }[] }
  | { refusal: ErrorCode; message: string }

const NOT_PICTURE = 'Send the picture as it is, with its type, e.g. Content-Type: image/jpeg.'
/** Each takes a few hundred megabytes of memory. */
const oneAtATime = pLimit(1)

/**
 * Prepares the picture in the body, in a process of its own. Its format is read from its bytes, not from the type that
 * the request names.
 * @throws UserError 'unsupported-media-type', and as `preparePicture`.
 */
export async function uploadedPicture({ request }: APIContext): Promise<PreparedPicture> {
  if (!request.headers.get('content-type')?.trim().toLowerCase().startsWith('image/'))
    throw new UserError('unsupported-media-type', NOT_PICTURE)
  const bytes = new Uint8Array(await request.arrayBuffer())
  const output = await oneAtATime(() => runProgram('picture', bytes)).catch(explain)
  const prepared: Prepared = JSON.parse(output.toString())
  if ('refusal' in prepared) throw new UserError(prepared.refusal, prepared.message)
  const { hash, sizes } = prepared
  return { hash, sizes: sizes.map((size) => ({ ...size, bytes: Buffer.from(size.bytes, 'base64') })) }
}

function explain(error: ExecFileException): never {
  // The program itself times out earlier, unless it hangs.
  if (error.killed) throw new UserError('invalid', tooSlow)
  // It crashed, or the system killed it to free memory.
  throw error.signal ? new UserError('invalid', broken) : error
}
