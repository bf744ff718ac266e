import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'
import type { Context } from '../context.ts'
import { CommandError, exitCodes } from '../exit-code.ts'
import { print } from '../output/output.ts'
import { confirm } from '../questions.ts'

const execute = promisify(execFile)

export type Account = { uid: number; gid: number }

export type Surroundings = {
  /** Root runs it as this account instead. */
  account?: Account | undefined
  env?: Record<string, string> | undefined
  timeoutMs?: number | undefined
}

/** One change to the system: what it does, as a sentence for the plan, and the change itself. */
export type Step = { text: string; work: () => Promise<unknown> | unknown }

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

/**
 * Runs another command of ours to its end, and returns what it printed. Keys that are pressed meanwhile do not reach it.
 * @throws CommandError with its exit code and what it said.
 */
export async function runRsvp(
  file: string,
  words: string[],
  { account, env, timeoutMs }: Surroundings = {},
): Promise<string> {
  const options = { ...account, env: { ...plainEnvironment(), ...env }, cwd: '/', detached: true } as const
  const running = spawn(file, words, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  let isLate = false
  const stop = () => {
    isLate = true
    if (running.pid !== undefined) process.kill(-running.pid, 'SIGKILL')
  }
  const timer = timeoutMs === undefined ? undefined : setTimeout(stop, timeoutMs)
  let [output, said] = ['', '']
  running.stdout.setEncoding('utf8').on('data', (text) => (output += text))
  running.stderr.setEncoding('utf8').on('data', (text) => (said += text))
  const code = await once(running, 'close').then(
    // Null where a signal has ended it, e.g. for want of memory.
    ([ended]) => Number(ended ?? exitCodes.failed),
    () => exitCodes.failed,
  )
  clearTimeout(timer)
  if (code === 0 && !isLate) return output
  const call = `\`${['rsvp', ...words].join(' ')}\``
  const sentence = isLate ? `${call} did not end in time.` : sentencesIn(said) || `${call} ended with ${code}.`
  throw new CommandError(code || exitCodes.failed, sentence)
}

/** What a command said, on one line; of a bug, without the places in the code. */
export function sentencesIn(said: string): string {
  const lines = said.replace(' Please report it with these lines:', '').split('\n')
  return lines.filter((line) => line.trim() !== '' && !/^\s+at /.test(line)).join(' ')
}

/**
 * Shows what is to be done, asks, and does it step by step, saying which one is done.
 * @throws CommandError 'failed' after a no, or where a step fails; the steps before it stay done, and the same command goes
 * on where it stopped.
 */
export async function carryOut(
  steps: Step[],
  question: string,
  { yes, dryRun }: { yes?: true; dryRun?: true },
  context: Context,
): Promise<boolean> {
  if (!yes || dryRun) await print(`${steps.map(({ text }, at) => `${at + 1}. ${text}`).join('\n')}\n`, context.io)
  if (dryRun) return false
  if (!yes) await confirm(question, context)
  for (const { text, work } of steps) {
    context.signal.throwIfAborted()
    await work()
    if (!context.quiet) await print(`done  ${text}\n`, context.io)
  }
  return true
}
