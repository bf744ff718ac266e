// What a setting may be. A wrong value gets the sentence that stands here, behind the setting's name.
import { isIP } from 'node:net'
import { isAbsolute } from 'node:path'
import * as z from 'zod/mini'
import { isTimeZone } from '#db/values/dates.ts'
import { newPassword } from '#db/values/schemas.ts'

const MINUTE_MS = 60_000
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
// Neither part may begin with a hyphen, which would be an option of ssh. A shell on the other side splits at spaces.
const SSH = /^ssh:\/\/((?:[a-z_][\w.-]*@)?(?:[a-z\d][a-z\d.-]*|\[[\da-f:.]+\]))(?::(\d{1,5}))?(\/[\w./~+-]*)$/i
const S3 = /^s3:\/\/([a-z\d][a-z\d.-]{1,61}[a-z\d])(?:\/([\w./+=-]*))?$/
const notPort = 'is not a port. Give a number from 0 to 65535, e.g. 4321.'

export const port = z.pipe(
  z.string().check(z.regex(/^\d{1,5}$/, notPort)),
  z.pipe(z.transform(Number), z.number().check(z.lte(65535, notPort))),
)

export const databaseUrl = z.string().check(
  z.regex(/^(file:|https?:\/\/|libsql:\/\/)./, 'is not a database. Give file:./data/rsvp.db, http://… or libsql://….'),
  z.refine((url) => !/^file:\/\/[^/]/.test(url), 'has two slashes. Write file:./data/rsvp.db or file:/srv/rsvp.db.'),
  z.refine((url) => !/^file:.*[?#]/.test(url), 'may hold neither ? nor #: rename the folder or the file.'),
  z.refine((url) => !/^file:(\/\/)?:memory:/.test(url), 'would forget everything. Give the path of a file.'),
)

export const origin = z.pipe(
  z
    .string()
    .check(
      z.refine(isOrigin, 'is not the address of a site. Give scheme and host only, e.g. https://rsvp.example.org.'),
    ),
  z.transform((url) => new URL(url).origin),
)

export const postLimit = z
  .string()
  .check(z.regex(/^(off|[1-9]\d{0,5}\/[1-9]\d{0,5})$/, 'is not a valid limit. Give off, or two numbers, e.g. 60/30.'))

export const networks = z
  .string()
  .check(
    z.refine(
      (list) => listed(list).every(isNetwork),
      'is not a list of addresses. Give one, e.g. 127.0.0.1, 10.0.0.0/8.',
    ),
  )

/** Each as an address of the web: a bare mail address becomes mailto:. */
export const securityContacts = z.pipe(
  z
    .string()
    .check(
      z.refine(
        (list) => listed(list).every((contact) => contactUri(contact) !== undefined),
        'is not a list of contacts. Give mail addresses, or mailto:, https: or tel: addresses, e.g. webmaster@example.org, tel:+1-555-0142.',
      ),
    ),
  z.transform((list) => listed(list).flatMap((contact) => contactUri(contact) ?? [])),
)

export const adminPassword = z
  .string()
  .check(z.refine((password) => newPassword.safeParse(password).success, 'cannot be used. Give 12 to 128 characters.'))

/** What can stand in a header (RFC 6750), and is too long to be guessed. */
export const metricsToken = z
  .string()
  .check(
    z.regex(
      /^[\w.~+/-]{20,500}=*$/,
      'cannot be used. Give at least 20 letters and digits without blanks, e.g. what `openssl rand -hex 32` prints.',
    ),
  )

export const openAccess = z.literal('open', 'can only be open, or left out.')

export const timeOfDay = z
  .string()
  .check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'is not a time of day. Give one, e.g. 02:30.'))

export const backupsKept = z.pipe(
  z.string().check(z.regex(/^[1-9]\d{0,3}$/, 'is not a number of backups. Give one from 1 to 9999, e.g. 14.')),
  z.transform(Number),
)

export const copyPlace = z
  .string()
  .check(
    z.refine(
      (text) => copyAddressOf(text) !== undefined,
      'is not a place for copies. Give a whole path, e.g. /mnt/copies, ssh://user@host/path or s3://bucket/prefix.',
    ),
  )

export const ageRecipients = z
  .string()
  .check(
    z.refine(
      (list) => listed(list).every((one) => /^age1[a-z\d]{58,}$/.test(one)),
      'is not an age recipient. Give what `rsvp init --backup-key FILE` prints: it begins with age1.',
    ),
  )

export const storageServer = z
  .string()
  .check(z.refine(isServer, 'is not the address of a storage server. Give one, e.g. https://s3.example.org.'))

export const timeZone = z
  .string()
  .check(z.refine(isTimeZone, 'is not a time zone. Give the name of one, e.g. America/Chicago.'))

export const logLevel = z.enum(LOG_LEVELS, `is not a log level. Give one of ${LOG_LEVELS.join(', ')}.`)

/** So many at once, and one more each `everyMs` milliseconds. */
export type Allowance = { atOnce: number; everyMs: number }

/** E.g. 60/30: 60 at once, then 30 per minute. */
export function allowanceOf(limit: string): Allowance | undefined {
  const [atOnce, perMinute] = limit.split('/').map(Number)
  if (atOnce === undefined || perMinute === undefined) return undefined
  return { atOnce, everyMs: Math.ceil(MINUTE_MS / perMinute) }
}

export function listed(list = ''): string[] {
  return list.split(/[\s,]+/).filter((network) => network !== '')
}

/** Another place for copies of backups, as BACKUP_COPY_TO names it. */
export type CopyAddress =
  | { kind: 'folder'; folder: string }
  | { kind: 'ssh'; login: string; port: string | undefined; folder: string }
  | { kind: 's3'; bucket: string; prefix: string }

/** Undefined for what is not a place. */
export function copyAddressOf(text: string): CopyAddress | undefined {
  if (isAbsolute(text)) return { kind: 'folder', folder: text }
  const [, login, port, path] = SSH.exec(text) ?? []
  if (login !== undefined && path !== undefined) return { kind: 'ssh', login, port, folder: withoutEnd(path) || '/' }
  const [, bucket, prefix = ''] = S3.exec(text) ?? []
  if (bucket !== undefined) return { kind: 's3', bucket, prefix: withoutEnd(prefix) }
  return undefined
}

/** An address, or a network, e.g. 10.0.0.0/8. */
function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const family = address.includes('%') ? 0 : isIP(address)
  if (family === 0 || rest.length > 0) return false
  // Not /0, which would trust every client to say where it comes from.
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
}

/** What security.txt may hold (RFC 9116): an address with its scheme, in ASCII. */
function contactUri(contact: string): string | undefined {
  const uri = /^[^:/]+@/.test(contact) ? `mailto:${contact}` : contact
  if (/^https:/i.test(uri)) return isWebAddress(uri) ? new URL(uri).href : undefined
  return /^(mailto:[!-?A-~]+@[\w.-]+\w|tel:\+?[\d().-]*\d)$/i.test(uri) ? uri : undefined
}

function isWebAddress(uri: string): boolean {
  return /^https:\/\//i.test(uri) && URL.canParse(uri) && new URL(uri).username === ''
}

function withoutEnd(path: string): string {
  return path.replace(/\/+$/, '')
}

/** What stands before the name of the bucket; a name or a password in it would be shown in messages. */
function isServer(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, search, hash, username, password } = new URL(url)
  return /^https?:$/.test(protocol) && search + hash + username + password === ''
}

function isOrigin(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, pathname, search, hash, username } = new URL(url)
  return /^https?:$/.test(protocol) && pathname === '/' && search === '' && hash === '' && username === ''
}
