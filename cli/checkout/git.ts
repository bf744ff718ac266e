import { stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { projectRoot } from '#db/config/places.ts'
import { runProgram } from '../service/run-program.ts'
import { type Account, outputOf } from '../service/system.ts'

/** A remote that hangs is one that cannot be reached. */
const TIMEOUT_MS = 120_000

/**
 * Runs git in the checkout and returns what it printed. It asks for no password: it fails where one is needed.
 * @throws CommandError with what it said.
 */
export async function git(...words: string[]): Promise<string> {
  const { account, env } = await ownerOf(projectRoot)
  const own = { ...env, GIT_TERMINAL_PROMPT: '0' }
  const title = ['git', ...words].join(' ')
  return (await runProgram('git', words, { account, env: own, cwd: projectRoot, timeoutMs: TIMEOUT_MS, title })).trim()
}

/** What git printed, or nothing where it failed, e.g. because what it asks for is not there. */
export function gitOutput(...words: string[]): Promise<string> {
  return git(...words).catch(() => '')
}

/**
 * Root works as the account that owns a file, so that nothing in a checkout comes to belong to root; every other account as
 * itself.
 */
export async function ownerOf(path: string): Promise<{ account?: Account; env: Record<string, string> }> {
  const { uid, gid } = await stat(path)
  if (process.getuid?.() !== 0 || uid === 0) return { env: {} }
  const entry = await outputOf('getent', 'passwd', `${uid}`)
  // Where git and npm have the settings and the caches of the account.
  return { account: { uid, gid }, env: { HOME: entry.split(':')[5] || homedir() } }
}
