import { join } from 'node:path'
import { layoutOf } from './layout.ts'
import type { Release } from './release.ts'
import { runProgram } from './run-program.ts'
import { type Account, accountIds } from './system.ts'

/** The command of a version, with what it has to be told to be about one site. */
export type SiteCommand = {
  /** The program, and words before all others. */
  program: [string, ...string[]]
  /** Words behind all others, e.g. `--site main`. */
  site: string[]
  env?: Record<string, string>
  /** Root runs it as this account instead. */
  account?: Account | undefined
}

/**
 * The command of a release, for a site that runs as a service: as the account of that site, because what is in its folders
 * is not for root to follow.
 */
export async function commandOf(site: string, { folder }: Release): Promise<SiteCommand> {
  const account = await accountIds(layoutOf(site).account)
  return { program: [join(folder, 'cli', 'rsvp')], site: ['--site', site], account }
}

/**
 * Runs it to its end, in a process of its own, and returns what it printed.
 * @throws CommandError with its exit code and what it said.
 */
export function runCommand({ program, site, env, account }: SiteCommand, words: string[], timeoutMs?: number) {
  const [file, ...before] = program
  const call = [...words, ...site]
  return runProgram(file, [...before, ...call], {
    title: ['rsvp', ...call].join(' '),
    account,
    ...(env && { env }),
    ...(timeoutMs && { timeoutMs }),
  })
}
