import { readFileSync } from 'node:fs'

/** The unit of times in /proc, which is the same on every Linux. */
const TICK_MS = 10

/**
 * The CPU time of a process since its start, in ms: its own and the system's for it.
 * @param {number} pid
 */
export function cpuOf(pid) {
  // The name in parentheses may hold blanks.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

/**
 * The resident memory of a process, in MiB.
 * @param {number} pid
 */
export function memoryOf(pid) {
  return kibibytes(pid, 'VmRSS') / 1024
}

/**
 * The most resident memory that it had so far, in MiB. Not `maxRSS`, which begins with that of the process that started it.
 * @param {number} pid
 */
export function peakMemoryOf(pid) {
  return kibibytes(pid, 'VmHWM') / 1024
}

/**
 * @param {number} pid
 * @param {string} name
 */
function kibibytes(pid, name) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1])
}
