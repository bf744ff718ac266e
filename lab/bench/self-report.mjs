// Loaded into a process that is measured: it reports its own memory and how long its event loop was blocked. Not in
// TypeScript: what Node reads that with takes 15 MiB and more.
import { writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { peakMemoryOf } from './process-usage.mjs'

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

/** @returns {import('./reported.ts').SelfReport} */
function report() {
  return { memory: peakMemoryOf(process.pid), blocked: delays.max / NANOSECONDS_PER_MS }
}
