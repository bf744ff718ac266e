import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import type { ResultSet } from '@libsql/client'
import { UserError } from '#db/errors.ts'
import type { Connection, Statement, WriteOptions } from './connection.ts'
import { currentDeadline } from './deadline.ts'
import { explainStorageError, isPassing } from './storage-error.ts'

/** Writes that share one transaction and one fsync, at most. */
const GROUP_MAXIMUM = 32
const FIRST_WAIT_MS = 5
const LONGEST_WAIT_MS = 200

/** The bare connection under the queue. `renew` replaces it after a failure. */
type Bare = {
  read(statement: Statement): Promise<ResultSet>
  write(statements: Statement[]): Promise<ResultSet[]>
  renew(): void
  close(): void
}

type Job = {
  kind: 'read' | 'write'
  statements: Statement[]
  deadline: number
  resolve(results: ResultSet[]): void
  reject(reason: unknown): void
}

/** One queue in front of one connection: in order, one at a time, patient with locks, writes grouped. */
export function openQueue(bare: Bare): Pick<Connection, 'read' | 'write' | 'close'> {
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
    let wait = FIRST_WAIT_MS
    while (waiting.length > 0) {
      // Requests that arrived together get the chance to stand in the queue before the group is taken.
      if (waiting[0]?.kind === 'write') await nextTurn()
      const group = takeGroup(waiting)
      const busy = await runGroup(bare, group)
      if (busy.length === 0) {
        wait = FIRST_WAIT_MS
        continue
      }
      waiting.unshift(...busy)
      await runReads(bare, waiting)
      giveUpOnOverdue(waiting)
      await delay(wait * (0.5 + Math.random()))
      wait = Math.min(wait * 2, LONGEST_WAIT_MS)
    }
    // In the same turn as the last look at the queue: a job that came after it must start a new drain.
    draining = undefined
  }

  return {
    read: async (statement) => firstOf(await enqueue('read', [statement])),
    write: (statements, options) => enqueue('write', statements, options),
    async close() {
      await draining
      bare.close()
    },
  }
}

/** The first job; with a write, the other waiting writes as well, in their order. */
function takeGroup(waiting: Job[]): Job[] {
  const first = waiting.shift()
  if (first === undefined) return []
  if (first.kind === 'read') return [first]
  const others = waiting.filter((job) => job.kind === 'write').slice(0, GROUP_MAXIMUM - 1)
  for (const job of others) remove(waiting, job)
  return [first, ...others]
}

/** Answers every job of the group it can, and returns those that met a lock and should be tried again. */
async function runGroup(bare: Bare, group: Job[]): Promise<Job[]> {
  try {
    const results = await runTogether(bare, group)
    for (const job of group) job.resolve(results.splice(0, job.statements.length))
    return []
  } catch (error) {
    bare.renew()
    if (isPassing(error)) return group
    const [only, ...others] = group
    if (only !== undefined && others.length === 0) only.reject(explainStorageError(error))
    else return runEachAlone(bare, group)
    return []
  }
}

async function runTogether(bare: Bare, group: Job[]): Promise<ResultSet[]> {
  const statements = group.flatMap((job) => job.statements)
  if (group[0]?.kind === 'write') return bare.write(statements)
  return [await bare.read(firstOf(statements))]
}

/**
 * A lock that stops a write need not stop a read: nobody waits behind it for nothing. Where it does stop one it stops
 * all of them, and trying each would keep the event loop busy.
 */
async function runReads(bare: Bare, waiting: Job[]): Promise<void> {
  for (const job of waiting.filter(({ kind }) => kind === 'read')) {
    const busy = await runGroup(bare, [job])
    if (busy.length > 0) return
    remove(waiting, job)
  }
}

/** One bad write must not take its neighbours down with it. */
async function runEachAlone(bare: Bare, group: Job[]): Promise<Job[]> {
  const busy: Job[] = []
  for (const job of group) busy.push(...(await runGroup(bare, [job])))
  return busy
}

function giveUpOnOverdue(waiting: Job[]): void {
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
  if (first === undefined) throw new Error('The database answered without a result.')
  return first
}
