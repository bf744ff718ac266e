import { readFileSync } from 'node:fs'

/** The unit of times in /proc, which is the same on every Linux. */
const TICK_MS = 10

/** The CPU time of a process since its start, in ms: its own and the system's for it. */
export function cpuOf(pid: number): number {
  // The name in parentheses may hold blanks.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}
