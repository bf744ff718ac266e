// Runs a command and keeps its output, and ends a script with a sentence instead of a stack: small tools for the other scripts.
import { spawn } from 'node:child_process'
import { root } from './local-node.mjs'

/** Something the person can mend: its message says what to do next. */
export class Failure extends Error {}

/** Runs to the end, in the project's folder if in no other, and answers the exit code and everything that was printed. */
export function run(command, args, env, cwd = root) {
  return new Promise((resolve) => {
    let output = ''
    // Only npm needs a shell, and only on Windows, where it is a batch file.
    const shell = process.platform === 'win32' && command === 'npm'
    const child = spawn(command, args, { cwd, env, shell, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
    child.on('error', (error) => resolve({ code: 127, output: error.message }))
    child.on('close', (code) => resolve({ code: code ?? 1, output }))
  })
}

/** Runs a script's main function; a Failure becomes its sentence and exit code 1. */
export async function finish(main) {
  try {
    await main()
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
}
