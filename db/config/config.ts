import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { UserError } from '#db/errors.ts'
import { errorCodeOf } from '#db/process/errors.ts'
import { emailAddress } from '#db/values/schemas.ts'
import { environment } from './environment.ts'
import { envFile, projectRoot } from './places.ts'
import { allowanceOf } from './setting-values.ts'

/** Every setting, checked. `databaseUrl` of a file is absolute. */
export type Config = ReturnType<typeof parseConfig>

type Variables = Record<string, string | undefined>

/**
 * Reads the settings of this process, or the given ones; nothing else reads them. An empty variable counts as not set.
 * @throws UserError 'configuration' that names every mistake at once.
 */
export function readConfig(variables?: Variables): Config {
  return variables === undefined ? readSettings(process.env) : parseConfig(variables)
}

/**
 * Reads the settings of an environment, to which it first adds those from the file .env that are not set.
 * @throws UserError 'configuration' that names every mistake at once.
 */
export function readSettings(variables: Variables): Config {
  const file = envFileToRead(variables)
  if (file !== undefined) loadEnvFile(file, variables)
  return parseConfig(variables, file)
}

/**
 * Checks the settings of any site.
 * @param file the file from which some of the variables were read, if any.
 * @throws UserError 'configuration' that names every mistake at once.
 */
export function checkSettings(variables: Variables, file?: string) {
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== undefined && value !== ''))
  const parsed = environment.safeParse(given)
  const quoted = Object.keys(environment.shape).filter((name) => isQuoted(name, given[name] ?? ''))
  if (parsed.success && quoted.length === 0) return parsed.data
  const issues = parsed.error?.issues.filter(({ path }) => !quoted.includes(path.join('.'))) ?? []
  const mistakes = [
    ...issues.map(({ path, message }) => `${path.join('.')} ${message}`),
    ...quoted.map((name) => `${name} has quotation marks around it, which count as a part of it here. Leave them out.`),
    // A setting may be invalid because half of it is missing.
    ...findCutSettings(file),
  ]
  throw new UserError('configuration', mistakes.join('\n'))
}

