import * as z from 'zod/mini'
import {
  adminPassword,
  ageRecipients,
  backupsKept,
  copyPlace,
  databaseUrl,
  logLevel,
  metricsToken,
  networks,
  openAccess,
  origin,
  port,
  postLimit,
  securityContacts,
  storageServer,
  timeOfDay,
  timeZone,
} from './setting-values.ts'

/** What people read of a setting: in docs/settings.md, in .env.example and in `rsvp help environment`. */
const texts = z.registry<{ meaning: string; example: string }>()

/** Every setting there is, as it stands in the environment, with what it means and, where that helps, an example. */
export const environment = z.object({
  HOST: setting(
    z._default(z.string(), '127.0.0.1'),
    'Where the site listens. Another address than this computer needs a password, or RSVP_ACCESS=open.',
  ),
  PORT: setting(z._default(port, 4321), 'The port.'),
  DATABASE_URL: setting(
    z._default(databaseUrl, 'file:./data/rsvp.db'),
    'The database: a file, relative to the folder of the site, or a libSQL server at http://… or libsql://….',
  ),
  DATABASE_AUTH_TOKEN: setting(z.optional(z.string()), 'The token of the libSQL server.'),
  PUBLIC_URL: setting(
    z.optional(origin),
    'The address people use. Links are made of it, and the site accepts requests for its name.',
    'https://rsvp.example.org',
  ),
  TRUSTED_PROXIES: setting(
    z.optional(networks),
    'Addresses or networks of the proxies in front of the site. Only they are trusted to say where a request comes from.',
    '127.0.0.1, 10.0.0.0/8',
  ),
  ADMIN_PASSWORD: setting(
    z.optional(adminPassword),
    "The administrator's password, 12 to 128 characters. Better: set it with `rsvp password`.",
  ),
  ADMIN_PASSWORD_FILE: setting(
    z.optional(z.string()),
    'A file whose first line is the password, e.g. a secret that a container platform mounts.',
    '/run/secrets/rsvp',
  ),
  RSVP_ACCESS: setting(
    z.optional(openAccess),
    'open: everyone who can reach the address may administer the site while no password is set. For a trusted network.',
  ),
  RSVP_POST_LIMIT: setting(
    z._default(postLimit, '60/30'),
    'RSVPs that one network may send once a password is set: this many at once, then this many a minute; or off.',
  ),
  SECURITY_CONTACT: setting(
    z.optional(securityContacts),
    'Whom to tell of a weakness of this site: mail addresses, or mailto:, https: and tel: addresses. /.well-known/security.txt names them, and does not exist without them.',
    'webmaster@example.org, tel:+1-555-0142',
  ),
  BACKUP_DIR: setting(
    z.optional(z.string()),
    'The running site puts a backup into this folder every night. Each site needs a folder of its own.',
    '/backups',
  ),
  BACKUP_TIME: setting(
    z._default(timeOfDay, '02:30'),
    'When the backup is made, in the time zone of TZ. A site that was down then makes it when it starts.',
  ),
  BACKUP_KEEP: setting(z._default(backupsKept, 14), 'How many backups stay in that folder.'),
  BACKUP_COPY_TO: setting(
    z.optional(copyPlace),
    'Another place, to which an encrypted copy of each backup goes: a whole path, ssh://user@host/path or ' +
      's3://bucket/prefix. Each site needs a place of its own.',
    'ssh://rsvp@backup.example.org/srv/copies',
  ),
  BACKUP_COPY_RECIPIENT: setting(
    z.optional(ageRecipients),
    'For whom the copies are encrypted: what `rsvp init --backup-key FILE` prints. Several are separated by commas; the ' +
      'identity of each can decrypt.',
    'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p',
  ),
  BACKUP_COPY_IDENTITY_FILE: setting(
    z.optional(z.string()),
    'The file that `rsvp init --backup-key` made. With it the site proves every month that the newest copy can be restored.',
    'data/backup-identity.txt',
  ),
  BACKUP_COPY_KEEP: setting(z._default(backupsKept, 30), 'How many copies stay at the other place.'),
  AWS_ACCESS_KEY_ID: setting(z.optional(z.string()), 'For s3://…: the id of the access key of the storage.'),
  AWS_SECRET_ACCESS_KEY: setting(z.optional(z.string()), 'For s3://…: the access key itself.'),
  AWS_REGION: setting(z._default(z.string(), 'us-east-1'), 'For s3://…: the region of the bucket.'),
  AWS_ENDPOINT_URL_S3: setting(
    z.optional(storageServer),
    "For s3://…: the address of the storage, unless it is Amazon's.",
    'https://s3.example.org',
  ),
  TZ: setting(
    z.optional(timeZone),
    "The church's time zone until the schedule is confirmed; from then on the schedule's own applies to all dates and times that people read, and to file names. Without it, the machine's time zone is used. The nightly backup always follows it.",
    'America/Chicago',
  ),
  METRICS_TOKEN: setting(
    z.optional(metricsToken),
    'Whoever sends this token may read /metrics from another machine: at least 20 characters. Without it only this computer may.',
  ),
  METRICS_TOKEN_FILE: setting(
    z.optional(z.string()),
    'A file whose first line is that token.',
    '/run/secrets/rsvp-metrics',
  ),
  LOG_LEVEL: setting(
    z._default(logLevel, 'warn'),
    'fatal, error, warn, info, debug, trace or silent. info writes one line for each request. No line ever holds a ' +
      'name or an address.',
  ),
})

/** Every setting in words; `preset` is what counts where it is not set, if anything does. */
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
