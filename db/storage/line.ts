import { UserError } from '#db/errors.ts'
import { backoffMs } from './backoff.ts'
import { explainStorageError, isStatementAtFault, isTransient } from './storage-error.ts'

export type Job<Input> = {
  input: Input
  /** On the clock of `performance.now()`. */
  deadline: number
  resolve(result: unknown): void
  reject(reason: unknown): void
}

type Running<Input> = {
  /** Which of the waiting jobs run next: each group together, one group after the other. */
  groups(waiting: Job<Input>[]): Job<Input>[][]
  /** Runs a group at once, all of it or nothing; what it returns then says what each job gets. */
  run(inputs: Input[]): Promise<() => unknown[]>
  /** After every failure. */
  reconnect(): void
}

export type Line<Input> = {
  add(job: Job<Input>): void
  /** How many wait, and how often they met a lock. */
  load(): { waiting: number; retries: number }
  /** Milliseconds until there is something to run: 0 for now, infinite while none waits. */
  untilDue(): number
  /** Runs what is due, up to a group after which `isOver` holds. */
  runDue(isOver?: () => boolean): Promise<void>
}

/** Jobs of one kind that wait for their turn and, after they met a lock, for the next attempt. */
export function openLine<Input>({ groups, run, reconnect }: Running<Input>): Line<Input> {
  let waiting: Job<Input>[] = []
  let failures = 0
  let retryAt = 0
  let retries = 0

  function untilDue(): number {
    return waiting.length === 0 ? Number.POSITIVE_INFINITY : Math.max(retryAt - performance.now(), 0)
  }

  async function runDue(isOver = () => false): Promise<void> {
    if (untilDue() > 0) return
    const done = new Set<Job<Input>>()
    let busy: Job<Input>[] = []
    for (const group of groups(waiting)) {
      busy = await runGroup(group)
      for (const job of group) done.add(job)
      // A lock that blocks one blocks all, and trying each would keep the event loop busy.
      if (busy.length > 0 || isOver()) break
    }
    for (const job of busy) done.delete(job)
    remove(done)
    if (busy.length > 0) waitForLock()
    else failures = 0
  }

  /** Resolves or rejects each job of the group, but returns those that met a lock, to be retried. */
  async function runGroup(group: Job<Input>[]): Promise<Job<Input>[]> {
    try {
      resolveAll(group, await run(group.map(({ input }) => input)))
      return []
    } catch (error) {
      reconnect()
      if (isTransient(error)) return group
      if (group.length > 1 && isStatementAtFault(error)) return runHalves(group)
      rejectAll(group, explainStorageError(error))
      return []
    }
  }

  /** One bad job must not fail the others in its group. */
  async function runHalves(group: Job<Input>[]): Promise<Job<Input>[]> {
    const middle = Math.floor(group.length / 2)
    const others = group.slice(middle)
    const busy = await runGroup(group.slice(0, middle))
    return busy.length > 0 ? [...busy, ...others] : runGroup(others)
  }

  function waitForLock(): void {
    retryAt = performance.now() + backoffMs(++failures)
    retries += 1
    const overdue = waiting.filter(({ deadline }) => deadline <= performance.now())
    remove(new Set(overdue))
    rejectAll(overdue, new UserError('busy', 'The database is busy. Nothing was stored; try again in a few seconds.'))
  }

  function remove(removed: Set<Job<Input>>): void {
    waiting = waiting.filter((job) => !removed.has(job))
  }

  return { add: (job) => waiting.push(job), load: () => ({ waiting: waiting.length, retries }), untilDue, runDue }
}

/** Never throws: what was run is stored, and must not run again. */
function resolveAll<Input>(group: Job<Input>[], resultsOf: () => unknown[]): void {
  try {
    const results = resultsOf()
    group.forEach((job, place) => {
      job.resolve(results[place])
    })
  } catch (error) {
    rejectAll(group, error)
  }
}

function rejectAll<Input>(group: Job<Input>[], reason: unknown): void {
  for (const { reject } of group) reject(reason)
}
