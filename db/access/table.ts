import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** The administrator's password: one row once it is set, and the site is guarded from then on. */
export const passwords = sqliteTable(
  'passwords',
  {
    id: integer().primaryKey().default(1),
    /** As `hashPassword` writes it. */
    hash: text().notNull(),
  },
  (table) => [check('one_password', sql`${table.id} = 1`)],
)

/** Who is signed in. Moments are milliseconds since 1970. */
export const sessions = sqliteTable('sessions', {
  /** Names the session to people; never used again. */
  id: integer().primaryKey({ autoIncrement: true }),
  /** SHA-256 of the cookie's token, in hex: a reader of the database cannot sign in with it. */
  tokenHash: text('token_hash').notNull().unique(),
  createdAt: integer('created_at').notNull(),
  /** When it was last used, give or take a minute. */
  usedAt: integer('used_at').notNull(),
})

/** Wrong passwords, by who tried them. Moments are milliseconds since 1970. */
export const signInAttempts = sqliteTable(
  'sign_in_attempts',
  {
    /** A network, e.g. `network 203.0.113.7`, or a browser that has signed in before: `device …`. */
    who: text().primaryKey(),
    /** Since the last success. */
    failures: integer().notNull(),
    /** Before this moment a password is refused without comparing it. */
    nextAt: integer('next_at').notNull(),
    /** Until then a browser is known; 0 for a network. */
    knownUntil: integer('known_until').notNull(),
  },
  (table) => [index('sign_in_attempts_next_at').on(table.nextAt)],
)

/** How much is left of an allowance that fills up again by itself. */
export const allowances = sqliteTable(
  'allowances',
  {
    /** The purpose and the network, e.g. `rsvp 203.0.113.7`. */
    name: text().primaryKey(),
    /** When it is full again, in milliseconds since 1970; from then on the row means nothing. */
    fullAt: integer('full_at').notNull(),
  },
  (table) => [index('allowances_full_at').on(table.fullAt)],
)
