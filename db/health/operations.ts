import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { db } from './client.ts'
import { UserError } from './errors.ts'
import { featureFlags } from './feature/table.ts'
import { type Operation, operation } from './operation.ts'

/**
 * Whether the database can be read.
 * @throws UserError 'unavailable' when it cannot.
 */
export const checkHealth = operation(z.unknown(), async () => {
  await db.select({ one: sql`1` }).from(featureFlags).limit(1)
  return { status: 'ok' as const }
})

/**
 * What SQLite finds wrong in the file, page by page and row by row; nothing when all is well. Reads the whole file:
 * 136 ms for 100,000 responses.
 */
export const findDamage: Operation<string[]> = async (input, call) => {
  try {
    return await readEverything(input, call)
  } catch (error) {
    // Some damage is met before it can be listed.
    if (error instanceof UserError && error.code === 'damaged') return [error.message]
    throw error
  }
}

const readEverything = operation(z.unknown(), async (): Promise<string[]> => {
  const damage = sql<string>`integrity_check`
  const found = await db.select({ damage }).from(sql`pragma_integrity_check(10)`)
  const orphans = sql<string>`"table"`
  const lost = await db.select({ orphans }).from(sql`pragma_foreign_key_check`)
  return [
    ...found.map((row) => row.damage).filter((line) => line !== 'ok'),
    ...lost.map((row) => `A row of ${row.orphans} belongs to nothing.`),
  ]
})
