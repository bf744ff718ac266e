import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'

/** The core of the server, or of the command that is measured. */
export const MEASURED_CORE = 0
/** The core of the clients. */
export const LOAD_CORE = 1

/** Whether processes can be kept on one core each. */
export const canPin = availableParallelism() > 1 && spawnSync('taskset', ['--version']).status === 0

/** What goes before a command to keep it on one core; nothing where that cannot be. */
export function onCore(core: number): string[] {
  return canPin ? ['taskset', '--cpu-list', String(core)] : []
}

/** Moves this process, which sends single requests and reads their replies, away from the measured core. */
export function leaveMeasuredCore(): void {
  if (canPin) spawnSync('taskset', ['--all-tasks', '--pid', '--cpu-list', String(LOAD_CORE), String(process.pid)])
}
