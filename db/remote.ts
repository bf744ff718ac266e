import { setTimeout as delay } from 'node:timers/promises'
import { createClient } from '@libsql/client/http'
import type { Connection } from './connection.ts'
import { deadline } from './deadline.ts'
import { explainStorageError, isPassing } from './storage-error.ts'

const LONGEST_WAIT_MS = 100

/** Opens a libSQL server (sqld or Turso). It keeps its own durability; under load it answers "busy" at once. */
export function openRemote(url: string, authToken: string | undefined): Connection {
  const client = createClient({ url, authToken, fetch: fetchInTime })
  return {
    read: (statement) => patiently(() => client.execute(statement)),
    write: (statements) => patiently(() => client.batch(statements, 'write')),
    keepPrivate: async () => {},
    rewrite: async () => {},
    copyTo: async () => {
      throw new Error('Not yet.')
    },
    close: async () => client.close(),
  }
}

/** Even who has waited for something else until now gets this long for an answer, in ms. */
const SHORTEST_WAIT_MS = 1000

/** A server that takes a request and never answers must not take ours with it. */
function fetchInTime(request: Request): Promise<Response> {
  return fetch(request, {
    signal: AbortSignal.timeout(Math.ceil(Math.max(SHORTEST_WAIT_MS, deadline() - performance.now()))),
  })
}

async function patiently<Result>(ask: () => Promise<Result>): Promise<Result> {
  for (const end = deadline(); ; await delay(Math.random() * LONGEST_WAIT_MS)) {
    try {
      return await ask()
    } catch (error) {
      if (!isPassing(error) || performance.now() > end) throw explainStorageError(error)
    }
  }
}
