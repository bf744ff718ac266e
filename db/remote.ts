import { setTimeout as delay } from 'node:timers/promises'
import { createClient } from '@libsql/client/http'
import type { Connection } from './connection.ts'
import { PATIENCE_MS } from './queue.ts'
import { explainStorageError, isBusy } from './storage-error.ts'

const LONGEST_WAIT_MS = 100

/** Opens a libSQL server (sqld or Turso). It keeps its own durability; under load it answers "busy" at once. */
export function openRemote(url: string, authToken: string | undefined): Connection {
  const client = createClient({ url, authToken, fetch: fetchInTime })
  return {
    read: (statement) => patiently(() => client.execute(statement)),
    write: (statements) => patiently(() => client.batch(statements, 'write')),
    keepPrivate: async () => {},
    rewrite: async () => {},
    close: async () => client.close(),
  }
}

/** A server that takes a request and never answers must not take ours with it. */
function fetchInTime(request: Request): Promise<Response> {
  return fetch(request, { signal: AbortSignal.timeout(PATIENCE_MS) })
}

async function patiently<Result>(ask: () => Promise<Result>): Promise<Result> {
  for (const deadline = performance.now() + PATIENCE_MS; ; await delay(Math.random() * LONGEST_WAIT_MS)) {
    try {
      return await ask()
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw explainStorageError(error)
    }
  }
}
