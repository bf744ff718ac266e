import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { CommandError, exitCodes } from '../exit-code.ts'
import { type Account, plainEnvironment } from './system.ts'

type Surroundings = {
  /** Root runs it as this account instead. */
  account?: Account | undefined
  env?: Record<string, string>
  cwd?: string
  timeoutMs?: number
  /** How people call it, where they do. */
  title?: string
  /** Called with what it says meanwhile. */
  show?: (text: string) => void
}

/**
 * Runs a program to its end, and returns what it printed. Keys that are pressed meanwhile do not reach it.
 * @throws CommandError with its exit code and what it said.
 */
export async function runProgram(program: string, words: string[], surroundings: Surroundings = {}): Promise<string> {
  const { account, env, cwd = '/', timeoutMs, title = [program, ...words].join(' '), show } = surroundings
  const options = { ...account, env: { ...plainEnvironment(), ...env }, cwd, detached: true } as const
  const running = spawn(program, words, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  let isLate = false
  const stop = () => {
    isLate = true
    if (running.pid !== undefined) process.kill(-running.pid, 'SIGKILL')
  }
  const timer = timeoutMs === undefined ? undefined : setTimeout(stop, timeoutMs)
  let [output, said] = ['', '']
  running.stdout.setEncoding('utf8').on('data', (text) => (output += text))
  running.stderr.setEncoding('utf8').on('data', (text) => {
    said += text
    show?.(text)
  })
  const code = await once(running, 'close').then(
    // Null where a signal has ended it, e.g. for want of memory.
    ([ended]) => Number(ended ?? exitCodes.failed),
    () => exitCodes.failed,
  )
  clearTimeout(timer)
  if (code === 0 && !isLate) return output
  const call = `\`${title}\``
  const sentence = isLate ? `${call} did not end in time.` : sentencesIn(said) || `${call} ended with ${code}.`
  throw new CommandError(code || exitCodes.failed, sentence)
}

/** What a command said, on one line; of a bug, without the places in the code. */
export function sentencesIn(said: string): string {
  const lines = said.replace(' Please report it with these lines:', '').split('\n')
  return lines.filter((line) => line.trim() !== '' && !/^\s+at /.test(line)).join(' ')
}
