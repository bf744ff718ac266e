import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { Same } from '#db/same.ts'
import { type FeatureName, featureNames } from './schema.ts'

export const featureFlags = sqliteTable('features', {
  name: text({ enum: featureNames }).primaryKey(),
  enabled: integer({ mode: 'boolean' }).notNull(),
})

true satisfies Same<typeof featureFlags.$inferSelect, { name: FeatureName; enabled: boolean }>
