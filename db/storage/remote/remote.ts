import { setTimeout as delay } from 'node:timers/promises'
import { type Client, createClient } from '@libsql/client/http'
import pLimit, { type LimitFunction } from 'p-limit'
import { UserError } from '#db/errors.ts'
import { backoffMs } from '#db/storage/backoff.ts'
import type { Connection } from '#db/storage/connection.ts'
import { currentDeadline, REQUEST_DEADLINE_MS } from '#db/storage/deadline.ts'
import { explainStorageError, isTransient } from '#db/storage/storage-error.ts'
import { LostRequest, NotAuthorized, send } from './lost-request.ts'

/** Concurrent requests to one server: it accepts 128 connections from all instances together. */
const CONCURRENT_READS = 20
/**
 * Concurrent writes slow each other down: 2,000 took 3.8 s one by one and 4 s two at a time, but 7 to 18 s with 20 at a
 * time, where one waited for 10 s and sqld once stopped accepting any.
 */
const CONCURRENT_WRITES = 2
/** For how long what was read counts as current although another instance may write, in ms. */
const READ_TTL_MS = 1000
/** The least time that a call gets, even if its request has spent its deadline on something else, in ms. */
const MINIMUM_TIMEOUT_MS = 1000

type Attempt<Result> = (client: Client) => Promise<Result>

/**
 * Opens a libSQL server (sqld or Turso). The server takes care of durability; it may be busy, restart, or be behind a
 * load balancer. Reads are retried until the deadline; a write only while it certainly has not arrived, or if it is
 * repeatable.
 */
export function openRemote(url: string, authToken: string | undefined): Connection {
  const reads = pLimit(CONCURRENT_READS)
  const writes = pLimit(CONCURRENT_WRITES)
  /** For snapshots: each of their requests has the same timeout. */
  const snapshots = clientWith((request) => withTimeout(REQUEST_DEADLINE_MS, (signal) => send(request, signal)))
  let isAccepted = false
  let written = 0
  let retries = 0

  async function retry<Result>(
    slots: LimitFunction,
    attempt: Attempt<Result>,
    { repeatable = false, deadline = currentDeadline() },
  ): Promise<Result> {
    const end = Math.max(deadline, performance.now() + MINIMUM_TIMEOUT_MS)
    for (let failures = 1; ; failures++) {
      const wait = backoffMs(failures)
      try {
        return await slots(() => tryUntil(end, attempt))
      } catch (error) {
        if (error instanceof NotAuthorized) throw explainNotAuthorized(error, isAccepted)
        const isOver = snapshots.closed || performance.now() + wait > end
        if (isOver || !(isTransient(error) || mayResend(error, repeatable))) throw explainStorageError(error)
      }
      retries += 1
      await delay(wait)
    }
  }

  /** The driver passes its fetch nothing but the request, so each attempt has a client of its own (10 µs) and its signal. */
  async function tryUntil<Result>(end: number, attempt: Attempt<Result>): Promise<Result> {
    const left = end - performance.now()
    if (snapshots.closed || left <= 0) throw new LostRequest({ mayHaveArrived: false })
    return withTimeout(left, (signal) => attempt(clientWith((request) => send(request, signal))))
  }

  function clientWith(fetch: (request: Request) => Promise<Response>): Client {
    return createClient({ url, authToken, fetch, concurrency: 0 })
  }

  /**
   * Reads a consistent snapshot: the server keeps it for 10 s after each reply. Nothing in it can be retried: a lost
   * reply also loses the transaction's continuation token.
   */
  async function withSnapshot(use: (read: Connection['read']) => Promise<void>): Promise<void> {
    const snapshot = await snapshots.transaction('read')
    try {
      await use((statement) =>
        snapshot.execute(statement).catch((error) => {
          throw explainStorageError(error)
        }),
      )
    } finally {
      snapshot.close()
    }
  }

  const writeAll: Connection['write'] = async (statements, options = {}) => {
    try {
      return await retry(writes, (client) => client.batch(statements, 'write'), options)
    } finally {
      // Also after a failure: it may have arrived.
      written += 1
    }
  }

  return {
    isServer: true,
    read: (statement) => retry(reads, (client) => client.execute(statement), { repeatable: true }),
    write: writeAll,
    // Each alone: a server has a queue of its own.
    writeShared: async (shared, item, options) => {
      const [result] = shared.results(await writeAll(shared.statements([item]), options), [item])
      if (result === undefined) throw new Error('A shared write has a result for each item.')
      return result
    },
    changes: () => `${written} ${Math.floor(performance.now() / READ_TTL_MS)}`,
    load: () => ({ waiting: reads.pendingCount + writes.pendingCount, retries }),
    accept: async () => {
      isAccepted = true
    },
    rewrite: async () => {},
    copyTo: async (file) => {
      const { copyToFile } = await import('#db/storage/copy-to-file.ts')
      await withSnapshot(async (read) => copyToFile({ read }, file))
    },
    close: async () => snapshots.close(),
  }
}

/** Not AbortSignal.timeout(): that would keep everything that was sent in memory until the time is up. */
async function withTimeout<Result>(ms: number, run: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), ms)
  try {
    return await run(controller.signal)
  } finally {
    clearTimeout(timer)
  }
}

function mayResend(error: unknown, repeatable: boolean): boolean {
  return error instanceof LostRequest && (repeatable || !error.mayHaveArrived)
}

/** A wrong token keeps a site from starting; a running site stays up, and tries again with the next request. */
function explainNotAuthorized({ status }: NotAuthorized, isAccepted: boolean): UserError {
  return new UserError(
    isAccepted ? 'unavailable' : 'configuration',
    `The libSQL server does not let the site in (HTTP ${status}). Set DATABASE_AUTH_TOKEN to a token that may read and write and has not expired.`,
  )
}
