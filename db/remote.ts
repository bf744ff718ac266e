import { createClient } from '@libsql/client/http'
import type { Connection } from './connection.ts'
import { explainStorageError } from './storage-error.ts'

/** Opens a libSQL server (sqld or Turso). It keeps its own queue and its own durability. */
export function openRemote(url: string, authToken: string | undefined): Connection {
  const client = createClient({ url, authToken })
  return {
    read: (statement) => explained(client.execute(statement)),
    write: (statements) => explained(client.batch(statements, 'write')),
    close: async () => client.close(),
  }
}

async function explained<Result>(answer: Promise<Result>): Promise<Result> {
  try {
    return await answer
  } catch (error) {
    throw explainStorageError(error)
  }
}
