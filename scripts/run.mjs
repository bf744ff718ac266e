// Runs a command and keeps its output; ends a script with an error message instead of a stack trace.
import { spawn } from 'node:child_process'
import { root } from './local-node.mjs'

const PROGRESS_INTERVAL_MS = 10_000

/** An error that the person can fix: its message says what to do next. */
export class Failure extends Error {}

/** Runs a command to its end, by default in the project's folder, and returns its exit code and all output. */
export function run(command, args, env, cwd = root) {
  return new Promise((resolve) => {
    let output = ''
    // On Windows npm is a batch file, which needs a shell.
    const shell = process.platform === 'win32' && command === 'npm'
    const child = spawn(command, args, { cwd, env, shell, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
    child.on('error', (error) => resolve({ code: 127, output: error.message }))
    child.on('close', (code) => resolve({ code: code ?? 1, output }))
  })
}

/** Prints at intervals that silent work continues, e.g. "still building". */
export async function withProgress(state, work) {
  const started = performance.now()
  const saying = setInterval(() => {
    console.error(`  ${Math.round((performance.now() - started) / 1000)} s: ${state}…`)
  }, PROGRESS_INTERVAL_MS)
  try {
    return await work()
  } finally {
    clearInterval(saying)
  }
}

/** Runs a script's main function. A Failure prints its message and sets exit code 1. */
export async function finish(main) {
  try {
    await main()
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
}
