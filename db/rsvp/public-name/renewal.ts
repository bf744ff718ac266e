import { and, ne, sql } from 'drizzle-orm'
import { type Call, operationWithoutInput } from '#db/operation.ts'
import { isNamed } from '#db/rsvp/conditions.ts'
import { WRITE_BATCH_SIZE } from '#db/rsvp/schema.ts'
import { rsvps } from '#db/rsvp/table.ts'
import { db } from '#db/storage/client.ts'
import { publicNameOf } from './public-name.ts'
import { PUBLIC_NAME_RULE } from './rule.ts'

/** Renews every public name that an older rule made. Can be aborted between two writes. */
export async function renewEveryPublicName(call: Call, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await renewPublicNames(call)) > 0);
}

/**
 * Renews a batch of the public names that an older rule made; none is left when it returns 0. Until then visitors see
 * only their first letter, so it does not matter when it runs or whether it is interrupted.
 */
const renewPublicNames = operationWithoutInput(async (): Promise<number> => {
  const found = await db
    .select({ id: rsvps.id, name: rsvps.name })
    .from(rsvps)
    .where(and(ne(rsvps.publicNameRule, PUBLIC_NAME_RULE), isNamed))
    .limit(WRITE_BATCH_SIZE)
  if (found.length === 0) return 0
  const renewed = found.map(({ id, name }) => ({ id, name, publicName: publicNameOf(name) }))
  const [changed] = await db.batch([
    db
      .update(rsvps)
      .set({ publicName: sql`renewed.value ->> 'publicName'`, publicNameRule: PUBLIC_NAME_RULE })
      .from(sql`json_each(${JSON.stringify(renewed)}) AS renewed`)
      // Not of a response that was anonymized meanwhile.
      .where(sql`${rsvps.id} = renewed.value ->> 'id' AND ${rsvps.name} = renewed.value ->> 'name'`)
      .returning({ id: rsvps.id }),
  ])
  return changed.length
})
