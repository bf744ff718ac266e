import { isNull } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { AuditAction } from '#db/values/audit.ts'
import type { MailChoice } from '#db/values/mail.ts'
import { prayerAccess } from '#db/values/prayer.ts'
import { roles } from '#db/values/roles.ts'

/** The people who administer the site; it is guarded as soon as there is one. Moments are milliseconds since 1970. */
export const administrators = sqliteTable('administrators', {
  /** Never used again: the audit names a person by it. */
  id: integer().primaryKey({ autoIncrement: true }),
  /** Kept when the person is removed: the audit still shows it. */
  name: text().notNull(),
  /** In lower case. Null for a removed person, and for one who has only ever been known by a password. */
  email: text().unique(),
  role: text({ enum: roles }).notNull(),
  /** Whether a reader sees email addresses, phone numbers and messages. */
  seesContacts: integer('sees_contacts', { mode: 'boolean' }).notNull().default(false),
  /** Which prayer requests the person reads. */
  prayers: text({ enum: prayerAccess }).notNull().default('none'),
  /** What the person gets by mail. */
  mail: text({ mode: 'json' }).$type<MailChoice[]>().notNull().default([]),
  /** As `hashPassword` writes it; null for a person who has passkeys only, or has not accepted the invitation. */
  passwordHash: text('password_hash'),
  /** Whether each start sets the password from ADMIN_PASSWORD. */
  isFromSettings: integer('is_from_settings', { mode: 'boolean' }).notNull().default(false),
  /** SHA-256 of the secret in the invitation link, in hex; null once it is accepted or replaced. */
  invitationHash: text('invitation_hash').unique(),
  invitationEndsAt: integer('invitation_ends_at'),
  createdAt: integer('created_at').notNull(),
  /** When the person last used the site, give or take a minute; null before the first sign-in. */
  seenAt: integer('seen_at'),
  removedAt: integer('removed_at'),
})

/** Whether a person still administers the site: the row of a removed one stays for the audit. */
export const isPresent = isNull(administrators.removedAt)

export const passkeys = sqliteTable('passkeys', {
  /** The credential id that the authenticator gave, base64url. */
  id: text().primaryKey(),
  administratorId: integer('administrator_id').notNull(),
  /** E.g. `Phone`. */
  name: text().notNull(),
  /** COSE, base64url. */
  publicKey: text('public_key').notNull(),
  /** Signatures made so far, as the authenticator counts them; a smaller number than before is a clone. */
  counter: integer().notNull(),
  /** How the browser reaches the authenticator, separated by commas, e.g. `internal,hybrid`. */
  transports: text().notNull(),
  createdAt: integer('created_at').notNull(),
  usedAt: integer('used_at'),
})

/** What an authenticator has to sign: one for each browser, used once. */
export const challenges = sqliteTable('challenges', {
  /** SHA-256 of the token of the session, or of the cookie of a browser without one, in hex. */
  browserHash: text('browser_hash').primaryKey(),
  /** base64url. */
  challenge: text().notNull(),
  endsAt: integer('ends_at').notNull(),
})

/** Who is signed in, and in which browser. Moments are milliseconds since 1970. */
export const sessions = sqliteTable('sessions', {
  /** Names the session to people; never used again. */
  id: integer().primaryKey({ autoIncrement: true }),
  administratorId: integer('administrator_id').notNull(),
  /** SHA-256 of the cookie's token, in hex: a reader of the database cannot sign in with it. */
  tokenHash: text('token_hash').notNull().unique(),
  /** E.g. `Firefox, Android`; empty if unknown. */
  browser: text().notNull().default(''),
  createdAt: integer('created_at').notNull(),
  /** When it was last used, give or take a minute. */
  usedAt: integer('used_at').notNull(),
  /** When the password or a passkey was given last. */
  provenAt: integer('proven_at').notNull().default(0),
})

/** How much is left of an allowance that fills up again by itself, and which browsers have signed in before. */
export const allowances = sqliteTable(
  'allowances',
  {
    /** The purpose and the network, e.g. `rsvp 203.0.113.7`; or `device`, its hash and the id of an administrator. */
    name: text().primaryKey(),
    /** When it is full again, or until when a browser is known, in ms since 1970; from then on the row means nothing. */
    fullAt: integer('full_at').notNull(),
  },
  (table) => [index('allowances_full_at').on(table.fullAt)],
)

/** What administrators did. It names things by their ids and never contains a name, an address or a text. */
export const auditEntries = sqliteTable('audit_entries', {
  id: integer().primaryKey({ autoIncrement: true }),
  /** ISO 8601 in UTC with milliseconds. */
  at: text().notNull(),
  /** Whose act it was; null for the terminal, open mode, visitors and the site itself. */
  administratorId: integer('administrator_id'),
  /** `session 12`, `terminal`, `open mode`, `visitor` (signing in), or `site` for automatic acts. */
  actor: text().notNull(),
  action: text().$type<AuditAction>().notNull(),
  /** The object of the act: the id of a response or a role, or features with their new state. */
  subject: text().notNull(),
})

/**
 * Random bits that all instances of a site share, created by a migration. No export, page or call ever contains them; a
 * backup does. See docs/decisions/rsvp.md.
 */
export const secrets = sqliteTable('secrets', {
  name: text({ enum: ['submissions'] }).primaryKey(),
  /** 256 bits in hex. */
  value: text().notNull(),
})
