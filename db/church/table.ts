import { sql } from 'drizzle-orm'
import { blob, check, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { accents, usualAccent } from './schema.ts'

/** At most one row, created when an administrator first sets something. */
export const churches = sqliteTable(
  'churches',
  {
    id: integer().primaryKey().default(1),
    name: text(),
    accent: text({ enum: accents }).notNull().default(usualAccent),
    pictureAlt: text('picture_alt'),
  },
  (table) => [check('one_church', sql`${table.id} = 1`)],
)

/** At most one picture, one row per size. The bytes come last, so that SQLite reads the other columns without them. */
export const churchPictures = sqliteTable('church_pictures', {
  width: integer().primaryKey(),
  height: integer().notNull(),
  /** The same in all rows. */
  hash: text().notNull(),
  bytes: blob({ mode: 'buffer' }).notNull(),
})
