// For `npm run db:generate`, which compares every table.ts with db/migrations and writes the next migration there.
import { defineConfig } from 'drizzle-kit'

export default defineConfig({ dialect: 'sqlite', schema: './db/*/table.ts', out: './db/migrations' })
