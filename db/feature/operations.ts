import { sql } from 'drizzle-orm'
import { audited } from '#db/audit/operations.ts'
import { operation, operationWithoutInput } from '#db/operation.ts'
import { db } from '#db/storage/client.ts'
import { type Features, featureChange, featureNames, features } from './schema.ts'
import { featureFlags } from './table.ts'

/** The three features. */
export const getFeatures = operationWithoutInput(async () => toFeatures(await flags.all()))

const flags = db.select().from(featureFlags).prepare()

/** Switches one or more features on or off; returns all three. */
export const changeFeatures = operation(featureChange, async (change, call) => {
  const rows = featureNames.flatMap((name) => {
    const enabled = change[name]
    return enabled === undefined ? [] : [{ name, enabled }]
  })
  const [, changed] = await db.batch([
    db
      .insert(featureFlags)
      .values(rows)
      .onConflictDoUpdate({ target: featureFlags.name, set: { enabled: sql`excluded.enabled` } }),
    db.select().from(featureFlags),
    audited(call, 'features changed', rows.map(({ name, enabled }) => `${name}=${enabled ? 'on' : 'off'}`).join(' ')),
  ])
  return toFeatures(changed)
})

function toFeatures(flags: (typeof featureFlags.$inferSelect)[]): Features {
  return features.parse(Object.fromEntries(flags.map((flag) => [flag.name, flag.enabled])))
}
