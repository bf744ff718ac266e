import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'

/** Stops a process in the middle of whatever it does, and answers once it stands still; SIGCONT lets it go on. */
export async function stopped(pid: number): Promise<void> {
  process.kill(pid, 'SIGSTOP')
  // What it has asked the disk for is finished first: until then it only waits.
  while (stateOf(pid) !== 'T') await wait(1)
}

/** As in proc(5): R runs, D waits for the disk, T is stopped. The name before it may hold anything. */
function stateOf(pid: number): string | undefined {
  return /\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]
}
