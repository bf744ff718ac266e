import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Connection, ResultSet, Statement } from './connection.ts'
import { currentDeadline } from './deadline.ts'
import { identicalReads } from './identical-reads.ts'
import { type Line, openLine } from './line.ts'
import { firstGroup, groupOf, type Write } from './write-group.ts'

/** How often reads go before writes that wait … */
const PASSES_MAXIMUM = 8
/** … and how long all of these may take, in ms. */
const PASSING_MAXIMUM_MS = 10

/** The single connection below the queue. `reconnect` replaces it after a failure. */
type Driver = {
  read(statement: Statement): Promise<ResultSet>
  write(statements: Statement[]): Promise<ResultSet[]>
  reconnect(): void
  close(): void
}

/**
 * One queue in front of one connection, one thing at a time; it waits for locks and groups writes that wait together.
 * Reads have a line of their own: a lock that blocks a write need not block them.
 */
export function openQueue(driver: Driver): Pick<Connection, 'read' | 'write' | 'writeShared' | 'load' | 'close'> {
  const reads = openLine<Statement>({
    groups: identicalReads,
    run: async (statements) => {
      const result = await driver.read(firstOf(statements))
      return () => statements.map(() => result)
    },
    reconnect: driver.reconnect,
  })
  const writes = openLine<Write>({
    groups: (waiting) => [firstGroup(waiting)],
    run: async (inputs) => {
      const { statements, resultsOf } = groupOf(inputs)
      const results = await driver.write(statements)
      return () => resultsOf(results)
    },
    reconnect: driver.reconnect,
  })
  let draining: Promise<void> | undefined
  let endPause = () => {}

  function enqueue<Input, Result>(line: Line<Input>, input: Input, deadline = currentDeadline()): Promise<Result> {
    return new Promise((resolve, reject) => {
      line.add({ input, deadline, resolve: (result) => resolve(result as Result), reject })
      draining ??= drain()
      endPause()
    })
  }

  async function drain(): Promise<void> {
    let passed = 0
    let passedMs = 0
    for (;;) {
      const wait = Math.min(reads.untilDue(), writes.untilDue())
      if (wait === Number.POSITIVE_INFINITY) break
      // Otherwise lets requests that arrived together join the queue before a group is taken.
      await (wait > 0 ? pause(wait) : nextTurn())
      if (reads.untilDue() > 0 || passed >= PASSES_MAXIMUM || passedMs >= PASSING_MAXIMUM_MS) {
        await writes.runDue()
        passed = 0
        passedMs = 0
        continue
      }
      // Most of those who read now write next: reads go first, so that such a write joins the transaction of those that wait.
      const started = performance.now()
      const isOver = () => writes.untilDue() === 0 && passedMs + performance.now() - started >= PASSING_MAXIMUM_MS
      await reads.runDue(isOver)
      if (writes.untilDue() > 0) continue
      passed += 1
      passedMs += performance.now() - started
    }
    // In the same turn as the last check of the queue: a later job has to start a new drain.
    draining = undefined
  }

  /** Until there is something to try again, or another job comes: a read need not wait behind a write that does. */
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
    write: (statements, { deadline } = {}) => enqueue(writes, { statements }, deadline),
    writeShared: (shared, item, { deadline } = {}) => enqueue(writes, { shared, item }, deadline),
    load: () => {
      const [read, write] = [reads.load(), writes.load()]
      return { waiting: read.waiting + write.waiting, retries: read.retries + write.retries }
    },
    async close() {
      await draining
      driver.close()
    },
  }
}

function firstOf<Item>([first]: Item[]): Item {
  if (first === undefined) throw new Error('A group of reads is never empty.')
  return first
}
