// Keeps the built site busy for long with everything that visitors, administrators and commands do. Ends with exit code 1
// where its memory grows by a tenth, where open files are left over, or where a reply is wrong. `npm run soak` takes half
// an hour, with these options:
//
//   --minutes N  in all, 30 by default; the first step warms up and is not compared
//   --step N     minutes of one step, 5 by default
//   --rate N     requests per second, 100 by default

import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parseArgs } from 'node:util'
import { startBuiltServer } from '../../scripts/testing/built-server.mjs'
import { startRepeatedCommands } from './commands.ts'
import { Load } from './load.ts'
import { judgeSteps, runStep, type Step } from './step.ts'
import { WATCHED, watch } from './watched.ts'

const MINUTE_MS = 60_000
const PRINTED = 10
const password = 'a password of several words'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    step: { type: 'string', default: '5' },
    rate: { type: 'string', default: '100' },
  },
})
const minutes = Number(values.minutes)
const stepMinutes = Number(values.step)
const perSecond = Number(values.rate)
if (!(minutes > 0) || !(stepMinutes > 0) || !(perSecond > 0))
  throw new Error('The options are at the top of lab/soak/run.ts.')

if (process.platform === 'linux') await soak()
else print(`Nothing was run: memory and open files are read from /proc, which ${process.platform} lacks.`)

async function soak(): Promise<void> {
  const site = await startBuiltServer({ ...WATCHED, ADMIN_PASSWORD: password, RSVP_POST_LIMIT: 'off' })
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => site.stop().then(() => process.exit(1)))
  const watched = await watch(site)
  const commands = startRepeatedCommands(site.folder)
  const load = new Load({ url: site.url, password })
  const steps: Step[] = []
  print('step  requests  busy  errors  p50 ms  p99 ms  memory MiB  at rest  heap  open files  stored')
  while (steps.length < Math.round(minutes / stepMinutes)) {
    const step = await runStep(load, watched, { ms: stepMinutes * MINUTE_MS, perSecond })
    steps.push(step)
    printStep(steps.length, step, countOf(site.folder))
  }
  watched.close()
  const failed = await commands.stop()
  await site.stop()
  const findings = [...failed, ...steps.flatMap(({ errors }) => errors), ...judgeSteps(steps)]
  for (const finding of findings.slice(-PRINTED)) print(finding)
  print(findings.length === 0 ? 'Nothing grew.' : `${findings.length} findings.`)
  if (findings.length > 0) process.exitCode = 1
}

function printStep(number: number, step: Step, stored: number): void {
  const { requests, busy, errors, p50, p99, memory, resting, heap, files } = step
  const cells = [requests, busy, errors.length, p50, p99, memory, resting, heap, files, stored]
  const widths = [10, 6, 8, 8, 8, 12, 9, 6, 12, 8]
  print(String(number).padStart(4) + cells.map((cell, place) => String(cell).padStart(widths[place] ?? 0)).join(''))
}

/** Responses, including deleted ones. */
function countOf(folder: string): number {
  const database = new DatabaseSync(join(folder, 'rsvp.db'), { readOnly: true, timeout: 5000 })
  try {
    return Number(database.prepare('SELECT count(*) AS count FROM rsvps').get()?.count)
  } finally {
    database.close()
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
