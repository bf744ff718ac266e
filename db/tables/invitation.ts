import { sql } from 'drizzle-orm'
import { blob, check, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { accents, usualAccent } from '#db/values/church.ts'
import type { TranslatedTexts } from '#db/values/event.ts'
import { featureNames } from '#db/values/features.ts'
import { languages } from '#db/values/languages.ts'
import { publicNames } from '#db/values/settings.ts'

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

/** One row at most: until an administrator sets the schedule there is none. */
export const schedules = sqliteTable(
  'schedules',
  {
    id: integer().primaryKey().default(1),
    weekday: integer().notNull(),
    startTime: text('start_time').notNull(),
    durationMinutes: integer('duration_minutes').notNull(),
    timeZone: text('time_zone').notNull(),
    closesMinutesBefore: integer('closes_minutes_before'),
    /** The day since when services are on this weekday at this time: calendars must not rewrite the past. */
    since: text().notNull(),
    previousService: text('previous_service'),
    uncountedService: text('uncounted_service'),
    /** Rises with every change, also of the skipped dates, above that of the event: calendars show both. */
    revision: integer().notNull().default(1),
  },
  (table) => [check('one_schedule', sql`${table.id} = 1`)],
)

export const skippedDates = sqliteTable('skipped_dates', {
  date: text().primaryKey(),
  /** Told to those who had said that they come. */
  reason: text(),
})

/** How many people really came, one row for each service that was counted. */
export const turnouts = sqliteTable('turnouts', {
  date: text('service_date').primaryKey(),
  people: integer().notNull(),
  countedAt: text('counted_at').notNull(),
})

export const featureFlags = sqliteTable('features', {
  name: text({ enum: featureNames }).primaryKey(),
  enabled: integer({ mode: 'boolean' }).notNull(),
})

/** Always one row, inserted by a migration. */
export const storedSettings = sqliteTable(
  'settings',
  {
    id: integer().primaryKey().default(1),
    publicNames: text('public_names', { enum: publicNames }).notNull(),
    retentionDays: integer('retention_days'),
    publicUrl: text('public_url'),
    prayers: integer({ mode: 'boolean' }).notNull().default(false),
    prayerDays: integer('prayer_days').default(30),
    /** When something was last removed by date, ISO 8601 in UTC: a clock that is far from it is wrong, or the site was off. */
    purgedAt: text('purged_at'),
    /** Overwritten to check that the database can be written, in ms since 1970. */
    checkedAt: integer('checked_at'),
  },
  (table) => [check('one_row', sql`${table.id} = 1`)],
)

/** The higher revision of event and schedule; 0 while neither is stored. It rises with each change of one of them. */
export const latestRevision = sql<number>`max(
  coalesce((SELECT max(revision) FROM events), 0), coalesce((SELECT max(revision) FROM schedules), 0))`

export function isRevision(stored: { revision: number } | undefined, wanted: number[] | 'any'): boolean {
  return stored !== undefined && (wanted === 'any' || wanted.includes(stored.revision))
}

/**
 * The next revision of the event or the schedule: higher than any that either has had, because calendars show both. At
 * least the seconds since 1970: after a restore, a number already used must not return for other texts, which an old
 * edit would then overwrite.
 */
export function nextRevision(now: Date) {
  return sql<number>`max(${latestRevision} + 1, ${Math.floor(now.getTime() / 1000)})`
}
