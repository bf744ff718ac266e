import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { featureNames } from './schema.ts'

export const featureFlags = sqliteTable('features', {
  name: text({ enum: featureNames }).primaryKey(),
  enabled: integer({ mode: 'boolean' }).notNull(),
})
