import { type ExecFileException, execFile } from 'node:child_process'
import { join } from 'node:path'
import pLimit from 'p-limit'
import { broken, type PreparedPicture, tooSlow } from '#db/church/prepare-picture.ts'
import { type ErrorCode, UserError } from '#db/errors.ts'
import { buildFolder } from '#site/server/front/build.ts'

/** What the program writes; the bytes are in base64. */
export type Prepared =
  | { hash: string; sizes: { width: number; height: number; bytes: string }[] }
  | { refusal: ErrorCode; message: string }

/** Put there by scripts/build/programs.mjs. */
const program = join(buildFolder, 'server', 'picture.mjs')
/** The program gives up earlier, unless it cannot even do that. */
const TIMEOUT_MS = 30_000
const OUTPUT_MAXIMUM = 1024 * 1024

/** For the memory that each takes. */
const oneAtATime = pLimit(1)

/**
 * Prepares a picture in a process of its own: a decoder takes a few hundred megabytes, which this process would not give
 * back, and a file that makes it crash must not end the site. It knows no setting of the site.
 * @throws UserError as `preparePicture`.
 */
export function prepareApart(bytes: Uint8Array): Promise<PreparedPicture> {
  return oneAtATime(async () => {
    const prepared = await runProgram(bytes)
    if ('refusal' in prepared) throw new UserError(prepared.refusal, prepared.message)
    const { hash, sizes } = prepared
    return { hash, sizes: sizes.map((size) => ({ ...size, bytes: Buffer.from(size.bytes, 'base64') })) }
  })
}

function runProgram(bytes: Uint8Array): Promise<Prepared> {
  return new Promise((resolve, reject) => {
    const options = { timeout: TIMEOUT_MS, killSignal: 'SIGKILL', maxBuffer: OUTPUT_MAXIMUM, env: {} } as const
    const child = execFile(process.execPath, [program], options, (error, output) =>
      error === null ? resolve(JSON.parse(output)) : reject(explain(error)),
    )
    // Where it ends early, its failure is the one to report.
    child.stdin?.on('error', () => {}).end(bytes)
  })
}

function explain(error: ExecFileException): Error {
  if (error.killed) return new UserError('invalid', tooSlow)
  // It crashed, or the system took its memory.
  return error.signal ? new UserError('invalid', broken) : error
}
