// Runs a command and keeps its output; ends a script with an error message instead of a stack trace.
import { spawn } from 'node:child_process'
import { localEnvironment, root } from './local-node.mjs'

/** An error that the person can fix: its message says what to do next. */
export class Failure extends Error {}

/** Runs a command to its end, by default in the project's folder, and returns its exit code and all output. */
export function run(command, args, env = localEnvironment(), cwd = root) {
  return new Promise((resolve) => {
    let output = ''
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
    child.on('error', (error) => resolve({ code: 127, output: error.message }))
    child.on('close', (code) => resolve({ code: code ?? 1, output }))
  })
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
