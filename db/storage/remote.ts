import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { createClient } from '@libsql/client/http'
import pLimit, { type LimitFunction } from 'p-limit'
import { UserError } from '#db/errors.ts'
import type { Connection } from './connection.ts'
import { deadline, PATIENCE_MS } from './deadline.ts'
import { LostRequest, NotAdmitted, send } from './lost-request.ts'
import { isRepeatable } from './repeatable.ts'
import { explainStorageError, isPassing } from './storage-error.ts'

/** Requests under way to one server at a time: it takes 128 connections, from all instances together. */
const READS_AT_ONCE = 20
/**
 * Writes hinder each other: 2,000 took 3.8 s one by one and 4 s two at a time, but 7 to 18 s of 20 at a time, where
 * one waited for 10 s and sqld was once seen to let none through any more.
 */
const WRITES_AT_ONCE = 2
/** Even who has waited for something else until now gets this long for an answer, in ms. */
const SHORTEST_PATIENCE_MS = 1000
const FIRST_WAIT_MS = 5
const LONGEST_WAIT_MS = 200

/** How long an attempt may take: the driver hands nothing but the request to what sends it. */
const attempts = new AsyncLocalStorage<AbortSignal>()

/**
 * Opens a libSQL server (sqld or Turso). It keeps its own durability; it may say that it is busy, be restarted, or
 * have a load balancer before it. Reads are asked again until there is an answer; a write only while it is certain
 * that it has not arrived, or where twice is the same as once.
 */
export function openRemote(url: string, authToken: string | undefined): Connection {
  const client = createClient({ url, authToken, fetch: sendInTime, concurrency: 0 })
  const reads = pLimit(READS_AT_ONCE)
  const writes = pLimit(WRITES_AT_ONCE)
  let isOpen = false

  async function patiently<Result>(slots: LimitFunction, ask: () => Promise<Result>, again: boolean): Promise<Result> {
    const end = Math.max(deadline(), performance.now() + SHORTEST_PATIENCE_MS)
    for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
      try {
        return await slots(() => inTime(end, ask))
      } catch (error) {
        if (error instanceof NotAdmitted) throw explainNotAdmitted(error, isOpen)
        const isOver = performance.now() + wait > end
        if (isOver || !(isPassing(error) || isUndone(error, again))) throw explainStorageError(error)
      }
      await delay(wait * (0.5 + Math.random()))
    }
  }

  /** Everything that is read there is as it was at the first time: the server keeps it, for 10 s after each answer. */
  async function atOneMoment(use: (read: Connection['read']) => Promise<void>): Promise<void> {
    const moment = await client.transaction('read')
    try {
      await use((statement) => once(() => moment.execute(statement)))
    } finally {
      moment.close()
    }
  }

  return {
    read: (statement) => patiently(reads, () => client.execute(statement), true),
    write: (statements) => patiently(writes, () => client.batch(statements, 'write'), isRepeatable()),
    keepPrivate: async () => {
      isOpen = true
    },
    rewrite: async () => {},
    copyTo: async (file) => {
      const { copyToFile } = await import('./copy-to-file.ts')
      await atOneMoment(async (read) => copyToFile({ read }, file))
    },
    close: async () => client.close(),
  }
}

function isUndone(error: unknown, again: boolean): boolean {
  return error instanceof LostRequest && (again || !error.maybeDone)
}

/** A server that takes a request and never answers must not take ours with it, nor those that wait for their turn. */
async function inTime<Result>(end: number, ask: () => Promise<Result>): Promise<Result> {
  const left = end - performance.now()
  if (left <= 0) throw new LostRequest({ maybeDone: false })
  // Not AbortSignal.timeout(): until it is over, that would keep everything in memory that was sent.
  const attempt = new AbortController()
  const timer = setTimeout(() => attempt.abort(), left)
  try {
    return await attempts.run(attempt.signal, ask)
  } finally {
    clearTimeout(timer)
  }
}

/** What belongs to a transaction cannot be sent again: with its answer the thread is lost that leads to it. */
async function once<Result>(ask: () => Promise<Result>): Promise<Result> {
  try {
    return await inTime(performance.now() + PATIENCE_MS, ask)
  } catch (error) {
    throw explainStorageError(error)
  }
}

function sendInTime(request: Request): Promise<Response> {
  return send(request, attempts.getStore() ?? AbortSignal.timeout(SHORTEST_PATIENCE_MS))
}

/** A site does not start with a token that does not do; one that runs goes on, and tries again. */
function explainNotAdmitted({ status }: NotAdmitted, isOpen: boolean): UserError {
  return new UserError(
    isOpen ? 'unavailable' : 'configuration',
    `The libSQL server does not let the site in (HTTP ${status}). Set DATABASE_AUTH_TOKEN to a token that may read and write and has not expired.`,
  )
}
