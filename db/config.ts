import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as z from 'zod/mini'
import { UserError } from './errors.ts'

/** The folder with package.json: what every relative path in the settings is relative to. */
export const projectRoot = findProjectRoot(dirname(fileURLToPath(import.meta.url)))

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

const port = z.pipe(
  z.string().check(z.regex(/^\d{1,5}$/, 'is not a port. Give a number from 0 to 65535, as in 4321.')),
  z.transform(Number),
)

const databaseUrl = z.string().check(
  z.regex(/^(file:|https?:\/\/|libsql:\/\/)./, 'is not a database. Give file:./data/rsvp.db, http://… or libsql://….'),
  z.refine((url) => !/^file:\/\/[^/]/.test(url), 'has two slashes. Write file:./data/rsvp.db or file:/srv/rsvp.db.'),
  z.refine((url) => !/^file:.*[?#]/.test(url), 'may hold neither ? nor #: rename the folder or the file.'),
  z.refine((url) => !/^file:(\/\/)?:memory:/.test(url), 'would forget everything. Give the path of a file.'),
)

const origin = z.pipe(
  z
    .string()
    .check(
      z.refine(isOrigin, 'is not the address of a site. Give scheme and host only, as in https://rsvp.example.org.'),
    ),
  z.transform((url) => new URL(url).origin),
)

export const environment = z.object({
  HOST: z._default(z.string(), '127.0.0.1'),
  PORT: z._default(port.check(z.lte(65535, 'is not a port. Give a number from 0 to 65535, as in 4321.')), 4321),
  DATABASE_URL: z._default(databaseUrl, 'file:./data/rsvp.db'),
  DATABASE_AUTH_TOKEN: z.optional(z.string()),
  PUBLIC_URL: z.optional(origin),
  RSVP_ACCESS: z.optional(z.literal('open', 'can only be open, or left out.')),
  TZ: z.optional(
    z.string().check(z.refine(isTimeZone, 'is not a time zone. Give the name of one, as in America/Chicago.')),
  ),
  LOG_LEVEL: z._default(z.enum(LOG_LEVELS, `is not a log level. Give one of ${LOG_LEVELS.join(', ')}.`), 'warn'),
})

/** Every setting, checked. `databaseUrl` of a file is absolute. */
export type Config = ReturnType<typeof readConfig>

/**
 * Reads the settings; the only place that does. An empty variable counts as not set.
 * @throws UserError 'configuration' that names every mistake at once.
 */
export function readConfig(variables: Record<string, string | undefined> = withEnvFile()) {
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== undefined && value !== ''))
  const parsed = environment.safeParse(given)
  if (!parsed.success) {
    const mistakes = parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`)
    throw new UserError('configuration', mistakes.join('\n'))
  }
  const settings = parsed.data
  return {
    host: settings.HOST,
    port: settings.PORT,
    databaseUrl: absoluteDatabaseUrl(settings.DATABASE_URL),
    databaseAuthToken: settings.DATABASE_AUTH_TOKEN,
    publicUrl: settings.PUBLIC_URL,
    /** Everyone who can reach the address may administer, although it can be reached from other machines. */
    openToNetwork: settings.RSVP_ACCESS === 'open',
    logLevel: settings.LOG_LEVEL,
  }
}

/** Puts variables before those of the environment and of .env, as an option of the command line does. */
export function overrideVariables(variables: Record<string, string>): void {
  Object.assign(process.env, variables)
}

/** The environment, and behind it the file .env beside package.json. */
function withEnvFile(): Record<string, string | undefined> {
  const file = join(projectRoot, '.env')
  try {
    if (existsSync(file)) process.loadEnvFile(file)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : 'unknown'
    throw new UserError(
      'configuration',
      `The settings in ${file} cannot be read (${code}). Check who may read the file.`,
    )
  }
  return process.env
}

function absoluteDatabaseUrl(url: string): string {
  if (!url.startsWith('file:')) return url
  return `file:${resolve(projectRoot, url.replace(/^file:(\/\/(?=\/))?/, ''))}`
}

/** Intl takes more than the environment does: small letters, and offsets. */
function isTimeZone(name: string): boolean {
  if (!/^[A-Z][\w+-]*(\/[A-Z][\w+-]*)*$/.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined
  } catch {
    return false
  }
}

function isOrigin(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, pathname, search, hash, username } = new URL(url)
  return /^https?:$/.test(protocol) && pathname === '/' && search === '' && hash === '' && username === ''
}

function findProjectRoot(folder: string): string {
  return existsSync(join(folder, 'package.json')) || folder === dirname(folder)
    ? folder
    : findProjectRoot(dirname(folder))
}
