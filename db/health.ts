import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { db } from './client.ts'
import { featureFlags } from './feature/table.ts'
import { operation } from './operation.ts'

/**
 * Whether the database can be read.
 * @throws UserError 'unavailable' when it cannot.
 */
export const checkHealth = operation(z.unknown(), async () => {
  await db.select({ one: sql`1` }).from(featureFlags).limit(1)
  return { status: 'ok' as const }
})
