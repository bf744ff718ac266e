// Runs a command and keeps its output; ends a script with an error message instead of a stack trace.
import { execFile } from 'node:child_process'
import { localEnvironment, root } from './local-node.mjs'

/** An error that the person can fix: its message says what to do next. */
export class Failure extends Error {}

/** Runs a command to its end in the project's folder, and returns its exit code and all output. */
export function run(command, args, env = localEnvironment()) {
  return new Promise((resolve) => {
    execFile(command, args, { cwd: root, env, maxBuffer: Number.POSITIVE_INFINITY }, (error, stdout, stderr) =>
      resolve({ code: error ? 1 : 0, output: stdout + stderr || String(error ?? '') }),
    )
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
