import { UserError } from '#db/errors.ts'
import { backoffMs } from './backoff.ts'
import { explainStorageError, isTransient } from './storage-error.ts'

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
  /** Runs a group at once, all of it or nothing; returns what each job gets. */
  run(inputs: Input[]): Promise<unknown[]>
  /** After every failure. */
  reconnect(): void
}

export type Line<Input> = {
  add(job: Job<Input>): void
  /** Milliseconds until there is something to run: 0 for now, infinite while none waits. */
  untilDue(): number
  runDue(): Promise<void>
}

/** Jobs of one kind that wait for their turn and, after they met a lock, for the next attempt. */
export function openLine<Input>({ groups, run, reconnect }: Running<Input>): Line<Input> {
  let waiting: Job<Input>[] = []
  let failures = 0
  let retryAt = 0

  function untilDue(): number {
    return waiting.length === 0 ? Number.POSITIVE_INFINITY : Math.max(retryAt - performance.now(), 0)
  }

  async function runDue(): Promise<void> {
    if (untilDue() > 0) return
    for (const group of groups(waiting)) {
      const busy = await runGroup(group)
      remove(group.filter((job) => !busy.includes(job)))
      // A lock that blocks one blocks all, and trying each would keep the event loop busy.
      if (busy.length > 0) return waitForLock()
    }
    failures = 0
  }

  /** Resolves or rejects each job of the group, but returns those that met a lock, to be retried. */
  async function runGroup(group: Job<Input>[]): Promise<Job<Input>[]> {
    try {
      const results = await run(group.map(({ input }) => input))
      group.forEach((job, place) => {
        job.resolve(results[place])
      })
      return []
    } catch (error) {
      reconnect()
      if (isTransient(error)) return group
      const [only, ...others] = group
      if (only === undefined || others.length > 0) return runEachAlone(group)
      only.reject(explainStorageError(error))
      return []
    }
  }

  /** One bad job must not fail the others in its group. */
  async function runEachAlone(group: Job<Input>[]): Promise<Job<Input>[]> {
    const busy: Job<Input>[] = []
    for (const job of group) busy.push(...(await runGroup([job])))
    return busy
  }

  function waitForLock(): void {
    retryAt = performance.now() + backoffMs(++failures)
    const overdue = waiting.filter(({ deadline }) => deadline <= performance.now())
    remove(overdue)
    for (const { reject } of overdue) {
      reject(new UserError('busy', 'The database is busy. Nothing was stored; try again in a few seconds.'))
    }
  }

  function remove(jobs: Job<Input>[]): void {
    const removed = new Set(jobs)
    waiting = waiting.filter((job) => !removed.has(job))
  }

  return { add: (job) => waiting.push(job), untilDue, runDue }
}
