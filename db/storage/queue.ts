import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import type { ResultSet } from '@libsql/client'
import { UserError } from '#db/errors.ts'
import { backoffMs } from './backoff.ts'
import type { Connection, Statement, WriteOptions } from './connection.ts'
import { currentDeadline } from './deadline.ts'
import { explainStorageError, isTransient } from './storage-error.ts'

/** The most writes that share one transaction and one fsync. */
const GROUP_SIZE = 32

/** The single connection below the queue. `reconnect` replaces it after a failure. */
type Driver = {
  read(statement: Statement): Promise<ResultSet>
  write(statements: Statement[]): Promise<ResultSet[]>
  reconnect(): void
  close(): void
}

type Job = {
  kind: 'read' | 'write'
  statements: Statement[]
  deadline: number
  resolve(results: ResultSet[]): void
  reject(reason: unknown): void
}

/** One queue in front of one connection: in order, one at a time; it waits for locks and groups waiting writes. */
export function openQueue(driver: Driver): Pick<Connection, 'read' | 'write' | 'close'> {
  const waiting: Job[] = []
  let draining: Promise<void> | undefined

  function enqueue(
    kind: Job['kind'],
    statements: Statement[],
    { deadline = currentDeadline() }: WriteOptions = {},
  ): Promise<ResultSet[]> {
    return new Promise((resolve, reject) => {
      waiting.push({ kind, statements, deadline, resolve, reject })
      draining ??= drain()
    })
  }

  async function drain(): Promise<void> {
    let failures = 0
    while (waiting.length > 0) {
      // Lets requests that arrived together join the queue before a group is taken.
      if (waiting[0]?.kind === 'write') await nextTurn()
      const group = takeGroup(waiting)
      const busy = await runGroup(driver, group)
      if (busy.length === 0) {
        failures = 0
        continue
      }
      waiting.unshift(...busy)
      await runReads(driver, waiting)
      rejectOverdue(waiting)
      await delay(backoffMs(++failures))
    }
    // In the same turn as the last check of the queue: a later job has to start a new drain.
    draining = undefined
  }

  return {
    read: async (statement) => firstOf(await enqueue('read', [statement])),
    write: (statements, options) => enqueue('write', statements, options),
    async close() {
      await draining
      driver.close()
    },
  }
}

/** The first job; if it is a write, the waiting writes behind it as well, in order. */
function takeGroup(waiting: Job[]): Job[] {
  const first = waiting.shift()
  if (first === undefined) return []
  if (first.kind === 'read') return [first]
  const others = waiting.filter((job) => job.kind === 'write').slice(0, GROUP_SIZE - 1)
  for (const job of others) remove(waiting, job)
  return [first, ...others]
}

/** Resolves or rejects each job of the group, but returns those that met a lock, to be retried. */
async function runGroup(driver: Driver, group: Job[]): Promise<Job[]> {
  try {
    const results = await runTogether(driver, group)
    for (const job of group) job.resolve(results.splice(0, job.statements.length))
    return []
  } catch (error) {
    driver.reconnect()
    if (isTransient(error)) return group
    const [only, ...others] = group
    if (only !== undefined && others.length === 0) only.reject(explainStorageError(error))
    else return runEachAlone(driver, group)
    return []
  }
}

async function runTogether(driver: Driver, group: Job[]): Promise<ResultSet[]> {
  const statements = group.flatMap((job) => job.statements)
  if (group[0]?.kind === 'write') return driver.write(statements)
  return [await driver.read(firstOf(statements))]
}

/**
 * Runs waiting reads while writes are locked out: a lock that blocks a write need not block a read. If it blocks one it
 * blocks all, and trying each would keep the event loop busy.
 */
async function runReads(driver: Driver, waiting: Job[]): Promise<void> {
  for (const job of waiting.filter(({ kind }) => kind === 'read')) {
    const busy = await runGroup(driver, [job])
    if (busy.length > 0) return
    remove(waiting, job)
  }
}

/** One bad write must not fail the others in its group. */
async function runEachAlone(driver: Driver, group: Job[]): Promise<Job[]> {
  const busy: Job[] = []
  for (const job of group) busy.push(...(await runGroup(driver, [job])))
  return busy
}

function rejectOverdue(waiting: Job[]): void {
  const now = performance.now()
  const overdue = waiting.filter((job) => job.deadline <= now)
  for (const job of overdue) {
    remove(waiting, job)
    job.reject(new UserError('busy', 'The database is busy. Nothing was stored; try again in a few seconds.'))
  }
}

function remove(waiting: Job[], job: Job): void {
  waiting.splice(waiting.indexOf(job), 1)
}

function firstOf<Item>(items: Item[]): Item {
  const [first] = items
  if (first === undefined) throw new Error('The database returned no result.')
  return first
}
