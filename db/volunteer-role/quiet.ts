import * as z from 'zod/mini'
import { readSettings } from '#db/config/config.ts'
import { fileOf } from '#db/config/places.ts'
import { readWithoutRecovery } from '#db/storage/local-client.ts'
import type { StoredVolunteerRole } from './schema.ts'

/** What a shell completes. */
type NamedRole = Omit<StoredVolunteerRole, 'needed'>

const row = z.pipe(
  z.tuple([z.int(), z.string(), z.number()]),
  z.transform(([id, name, retired]) => ({ id, name, retired: retired !== 0 })),
)

/**
 * Every role, for shell completion. Writes nothing and reports no error: after any failure the list is empty. So is
 * that of a libSQL server, which might take long to reply.
 */
export async function readRolesQuietly(environment: NodeJS.ProcessEnv): Promise<NamedRole[]> {
  try {
    const file = fileOf(readSettings(environment).databaseUrl)
    if (file === undefined) return []
    return z
      .array(row)
      .parse(await readWithoutRecovery(file, 'SELECT id, name, retired FROM volunteer_roles ORDER BY id'))
  } catch {
    return []
  }
}
