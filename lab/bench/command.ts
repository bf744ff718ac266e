import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { localNode, root } from '../../scripts/local-node.mjs'
import { MEASURED_CORE, onCore } from './cores.ts'
import { REPORTING, type SelfReport } from './reported.ts'

export const rsvp = join(root, 'cli', 'rsvp')
export const node = localNode()

/** Runs a command on the measured core to its end, its output into a file or away; returns the time in ms. */
export async function timeOf(words: string[], { database = '', output = '/dev/null', env = {} } = {}): Promise<number> {
  const [command = '', ...args] = [...onCore(MEASURED_CORE), ...words]
  const stdout = openSync(output, 'w')
  const started = performance.now()
  const child = spawn(command, args, {
    env: { ...environmentOf(database), ...env },
    stdio: ['ignore', stdout, 'pipe'],
  })
  let errors = ''
  child.stderr?.setEncoding('utf8').on('data', (text) => (errors += text))
  const [code] = await once(child, 'close')
  const ms = performance.now() - started
  closeSync(stdout)
  if (code !== 0) throw new Error(`${words.slice(0, 3).join(' ')} ended with ${code}: ${errors.trim()}`)
  return ms
}

/** The same, and what the process reports about itself at its end. */
export async function reportedRun(words: string[], database: string): Promise<SelfReport> {
  const folder = mkdtempSync(join(tmpdir(), 'rsvp-bench-'))
  const file = join(folder, 'report.json')
  try {
    await timeOf(words, { database, env: { ...REPORTING, SELF_REPORT_FILE: file } })
    return JSON.parse(readFileSync(file, 'utf8'))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** As for an administrator with a terminal. */
export function environmentOf(database: string) {
  return { ...process.env, NODE_ENV: 'production', DATABASE_URL: `file:${database}` }
}
