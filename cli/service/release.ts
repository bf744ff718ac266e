import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { linkedTo } from './files.ts'
import { program } from './layout.ts'
import { runProgram } from './run-program.ts'

/** A release that lies in `releases`, in a folder that has the name of its version. */
export type Release = { version: string; folder: string }

/** The public key in the folder of a release, which proves the next one; written by scripts/release.mjs. */
export const RELEASE_KEY = 'release-key.pem'

type Surroundings = Pick<NonNullable<Parameters<typeof runProgram>[2]>, 'account' | 'env' | 'timeoutMs'>

export function releaseOf(version: string): Release {
  return { version, folder: join(program.releases, version) }
}

/** The release that a link leads to; undefined where there is none. */
export async function releaseAt(link: string): Promise<Release | undefined> {
  const folder = await linkedTo(link)
  return folder === undefined || !existsSync(folder) ? undefined : releaseOf(basename(folder))
}

/** The version that a folder with a release says it is; undefined where it is none. */
export function versionIn(folder: string): string | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version
  } catch {
    return undefined
  }
}

/**
 * Runs the command of a release to its end, in a process of its own: a process has one site, and a release knows best what
 * it needs. Returns what it printed.
 * @throws CommandError with its exit code and what it said.
 */
export function runRelease({ folder }: Pick<Release, 'folder'>, words: string[], surroundings: Surroundings = {}) {
  return runProgram(join(folder, 'cli', 'rsvp'), words, { ...surroundings, title: ['rsvp', ...words].join(' ') })
}
