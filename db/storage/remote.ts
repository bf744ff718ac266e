import { setTimeout as delay } from 'node:timers/promises'
import { type Client, createClient } from '@libsql/client/http'
import pLimit, { type LimitFunction } from 'p-limit'
import { UserError } from '#db/values/errors.ts'
import type { Connection, Execute, Work } from './connection.ts'
import { backoffMs, currentDeadline, requestDeadlineMs } from './deadline.ts'
import { explainStorageError, isTransient } from './storage-error.ts'

/** A server accepts 128 connections from all instances together. */
const CONCURRENT_READS = 20
/** The server runs one transaction at a time, so a second one would only wait there. */
const CONCURRENT_WRITES = 1
/** How long rows count as current although another instance may write, in ms. */
const READ_TTL_MS = 1000
/** The server has not processed the request, or a proxy has lost the server meanwhile. */
const NO_REPLY = [429, 502, 503, 504]
const NOT_AUTHORIZED = [401, 403]
/**
 * The least time that a transaction gets, in ms. If a reply is lost within one, the server keeps its lock; sqld releases
 * it after 5 s, once another client waits for it.
 */
const WRITE_TIMEOUT_MS = 6000

type Attempt<Result> = (client: Client) => Promise<Result>

/**
 * Opens a libSQL server (sqld or Turso), which is responsible for durability. Requests without a reply are retried until
 * the deadline, because the server may restart or be behind a load balancer, but not a COMMIT that may have arrived.
 */
export function openRemote(url: string, authToken: string | undefined): Connection {
  const reads = pLimit(CONCURRENT_READS)
  const writes = pLimit(CONCURRENT_WRITES)
  /** Every request of a snapshot has the same timeout. */
  const snapshots = clientWith((request) => withTimeout(requestDeadlineMs(), (signal) => send(request, signal)))
  let isAccepted = false
  let written = 0

  async function retry<Result>(slots: LimitFunction, attempt: Attempt<Result>, leastMs = 0): Promise<Result> {
    const end = Math.max(currentDeadline(), performance.now() + leastMs)
    for (let failures = 1; ; failures++) {
      const wait = backoffMs(failures)
      try {
        return await slots(() => tryUntil(end, attempt))
      } catch (error) {
        // With a wrong token a site does not start, but a running site goes on, and tries again with the next request.
        if (error instanceof NotAuthorized)
          throw new UserError(isAccepted ? 'unavailable' : 'configuration', error.message)
        const isOver = snapshots.closed || performance.now() + wait > end
        if (isOver || !(isTransient(error) || error instanceof LostRequest)) throw explainStorageError(error)
      }
      await delay(wait)
    }
  }

  /** The driver passes only the request to its fetch, so each attempt has its own client (10 µs) with its signal. */
  async function tryUntil<Result>(end: number, attempt: Attempt<Result>): Promise<Result> {
    const left = end - performance.now()
    if (snapshots.closed || left <= 0) throw new LostRequest('The deadline was over before the request was sent.')
    return withTimeout(left, (signal) => attempt(clientWith((request) => send(request, signal))))
  }

  function clientWith(fetch: (request: Request) => Promise<Response>): Client {
    return createClient({ url, authToken, fetch, concurrency: 0 })
  }

  async function writeOne<Result>(attempt: Attempt<Result>): Promise<Result> {
    try {
      return await retry(writes, attempt, WRITE_TIMEOUT_MS)
    } finally {
      // Also after a failure, because the write may have arrived.
      written += 1
    }
  }

  /** A transaction whose COMMIT was not sent is not stored; one whose COMMIT got no reply may be. */
  async function runTransaction<Result>(client: Client, work: Work<Result>, repeatable: boolean) {
    const transaction = await client.transaction('write')
    let failure: unknown
    const execute: Execute = (statements) =>
      transaction.batch(statements).catch((error) => {
        failure = error
        throw error
      })
    try {
      const outcome = await work(execute).then(
        (value) => ({ value }),
        (reason) => ({ reason }),
      )
      if (failure !== undefined) throw failure
      if ('value' in outcome)
        await transaction.commit().catch((error) => {
          throw error instanceof LostRequest && !repeatable ? explainStorageError(error) : error
        })
      return outcome
    } finally {
      transaction.close()
    }
  }

  return {
    isServer: true,
    read: (statement) => retry(reads, (client) => client.execute(statement)),
    write: async (work, { repeatable = false } = {}) => {
      const outcome = await writeOne((client) => runTransaction(client, work, repeatable))
      // Thrown by the work itself, e.g. a refusal.
      if ('reason' in outcome) throw outcome.reason
      return outcome.value
    },
    batch: (statements) => writeOne((client) => client.batch(statements, 'write')),
    changes: () => `${written} ${Math.floor(performance.now() / READ_TTL_MS)}`,
    accept: async () => {
      isAccepted = true
    },
    rewrite: async () => {},
    copyTo: async (file) => {
      const { copyToFile } = await import('./copy-to-file.ts')
      // The server keeps a snapshot for 10 s after each reply. Its requests cannot be retried: with a reply, the
      // transaction's continuation token is lost.
      const snapshot = await snapshots.transaction('read')
      const read: Connection['read'] = (statement) =>
        snapshot.execute(statement).catch((error) => Promise.reject(explainStorageError(error)))
      await copyToFile({ read }, file).finally(() => snapshot.close())
    },
    close: async () => snapshots.close(),
  }
}

/** A request to a libSQL server without a complete reply: the server may have executed it anyway. */
class LostRequest extends Error {}

class NotAuthorized extends Error {}

/** Sends a request and reads the whole reply; a truncated reply counts as lost. */
async function send(request: Request, signal: AbortSignal): Promise<Response> {
  const { status, headers, body } = await fetchReply(request, signal)
  if (NOT_AUTHORIZED.includes(status)) {
    const todo = 'Set DATABASE_AUTH_TOKEN to a token that may read and write and has not expired.'
    throw new NotAuthorized(`The libSQL server does not let the site in (HTTP ${status}). ${todo}`)
  }
  if (NO_REPLY.includes(status)) throw new LostRequest(`The libSQL server did not reply (HTTP ${status}).`)
  return new Response(body, { status, headers })
}

async function fetchReply(request: Request, signal: AbortSignal) {
  try {
    const reply = await fetch(request, { signal })
    return { status: reply.status, headers: reply.headers, body: await reply.arrayBuffer() }
  } catch {
    throw new LostRequest('The libSQL server did not reply.')
  }
}

/** Not AbortSignal.timeout(), which would keep everything that was sent in memory until the time is up. */
async function withTimeout<Result>(ms: number, run: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), ms)
  try {
    return await run(controller.signal)
  } finally {
    clearTimeout(timer)
  }
}
