import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { UserError } from '#db/errors.ts'
import { featureFlags } from '#db/feature/table.ts'
import { type Call, operation } from '#db/operation.ts'
import { db, openedDatabase, refuseWrites, repeatableDb } from '#db/storage/client.ts'
import { damageIn } from '#db/storage/integrity.ts'
import { healthChecks } from './table.ts'

/** Anybody may ask, and as often as he likes: he cannot make the disk busy with it. In ms. */
const WRITE_BELIEVED_FOR_MS = 2000

let written: { at: number; writing: Promise<void> } | undefined

/**
 * Whether the database can be read and written.
 * @throws UserError 'unavailable', 'busy' or 'damaged' with the reason when it cannot.
 */
export const checkHealth = operation(z.unknown(), async (_input, call) => {
  await db.select({ one: sql`1` }).from(featureFlags).limit(1)
  await writeNowAndThen(call)
  return { status: 'ok' as const }
})

/** What is wrong in the database, page by page and row by row; nothing when all is well. */
export const findDamage = operation(z.unknown(), () => damageIn(openedDatabase()))

/** Damage was found by somebody else: everything can still be read, and nothing is stored from now on. */
export const reportDamage = operation(z.unknown(), async () => refuseWrites())

async function writeNowAndThen(call: Call): Promise<void> {
  const now = performance.now()
  if (written === undefined || now - written.at >= WRITE_BELIEVED_FOR_MS) written = { at: now, writing: write(call) }
  await written.writing
}

async function write({ now }: Call): Promise<void> {
  const checkedAt = now.getTime()
  try {
    const target = healthChecks.id
    await repeatableDb.batch([
      db.insert(healthChecks).values({ checkedAt }).onConflictDoUpdate({ target, set: { checkedAt } }),
    ])
  } catch (error) {
    // To whoever looks after the site a full disk is a site that is not well.
    if (error instanceof UserError && error.code === 'full') throw new UserError('unavailable', error.message)
    throw error
  }
}
