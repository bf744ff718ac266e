import * as z from 'zod/mini'
import { isTimeZone } from '#db/values/dates.ts'
import { emailAddress, isOrigin, newPassword } from '#db/values/schemas.ts'
import { isMailServer, isNetwork, listed } from './setting-values.ts'

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
const notPort = 'is not a port. Give a number from 0 to 65535, e.g. 4321.'
const database = z.string().check(
  z.regex(/^(file:|https?:\/\/|libsql:\/\/)./, 'is not a database. Give file:./data/rsvp.db, http://… or libsql://….'),
  z.refine((url) => !/^file:\/\/[^/]/.test(url), 'has two slashes. Write file:./data/rsvp.db or file:/srv/rsvp.db.'),
  z.refine((url) => !/^file:.*[?#]/.test(url), 'may hold neither ? nor #: rename the folder or the file.'),
  z.refine((url) => !/^file:(\/\/)?:memory:/.test(url), 'would forget everything. Give the path of a file.'),
)

/** The texts in docs/settings.md, .env.example and `rsvp help environment`. */
const texts = z.registry<{ meaning: string; example: string }>()

/** Every setting by its environment variable, with its meaning and, if that helps, an example. */
export const environment = z.object({
  HOST: setting(
    z._default(z.string(), '127.0.0.1'),
    "The address to listen on. Any address but this computer's own loopback needs a password, or RSVP_ACCESS=open.",
  ),
  PORT: setting(
    z._default(z.pipe(number(/^\d{1,5}$/, notPort), z.number().check(z.lte(65535, notPort))), 4321),
    'The port.',
  ),
  DATABASE_URL: setting(
    z._default(database, 'file:./data/rsvp.db'),
    'The database: a file, relative to the folder of the site, or a libSQL server at http://… or libsql://….',
  ),
  DATABASE_AUTH_TOKEN: setting(z.optional(z.string()), 'The token of the libSQL server.'),
  PUBLIC_URL: setting(
    z.optional(
      z.pipe(
        text(isOrigin, 'is not the address of a site. Give scheme and host only, e.g. https://rsvp.example.org.'),
        z.transform((url) => new URL(url).origin),
      ),
    ),
    'The address people use. Links contain it, and the site accepts requests for its name.',
    'https://rsvp.example.org',
  ),
  TRUSTED_PROXIES: setting(
    z.optional(list(isNetwork, 'is not a list of addresses. Give one, e.g. 127.0.0.1, 10.0.0.0/8.')),
    'Addresses or networks of the proxies in front of the site. Only they are trusted to say where a request comes from.',
    '127.0.0.1, 10.0.0.0/8',
  ),
  ADMIN_PASSWORD: setting(
    z.optional(text((typed) => newPassword.safeParse(typed).success, 'cannot be used. Give 12 to 128 characters.')),
    'The password of one owner, 12 to 128 characters, set again at each start. Better: `rsvp password`.',
  ),
  ADMIN_PASSWORD_FILE: setting(
    z.optional(z.string()),
    'A file whose first line is the password, e.g. a secret that a container platform mounts.',
    '/run/secrets/rsvp',
  ),
  RSVP_ACCESS: setting(
    z.optional(z.literal('open', 'can only be open, or left out.')),
    'open: everyone who can reach the address may administer the site while it has no administrator. For a trusted network.',
  ),
  RSVP_POST_LIMIT: setting(
    z._default(
      text(/^(off|[1-9]\d{0,5}\/[1-9]\d{0,5})$/, 'is not a valid limit. Give off, or two numbers, e.g. 60/30.'),
      '60/30',
    ),
    'RSVPs that one network may send to a guarded site: this many at once, then this many a minute; or off.',
  ),
  SMTP_URL: setting(
    z.optional(
      text(
        isMailServer,
        'is not a mail server. Give smtps://user:password@mail.example.org, or smtp://…; write @, :, /, #, ? and % in the user and the password as %40, %3A, %2F, %23, %3F and %25.',
      ),
    ),
    'The mail server that sends confirmations and reminders. Without it the site sends no mail, and offers none. smtps is encrypted from the start, on port 465. smtp, on port 587, must become so (STARTTLS), except on this computer, or with ?tls=off at the end for a server in a trusted network.',
    'smtps://user:password@mail.example.org',
  ),
  MAIL_FROM: setting(
    z.optional(text((sender) => emailAddress.safeParse(sender).success, 'is not an email address.')),
    'The address that mail comes from, perhaps with a name: Grace Church <rsvp@example.org>. Without one, mail has the name of the church. Needed together with SMTP_URL.',
    'rsvp@example.org',
  ),
  BACKUP_DIR: setting(
    z.optional(z.string()),
    'The running site puts a backup into this folder every night. It must exist, and each site needs its own.',
    '/backups',
  ),
  BACKUP_TIME: setting(
    z._default(text(/^([01]\d|2[0-3]):[0-5]\d$/, 'is not a time of day. Give one, e.g. 02:30.'), '02:30'),
    'When the backup is made, in the time zone of TZ. A site that was down then makes it when it starts.',
  ),
  BACKUP_KEEP: setting(
    z._default(number(/^[1-9]\d{0,3}$/, 'is not a number of backups. Give one from 1 to 9999, e.g. 14.'), 14),
    'How many backups stay in that folder.',
  ),
  TZ: setting(
    z.optional(text(isTimeZone, 'is not a time zone. Give the name of one, e.g. America/Chicago.')),
    "The church's time zone until the schedule is confirmed; from then on the schedule's own applies to all dates and times that people read, and to file names. Without it, the machine's time zone is used. The nightly backup always follows it.",
    'America/Chicago',
  ),
  LOG_LEVEL: setting(
    z._default(z.enum(LOG_LEVELS, `is not a log level. Give one of ${LOG_LEVELS.join(', ')}.`), 'warn'),
    'fatal, error, warn, info, debug, trace or silent. info writes one line for each request. No line ever holds a ' +
      'name or an address.',
  ),
})

/** Every setting in words; `preset` is its default, empty if there is none. */
export function describeSettings() {
  const presets = new Map<string, unknown>(Object.entries(environment.parse({})))
  return Object.entries(environment.shape).map(([name, schema]) => {
    const text = texts.get(schema)
    if (text === undefined) throw new Error(`${name} needs a text: write it as setting(schema, meaning, example).`)
    return { name, ...text, preset: presets.get(name)?.toString() ?? '' }
  })
}

function setting<Schema extends z.ZodMiniType>(schema: Schema, meaning: string, example = ''): Schema {
  texts.add(schema, { meaning, example })
  return schema
}

function text(isOne: RegExp | ((text: string) => boolean), mistake: string) {
  return z.string().check(isOne instanceof RegExp ? z.regex(isOne, mistake) : z.refine(isOne, mistake))
}

function number(digits: RegExp, mistake: string) {
  return z.pipe(text(digits, mistake), z.transform(Number))
}

/** Separated by commas or blanks. */
function list(isOne: (item: string) => boolean, mistake: string) {
  return z.pipe(
    text((items) => listed(items).every(isOne), mistake),
    z.transform(listed),
  )
}
