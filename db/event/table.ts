import { sql } from 'drizzle-orm'
import { check, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { languages } from '#db/language/languages.ts'
import type { TranslatedTexts } from './schema.ts'

const texts = {
  title: text().notNull(),
  subtitle: text().notNull(),
  eventTitle: text('event_title').notNull(),
  description: text().notNull(),
  date: text().notNull(),
  time: text().notNull(),
  location: text().notNull(),
  contact: text().notNull().default(''),
}

/** One row at most: there is one weekly event. */
export const events = sqliteTable(
  'events',
  {
    id: integer().primaryKey().default(1),
    ...texts,
    mapLink: text('map_link').notNull().default(''),
    whatToExpect: text('what_to_expect').notNull().default(''),
    parking: text().notNull().default(''),
    children: text().notNull().default(''),
    /** Rises with every change; a change can require the revision that was read. */
    revision: integer().notNull().default(1),
    language: text({ enum: languages }).notNull().default('en'),
  },
  (table) => [check('one_event', sql`${table.id} = 1`)],
)

/** A row for each other language. An empty text is not translated: that of the event is shown. */
export const eventTranslations = sqliteTable('event_translations', {
  language: text({ enum: languages }).primaryKey(),
  ...texts,
  whatToExpect: text('what_to_expect').notNull(),
  parking: text().notNull().default(''),
  children: text().notNull().default(''),
  /** The names of volunteer roles by their ids, as JSON. */
  roles: text({ mode: 'json' }).$type<TranslatedTexts['roles']>().notNull().default({}),
})
