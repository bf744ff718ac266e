import { eq } from 'drizzle-orm'
import * as z from 'zod/mini'
import { db } from '../client.ts'
import { operation } from '../operation.ts'
import { type Features, featureChange, featureNames, features } from './schema.ts'
import { featureFlags } from './table.ts'

/** The three features. */
export const getFeatures = operation(z.unknown(), async () => toFeatures(await db.select().from(featureFlags)))

/** Switches one or more features on or off; answers all three. */
export const changeFeatures = operation(featureChange, async (change) => {
  const updates = featureNames.flatMap((name) => {
    const enabled = change[name]
    return enabled === undefined ? [] : [db.update(featureFlags).set({ enabled }).where(eq(featureFlags.name, name))]
  })
  const [flags] = await db.batch([db.select().from(featureFlags), ...updates])
  return toFeatures(flags, change)
})

function toFeatures(flags: (typeof featureFlags.$inferSelect)[], change: Partial<Features> = {}): Features {
  const stored = Object.fromEntries(flags.map((flag) => [flag.name, flag.enabled]))
  return features.parse({ ...stored, ...change })
}
