import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { CommandError, exitCodes } from '../exit-code.ts'
import { linkedTo } from './files.ts'
import { layoutOf, program } from './layout.ts'
import { type Account, accountIds, plainEnvironment } from './system.ts'

/** A release that lies in `releases`, in a folder that has the name of its version. */
export type Release = { version: string; folder: string }

type Surroundings = {
  /** Root runs it as this account instead. */
  account?: Account
  env?: Record<string, string>
  timeoutMs?: number
}

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
 * it needs. Returns what it printed. Keys that are pressed meanwhile do not reach it.
 * @throws CommandError with its exit code and what it said.
 */
export async function runRelease(
  { folder }: Pick<Release, 'folder'>,
  words: string[],
  surroundings: Surroundings = {},
) {
  const { account, env, timeoutMs } = surroundings
  const options = { ...account, env: { ...plainEnvironment(), ...env }, cwd: '/', detached: true } as const
  const running = spawn(join(folder, 'cli', 'rsvp'), words, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  let isLate = false
  const stop = () => {
    isLate = true
    if (running.pid !== undefined) process.kill(-running.pid, 'SIGKILL')
  }
  const timer = timeoutMs === undefined ? undefined : setTimeout(stop, timeoutMs)
  const printed = Promise.all([text(running.stdout), text(running.stderr)])
  const code = await once(running, 'close').then(
    ([ended]) => Number(ended),
    () => exitCodes.failed,
  )
  clearTimeout(timer)
  const [output, said] = await printed
  if (code === 0 && !isLate) return output
  const call = `\`rsvp ${words.join(' ')}\``
  const sentence = isLate ? `${call} did not end in time.` : sentencesIn(said) || `${call} ended with ${code}.`
  throw new CommandError(code || exitCodes.failed, sentence)
}

/** Runs the command of a release for a site, as the account of that site: what is in its folders is not for root to follow. */
export async function runForSite(release: Release, site: string, words: string[]): Promise<string> {
  const account = await accountIds(layoutOf(site).account)
  return runRelease(release, [...words, '--site', site], { account })
}

/** What a command said, on one line; of a bug, without the places in the code. */
export function sentencesIn(said: string): string {
  const lines = said.replace(' Please report it with these lines:', '').split('\n')
  return lines.filter((line) => line.trim() !== '' && !/^\s+at /.test(line)).join(' ')
}
