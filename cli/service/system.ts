import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { CommandError, exitCodes } from '../exit-code.ts'

const execute = promisify(execFile)

export type Account = { uid: number; gid: number }

/**
 * Runs a tool of the system, e.g. `systemctl`, to its end and returns what it printed.
 * @throws CommandError 'failed' with what it said.
 */
export function runTool(tool: string, ...words: string[]): Promise<string> {
  return runToolAs({}, tool, ...words)
}

/** The same as another account. Root must not follow what is in the folders of an account, which may be a link by now. */
export async function runToolAs(account: Partial<Account>, tool: string, ...words: string[]): Promise<string> {
  try {
    // Ctrl+C is for this command alone, which ends between two steps.
    const options = { ...account, encoding: 'utf8', detached: true } as const
    const { stdout } = await execute(tool, words, options)
    return stdout.trim()
  } catch (error) {
    const { code, stderr = '' } = error as { code?: string | number; stderr?: string }
    const why = code === 'ENOENT' ? 'it is not installed here' : stderr.trim() || `it ended with ${code}`
    throw new CommandError(exitCodes.failed, `\`${[tool, ...words].join(' ')}\` failed: ${why}.`)
  }
}

/** What a tool of the system printed, or nothing where it failed, e.g. because what it asks for is not there. */
export function outputOf(tool: string, ...words: string[]): Promise<string> {
  return runTool(tool, ...words).catch(() => '')
}

/** The environment for a command of another process: without what was given to this one. */
export function plainEnvironment(): NodeJS.ProcessEnv {
  // biome-ignore lint/style/noProcessEnv: not settings: what another process finds, e.g. its PATH.
  const { RSVP_SITE, DATABASE_URL, FORCE_COLOR, NOTIFY_SOCKET, ...plain } = process.env
  return plain
}

/** The numbers of an account and of its group. @throws CommandError 'failed' where there is none of that name. */
export async function accountIds(account: string): Promise<Account> {
  const uid = Number(await runTool('id', '--user', account))
  return { uid, gid: Number(await runTool('id', '--group', account)) }
}

/** @throws CommandError where services cannot be changed from here. */
export async function requireSystemd(act: string): Promise<void> {
  if (process.platform !== 'linux' || (await outputOf('systemctl', '--version')) === '') {
    const todo = 'Start the site with `rsvp serve`, and see docs/install.md for other ways to keep it running.'
    throw new CommandError(exitCodes.failed, `This system has no systemd. ${todo}`)
  }
  if (process.getuid?.() !== 0) {
    throw new CommandError(exitCodes.failed, `Only root may ${act} a service: run the same with sudo.`)
  }
}