/** Docker and others keep them. They do no harm in MAIL_FROM; a password may begin and end with apostrophes. */
function isQuoted(name: string, value: string): boolean {
  const quoted = name === 'ADMIN_PASSWORD' ? /^".*"$/s : /^["'`“”„‘’‚«»].*["'`“”„‘’‚«»]$/s
  return name !== 'MAIL_FROM' && quoted.test(value.trim())
}

/** `server` is an SMTP URL, `from` an address, `name` that of the sender; if it is empty, the church has it. */
export type Mail = { server: string; from: string; name: string }

/**
 * The file with the settings of the site, unless it must not be read: a new build is started once without it (by
 * scripts/setup.mjs), because it may be wrong, or unreadable for the account that builds.
 */
export function envFileToRead(variables: Variables = process.env): string | undefined {
  return variables.RSVP_ENV_FILE === 'none' ? undefined : envFile
}

/** What the names of our settings begin with, and those of no other program. */
const OURS = /^(ADMIN|BACKUP|PUBLIC|RSVP|SECURITY|TRUSTED)_/i

/** A sentence for everything in .env that is not read as intended; see `envFileToRead()`. */
export function findMisreadSettings(file: string | undefined): string[] {
  const unknown = Object.keys(parseEnv(textOfEnvFile(file)))
    .filter((name) => OURS.test(name) && !(name in environment.shape))
    .map((name) => `${name} in .env is not a setting, and does nothing. \`rsvp help environment\` lists them.`)
  return [...unknown, ...findCutSettings(file)]
}

/**
 * A sentence for every setting of which only a part is read from the file; quotes nothing of the values.
 * @internal Exported for its test.
 */
export function findCutSettings(file: string | undefined): string[] {
  const text = textOfEnvFile(file)
  const settings = Object.entries(parseEnv(text)).filter(([name]) => name in environment.shape)
  return settings.flatMap(([name, read = '']) => {
    const written = text.matchAll(new RegExp(`^[^\\S\\n]*(?:export\\s+)?${name}[^\\S\\n]*=(.*)$`, 'gm'))
    const last = Array.from(written, ([, value = '']) => value.trim()).at(-1) ?? ''
    const quote = /^["'`]/.exec(last)?.[0] ?? ''
    const whole = `${quote}${read}${quote}`
    // Otherwise it is inside the quotes of another setting.
    if (!last.startsWith(whole)) return []
    const rest = last.slice(whole.length)
    const comment = quote === '' ? /^\s+#(\s|$)/ : /^\s*#(\s|$)/
    if (rest === '' || comment.test(rest)) return []
    return quote === ''
      ? `${name} in .env is read only as far as its #. Put the whole value in quotes, e.g. ${name}='a#b'.`
      : `${name} in .env is read only as far as its second quote. Put quotes of another kind around the whole value.`
  })
}

/** Empty if there is no file, or it cannot be read. */
function textOfEnvFile(file: string | undefined): string {
  try {
    return file === undefined ? '' : readFileSync(file, 'utf8')
  } catch {
    // The file is optional, and reading the settings reports an unreadable one.
    return ''
  }
}

function parseConfig(variables: Variables, file?: string) {
  const settings = checkSettings(variables, file)
  return {
    host: settings.HOST,
    port: settings.PORT,
    databaseUrl: absoluteDatabaseUrl(settings.DATABASE_URL),
    databaseAuthToken: settings.DATABASE_AUTH_TOKEN,
    publicUrl: settings.PUBLIC_URL,
    /** Addresses and networks that are trusted to say where a request comes from. */
    trustedProxies: settings.TRUSTED_PROXIES ?? [],
    adminPassword: settings.ADMIN_PASSWORD,
    adminPasswordFile: settings.ADMIN_PASSWORD_FILE && resolve(projectRoot, settings.ADMIN_PASSWORD_FILE),
    /** How many RSVPs one network may send; undefined for no limit. */
    postLimit: allowanceOf(settings.RSVP_POST_LIMIT),
    /** Anyone who can reach the address may administer, even from other machines. */
    openToNetwork: settings.RSVP_ACCESS === 'open',
    /** The folder for the nightly backups; undefined if none are made. */
    backupFolder: settings.BACKUP_DIR && resolve(projectRoot, settings.BACKUP_DIR),
    backupTime: settings.BACKUP_TIME,
    backupsKept: settings.BACKUP_KEEP,
    mail: mailOf(settings),
    logLevel: settings.LOG_LEVEL,
  }
}

/** Undefined if no mail is sent. */
function mailOf({ SMTP_URL: server, MAIL_FROM: from }: ReturnType<typeof checkSettings>): Mail | undefined {
  if (server === undefined && from === undefined) return undefined
  if (server !== undefined && from !== undefined) {
    const [, name = ''] = /^[\s"'“]*(.*?)[\s"'”]*</.exec(from) ?? []
    return { server, from: emailAddress.parse(from), name }
  }
  throw new UserError('configuration', 'SMTP_URL and MAIL_FROM belong together: set the one that is missing.')
}

/** Like process.loadEnvFile: variables that are already set stay. */
function loadEnvFile(file: string, variables: Variables): void {
  try {
    if (!existsSync(file)) return
    for (const [name, value] of Object.entries(parseEnv(readFileSync(file, 'utf8')))) {
      if (!(name in variables)) variables[name] = value
    }
  } catch (error) {
    const code = errorCodeOf(error)
    throw new UserError(
      'configuration',
      `The settings in ${file} cannot be read (${code}). Check who may read the file.`,
    )
  }
}

function absoluteDatabaseUrl(url: string): string {
  if (!url.startsWith('file:')) return url
  return `file:${resolve(projectRoot, url.replace(/^file:(\/\/(?=\/))?/, ''))}`
}
