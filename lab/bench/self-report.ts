// Loaded into a process that is measured (`SELF_REPORT`): it reports its own memory and how long its event loop was blocked.
import { writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { SelfReport } from './reported.ts'

const NANOSECONDS_PER_MS = 1e6
/** What blocks while the program is loaded is no fault of the work. */
const LOADING_MS = 500

const delays = monitorEventLoopDelay({ resolution: 1 })
setTimeout(() => delays.enable(), LOADING_MS).unref()
process.on('exit', () => {
  const file = process.env.SELF_REPORT_FILE
  if (file !== undefined) writeFileSync(file, JSON.stringify(report()))
})
process.on('SIGUSR2', () => {
  process.stdout.write(`self-report ${JSON.stringify(report())}\n`)
  delays.reset()
})

function report(): SelfReport {
  const { maxRSS } = process.resourceUsage()
  return { memory: maxRSS / 1024, blocked: delays.max / NANOSECONDS_PER_MS }
}
