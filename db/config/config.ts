import { existsSync, readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import * as z from 'zod/mini'
import { isTimeZone } from '#db/values/dates.ts'
import { errorCodeOf, UserError } from '#db/values/errors.ts'
import type { Allowance } from '#db/values/limits.ts'
import { emailAddress, isOrigin, newPassword } from '#db/values/schemas.ts'
import { projectRoot } from './places.ts'

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
/** A server, or a file with a path; databases in memory are refused. */
const isDatabase = (url: string) =>
  URL.canParse(url) && /^((https?|libsql):\/\/.+|file:(?!(\/\/)?:memory:)(\/\/(?=\/))?(?!\/\/)[^?#]+)$/.test(url)
const isLimit = (limit: string) => /^(off|[1-9]\d{0,5}\/[1-9]\d{0,5})$/.test(limit)

/** `server` is an SMTP URL, `from` an address, `name` the sender's name; if it is empty, the church's name is used. */
export type Mail = { server: string; from: string; name: string }

/** Every setting by its environment variable. */
export const environment = z.object({
  HOST: setting(
    text('127.0.0.1'),
    "The address to listen on. Any address but this computer's own loopback needs a password, or RSVP_ACCESS=open.",
  ),
  PORT: setting(number(4321, 0, 65_535, 'is not a port. Give a number from 0 to 65535, e.g. 4321.'), 'The port.'),
  DATABASE_URL: setting(
    text('file:./data/rsvp.db', isDatabase, 'is not a database. Give file:./data/rsvp.db, http://… or libsql://….'),
    'The database: a file, relative to the folder of the site, or a libSQL server at http://… or libsql://….',
  ),
  DATABASE_AUTH_TOKEN: setting(optional(), 'The token of the libSQL server.'),
  PUBLIC_URL: setting(
    optional(isOrigin, 'is not the address of a site. Give scheme and host only, e.g. https://rsvp.example.org.'),
    'The address people use. Links contain it, and the site accepts requests for its name, e.g. https://rsvp.example.org.',
  ),
  TRUSTED_PROXIES: setting(
    text('', areNetworks, 'is not a list of addresses. Give one, e.g. 127.0.0.1, 10.0.0.0/8.'),
    'Addresses or networks of the proxies in front of the site, e.g. 127.0.0.1, 10.0.0.0/8. Only they are trusted to say where a request comes from.',
  ),
  ADMIN_PASSWORD: setting(
    optional(fits(newPassword), 'cannot be used. Give 12 to 128 characters.'),
    'The password of one owner, 12 to 128 characters, set again at each start. Better: `rsvp password`.',
  ),
  ADMIN_PASSWORD_FILE: setting(
    optional(),
    'A file whose first line is the password, e.g. a secret that a container platform mounts.',
  ),
  RSVP_ACCESS: setting(
    z.optional(z.literal('open', 'can only be open, or left out.')),
    'open: everyone who can reach the address may administer the site while it has no administrator. For a trusted network.',
  ),
  RSVP_POST_LIMIT: setting(
    text('60/30', isLimit, 'is not a valid limit. Give off, or two numbers, e.g. 60/30.'),
    'RSVPs that one network may send to a guarded site: this many at once, then this many a minute; or off.',
  ),
  SMTP_URL: setting(
    optional(
      isMailServer,
      'is not a mail server. Give smtps://user:password@mail.example.org, or smtp://…; write @, :, /, #, ? and % in the user and the password as %40, %3A, %2F, %23, %3F and %25.',
    ),
    'The mail server that sends confirmations and reminders, e.g. smtps://user:password@mail.example.org. Without it the site sends no mail, and offers none. smtps is encrypted from the start, on port 465. smtp, on port 587, must become so (STARTTLS), except on this computer, or with ?tls=off at the end for a server in a trusted network.',
  ),
  MAIL_FROM: setting(
    optional(fits(emailAddress), 'is not an email address. Give rsvp@example.org, or Grace Church <rsvp@example.org>.'),
    'The address that mail comes from, perhaps with a name: Grace Church <rsvp@example.org>. Without one, mail has the name of the church. Needed together with SMTP_URL.',
  ),
  BACKUP_DIR: setting(
    optional(),
    'The running site puts a backup into this folder every night. Each site needs a folder of its own.',
  ),
  BACKUP_KEEP: setting(
    number(14, 1, 9999, 'is not a number of backups. Give one from 1 to 9999, e.g. 14.'),
    'How many backups stay in that folder.',
  ),
  TZ: setting(
    optional(isTimeZone, 'is not a time zone. Give the name of one, e.g. America/Chicago.'),
    "The church's time zone, e.g. America/Chicago, until the schedule is confirmed; from then on the schedule's own applies to all dates and times that people read, and to file names. Without it, the machine's time zone is used. The nightly backup, at half past two, always follows it.",
  ),
  LOG_LEVEL: setting(
    z._default(z.enum(LOG_LEVELS, `is not a log level. Give one of ${LOG_LEVELS.join(', ')}.`), 'warn'),
    'fatal, error, warn, info, debug, trace or silent. info writes one line for each request. No line ever holds a name or an address.',
  ),
})

/** Every setting in words; `preset` is its default, empty if there is none. */
export function describeSettings() {
  return Object.entries(environment.shape).map(([name, schema]) => {
    const { description: meaning = '' } = z.globalRegistry.get(schema) ?? {}
    return { name, meaning, preset: schema.parse(undefined)?.toString() ?? '' }
  })
}

export type Variables = Record<string, string | undefined>

/** Every setting, checked; paths are absolute. A setting that is not set, or off, is undefined. */
export type Config = ReturnType<typeof readConfig>

/**
 * Checks the settings in environment variables. An empty variable counts as not set.
 * @throws UserError 'configuration' that names every mistake at once.
 */
export function readConfig(variables: Variables = process.env) {
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== undefined && value !== ''))
  const { data: settings, error } = environment.safeParse(given)
  const mistakes = (error?.issues ?? []).map(({ path, message }) => `${path.join('.')} ${message}`)
  if ((given.SMTP_URL === undefined) !== (given.MAIL_FROM === undefined))
    mistakes.push('SMTP_URL and MAIL_FROM belong together: set the one that is missing.')
  if (settings === undefined || mistakes.length > 0) throw new UserError('configuration', mistakes.join('\n'))
  return {
    host: settings.HOST,
    port: settings.PORT,
    databaseUrl: settings.DATABASE_URL.replace(/^file:(?:\/\/)?(.+)$/, (_, path) => `file:${absolute(path)}`),
    databaseAuthToken: settings.DATABASE_AUTH_TOKEN,
    publicUrl: settings.PUBLIC_URL && new URL(settings.PUBLIC_URL).origin,
    trustedProxies: listed(settings.TRUSTED_PROXIES),
    adminPassword: settings.ADMIN_PASSWORD,
    adminPasswordFile: settings.ADMIN_PASSWORD_FILE && absolute(settings.ADMIN_PASSWORD_FILE),
    postLimit: allowanceOf(settings.RSVP_POST_LIMIT),
    openToNetwork: settings.RSVP_ACCESS === 'open',
    backupFolder: settings.BACKUP_DIR && absolute(settings.BACKUP_DIR),
    backupsKept: settings.BACKUP_KEEP,
    mail: mailOf(settings),
    logLevel: settings.LOG_LEVEL,
  }
}

let zone: { variable: string | undefined; name: string } | undefined

/**
 * The time zone of dates and file names until the schedule is confirmed, e.g. `America/Chicago`: TZ, or the machine's own.
 * Kept for as long as TZ stays the same, because Intl takes 0.2 ms to find it, a fifth of what storing an RSVP takes.
 */
export function serverTimeZone(): string {
  const variable = process.env.TZ
  if (zone === undefined || zone.variable !== variable) {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
    // With an empty TZ, Node calculates in UTC, but gives a name that is no time zone.
    zone = { variable, name: timeZone === 'Etc/Unknown' ? 'UTC' : timeZone }
  }
  return zone.name
}

function setting<Schema extends z.ZodMiniType>(schema: Schema, meaning: string): Schema {
  return schema.check(z.describe(meaning)) as Schema
}

function text(preset: string, isOne?: (value: string) => boolean, mistake?: string) {
  return z._default(checked(isOne, mistake), preset)
}

function optional(isOne?: (value: string) => boolean, mistake?: string) {
  return z.optional(checked(isOne, mistake))
}

function checked(isOne = (_: string) => true, mistake = '') {
  return z.string().check(z.refine(isOne, mistake))
}

function fits(schema: z.ZodMiniType) {
  return (value: string) => schema.safeParse(value).success
}

function number(preset: number, least: number, most: number, mistake: string) {
  const isOne = (digits: string) => /^\d{1,5}$/.test(digits) && Number(digits) >= least && Number(digits) <= most
  return z._default(z.pipe(checked(isOne, mistake), z.transform(Number)), preset)
}

function absolute(path: string): string {
  return resolve(projectRoot, path)
}

/** E.g. 60/30: 60 at once, then 30 per minute. */
function allowanceOf(limit: string): Allowance | undefined {
  const [atOnce = 0, perMinute] = limit.split('/').map(Number)
  return perMinute === undefined ? undefined : { atOnce, everyMs: Math.ceil(60_000 / perMinute) }
}

/** Separated by commas or blanks. */
function listed(list: string): string[] {
  return list.split(/[\s,]+/).filter((item) => item !== '')
}

/** Addresses or networks, e.g. 10.0.0.0/8. /0 is refused: it would trust every client to say where it comes from. */
function areNetworks(list: string): boolean {
  return listed(list).every((item) => {
    const [, address = '', bits] = /^([^/%]+)(?:\/([1-9]\d{0,2}))?$/.exec(item) ?? []
    return isIP(address) > 0 && Number(bits ?? 1) <= (isIP(address) === 4 ? 32 : 128)
  })
}

/** E.g. `smtp://user:password@mail.example.org:587`. User and password belong together, and can be decoded. */
function isMailServer(url: string): boolean {
  try {
    const { protocol, hostname, username, password, pathname, search, hash } = new URL(url)
    decodeURIComponent(username + password)
    const isWhole = hostname !== '' && /^\/?$/.test(pathname) && hash === '' && (username === '') === (password === '')
    return isWhole && /^(smtps?:|smtp:\?tls=off)$/.test(protocol + search)
  } catch {
    return false
  }
}

function mailOf({ SMTP_URL: server, MAIL_FROM: from }: z.infer<typeof environment>): Mail | undefined {
  if (server === undefined || from === undefined) return undefined
  const [, name = ''] = /^[\s"'“]*(.*?)[\s"'”]*</.exec(from) ?? []
  return { server, from: emailAddress.parse(from), name }
}

/**
 * Adds the settings in the file .env, unless they are set already, to the environment variables, and reads them all.
 * @throws UserError 'configuration' as `readConfig` does, and if the file cannot be read.
 */
export function readSettings(variables: Variables = process.env): Config {
  for (const [name, value] of Object.entries(readEnvFile(variables))) if (isSetting(name)) variables[name] ??= value
  return readConfig(variables)
}

/** A sentence for each line of .env that sets nothing. */
export function findUnknownSettings(variables: Variables = process.env): string[] {
  return Object.keys(readEnvFile(variables))
    .filter((name) => !isSetting(name))
    .map((name) => `${name} in .env is not a setting, and does nothing. See docs/settings.md.`)
}

function isSetting(name: string): boolean {
  return name in environment.shape
}

function readEnvFile({ RSVP_ENV_FILE }: Variables): Variables {
  const file = join(projectRoot, '.env')
  // A new build is tried without the file: it may be wrong, or unreadable for the account that builds.
  if (RSVP_ENV_FILE === 'none' || !existsSync(file)) return {}
  try {
    return parseEnv(readFileSync(file, 'utf8'))
  } catch (error) {
    const why = `The settings in ${file} cannot be read (${errorCodeOf(error)}). Check who may read the file.`
    throw new UserError('configuration', why)
  }
}
