import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** A slow, busy computer needs a few seconds. */
const TIMEOUT_MS = 30_000
const OUTPUT_MAXIMUM = 1024 * 1024

/** The folder of the build that this code belongs to. Not `dist`, which may already point to a newer build. */
export const buildFolder = findBuildFolder(dirname(fileURLToPath(import.meta.url)))

/** The file of a program for `runProgram`; scripts/build/after-build.mjs creates it. */
export function programFile(name: 'picture' | 'preview'): string {
  return join(buildFolder, 'server', `${name}.mjs`)
}

/**
 * Runs a program on an input and returns its output. In a separate process: decoding and drawing take as long as
 * hundreds of replies and as much memory as the site, which would never release it, and a crash must not end the site.
 * It gets no settings of the site.
 */
export async function runProgram(name: 'picture' | 'preview', input: string | Uint8Array): Promise<Buffer> {
  const options = { encoding: 'buffer', maxBuffer: OUTPUT_MAXIMUM, env: {} } as const
  const limit = { timeout: TIMEOUT_MS, killSignal: 'SIGKILL' } as const
  const running = promisify(execFile)(process.execPath, [programFile(name)], { ...options, ...limit })
  // If it ends early, its own failure is reported.
  running.child.stdin?.on('error', () => {}).end(input)
  return (await running).stdout
}

function findBuildFolder(folder: string): string {
  return existsSync(join(folder, 'client')) || folder === dirname(folder) ? folder : findBuildFolder(dirname(folder))
}
