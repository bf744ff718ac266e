import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** A slow, busy computer needs a few seconds. */
const TIMEOUT_MS = 30_000
const OUTPUT_MAXIMUM = 1024 * 1024

/** The folder of the build that this code belongs to. `dist` may point to a newer build by now. */
export const buildFolder = findBuildFolder(dirname(fileURLToPath(import.meta.url)))

/** Where a program is that runs in a process of its own; scripts/build/after-build.mjs puts it there. */
export function programFile(name: 'picture' | 'preview'): string {
  return join(buildFolder, 'server', `${name}.mjs`)
}

/**
 * What a program makes of its input. Decoding and drawing take the time of hundreds of replies and as much memory as the
 * site, which would not give it back, and what makes them crash must not end the site. It knows no setting of the site.
 */
export async function runProgram(name: 'picture' | 'preview', input: string | Uint8Array): Promise<Buffer> {
  const options = { encoding: 'buffer', maxBuffer: OUTPUT_MAXIMUM, env: {} } as const
  const limit = { timeout: TIMEOUT_MS, killSignal: 'SIGKILL' } as const
  const running = promisify(execFile)(process.execPath, [programFile(name)], { ...options, ...limit })
  // Where it ends early, its failure is the one to report.
  running.child.stdin?.on('error', () => {}).end(input)
  return (await running).stdout
}

function findBuildFolder(folder: string): string {
  return existsSync(join(folder, 'client')) || folder === dirname(folder) ? folder : findBuildFolder(dirname(folder))
}
