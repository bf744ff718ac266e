import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Site } from './servers.ts'

/** The most resident memory in MiB, and the longest time in ms for which the event loop was blocked. */
export type SelfReport = { memory: number; blocked: number }

const TIMEOUT_MS = 10_000
const program = fileURLToPath(new URL('self-report.mjs', import.meta.url))

/** The environment of a process that is to report. */
export const REPORTING = { NODE_OPTIONS: `--import ${program}`, NODE_NO_WARNINGS: '1' }

/** What a site reports since the last time it was asked. */
export async function reportOf({ pid, output }: Pick<Site, 'pid' | 'output'>): Promise<SelfReport> {
  const before = reportsIn(output()).length
  process.kill(pid, 'SIGUSR2')
  for (const deadline = performance.now() + TIMEOUT_MS; performance.now() < deadline; await wait(5)) {
    const report = reportsIn(output())[before]
    if (report !== undefined) return report
  }
  throw new Error('The site did not report.')
}

function reportsIn(output: string): SelfReport[] {
  return [...output.matchAll(/^self-report (\{.*\})$/gm)].map(([, json = '']) => JSON.parse(json))
}
