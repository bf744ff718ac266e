import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'

/** Stops a process at any point of its work, and resolves once it is stopped. SIGCONT resumes it. */
export async function stopped(pid: number): Promise<void> {
  process.kill(pid, 'SIGSTOP')
  // A process that waits for the disk stops only when the disk is done.
  while (stateOf(pid) !== 'T') await wait(1)
}

/** See proc(5): R is running, D waits for the disk, T is stopped. The name in parentheses before it may be any text. */
function stateOf(pid: number): string | undefined {
  return /\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]
}
