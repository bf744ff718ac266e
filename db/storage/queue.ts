import { setImmediate as nextTurn } from 'node:timers/promises'
import { UserError } from '#db/values/errors.ts'
import type { Connection, Outcome, ResultSet, Statement, Work } from './connection.ts'
import { backoffMs, currentDeadline } from './deadline.ts'
import { explainStorageError, isTransient } from './storage-error.ts'

/** The most transactions that share one COMMIT. More would block the event loop for too long. */
const GROUP_MAXIMUM = 32

type Driver = {
  read(statement: Statement): Promise<ResultSet>
  /**
   * Runs each work in its own savepoint and commits all together. A work that throws is rolled back alone; rejects if
   * nothing was stored.
   */
  commitTogether(works: Work<unknown>[]): Promise<Outcome[]>
  /** Replaces the connection, after every failure. */
  reconnect(): void
  close(): void
}

type Job<Input> = {
  input: Input
  /** On the clock of `performance.now()`. */
  deadline: number
  /** Whether it failed in a group and now runs alone, to find the faulty one. */
  isAlone: boolean
  resolve(result: unknown): void
  reject(reason: unknown): void
}

/** Waiting jobs; after a lock they wait until `retryAt`. */
type Line<Input> = { jobs: Job<Input>[]; retryAt: number; failures: number }

/**
 * The queue in front of the single connection: one job at a time, first the waiting reads, then the waiting
 * transactions, in groups that share one COMMIT. Each kind has its own line, because a lock that blocks transactions
 * need not block reads.
 */
export function openQueue(driver: Driver): Pick<Connection, 'read' | 'write' | 'close'> {
  const reads = newLine<Statement>()
  const transactions = newLine<Work<unknown>>()
  let draining: Promise<void> | undefined
  let endPause = () => {}

  function enqueue<Input, Result>(line: Line<Input>, input: Input): Promise<Result> {
    const deadline = currentDeadline()
    return new Promise((resolve, reject) => {
      line.jobs.push({ input, deadline, isAlone: false, resolve: (result) => resolve(result as Result), reject })
      draining ??= drain()
      endPause()
    })
  }

  async function drain(): Promise<void> {
    while (reads.jobs.length + transactions.jobs.length > 0) {
      const wait = Math.min(msUntilDue(reads), msUntilDue(transactions))
      // nextTurn() lets requests that arrived together join the queue before a group is taken.
      await (wait > 0 ? pause(wait) : nextTurn())
      for (let left = reads.jobs.length; left > 0 && msUntilDue(reads) === 0; left--) {
        const read = takeGroup(reads, 1)
        const perform = (statement: Statement) => driver.read(statement).then((value) => ({ value }))
        await run(reads, read, (statements) => Promise.all(statements.map(perform)))
      }
      if (msUntilDue(transactions) === 0)
        await run(transactions, takeGroup(transactions, GROUP_MAXIMUM), driver.commitTogether)
    }
    // In the same turn as the last check of the queue, so that a later job starts a new drain.
    draining = undefined
  }

  async function run<Input>(
    line: Line<Input>,
    group: Job<Input>[],
    perform: (inputs: Input[]) => Promise<Outcome[]>,
  ): Promise<void> {
    try {
      const outcomes = await perform(group.map(({ input }) => input))
      line.failures = 0
      for (const [place, job] of group.entries()) reply(job, outcomes[place])
    } catch (error) {
      driver.reconnect()
      if (isTransient(error)) waitForLock(line, group)
      else if (group.length > 1) line.jobs.unshift(...group.map((job) => ({ ...job, isAlone: true })))
      else group[0]?.reject(explainStorageError(error))
    }
  }

  function waitForLock<Input>(line: Line<Input>, group: Job<Input>[]): void {
    line.retryAt = performance.now() + backoffMs(++line.failures)
    const now = performance.now()
    const jobs = [...group, ...line.jobs]
    line.jobs = jobs.filter(({ deadline }) => deadline > now)
    for (const { deadline, reject } of jobs) if (deadline <= now) reject(new UserError('database-busy'))
  }

  /** Ends early when another job arrives: a read need not wait behind a waiting write. */
  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      endPause = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  return {
    read: (statement) => enqueue(reads, statement),
    write: (work) => enqueue(transactions, work),
    async close() {
      await draining
      driver.close()
    },
  }
}

function newLine<Input>(): Line<Input> {
  return { jobs: [], retryAt: 0, failures: 0 }
}

/** 0 if a job is due now; infinite if none waits. */
function msUntilDue({ jobs, retryAt }: Line<unknown>): number {
  return jobs.length === 0 ? Number.POSITIVE_INFINITY : Math.max(retryAt - performance.now(), 0)
}

/** Jobs that run alone are first in the line. */
function takeGroup<Input>({ jobs }: Line<Input>, maximum: number): Job<Input>[] {
  return jobs.splice(0, jobs[0]?.isAlone ? 1 : maximum)
}

function reply(job: Job<unknown>, outcome: Outcome | undefined): void {
  if (outcome === undefined) throw new Error('A transaction has an outcome for each of its works.')
  if ('reason' in outcome) job.reject(outcome.reason)
  else job.resolve(outcome.value)
}
