import { sql } from 'drizzle-orm'
import { blob, check, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** One row at most: until an administrator says something of the church there is none. */
export const churches = sqliteTable(
  'churches',
  {
    id: integer().primaryKey().default(1),
    name: text(),
    accent: text(),
    pictureAlt: text('picture_alt'),
  },
  (table) => [check('one_church', sql`${table.id} = 1`)],
)

/**
 * One picture at most, each size of it in a row. The bytes come last: SQLite reads what stands before them without
 * reading them.
 */
export const churchPictures = sqliteTable('church_pictures', {
  width: integer().primaryKey(),
  height: integer().notNull(),
  /** The same in all rows. */
  hash: text().notNull(),
  bytes: blob({ mode: 'buffer' }).notNull(),
})
