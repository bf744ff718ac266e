import { accessSync, constants, existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { UserError } from '#db/errors.ts'
import { findCutSettings } from './cut-settings.ts'
import { environment } from './environment.ts'
import { allowanceOf, listed } from './setting-values.ts'

/** The folder with package.json: what every relative path in the settings is relative to. */
export const projectRoot = findProjectRoot(dirname(fileURLToPath(import.meta.url)))

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
    // What is wrong with a setting may be that half of it is missing.
    const cut = variables === process.env ? findCutSettings(envFileToRead()) : []
    throw new UserError('configuration', [...mistakes, ...cut].join('\n'))
  }
  const settings = parsed.data
  return {
    host: settings.HOST,
    port: settings.PORT,
    databaseUrl: absoluteDatabaseUrl(settings.DATABASE_URL),
    databaseAuthToken: settings.DATABASE_AUTH_TOKEN,
    publicUrl: settings.PUBLIC_URL,
    /** Addresses and networks whose word counts on where a request comes from. */
    trustedProxies: listed(settings.TRUSTED_PROXIES),
    adminPassword: settings.ADMIN_PASSWORD,
    adminPasswordFile: settings.ADMIN_PASSWORD_FILE && resolve(projectRoot, settings.ADMIN_PASSWORD_FILE),
    /** How many answers one network may send; undefined for as many as it likes. */
    postLimit: allowanceOf(settings.RSVP_POST_LIMIT),
    /** Everyone who can reach the address may administer, although it can be reached from other machines. */
    openToNetwork: settings.RSVP_ACCESS === 'open',
    /** Where the site puts a backup every night; undefined where it makes none. */
    backupFolder: settings.BACKUP_DIR && resolve(projectRoot, settings.BACKUP_DIR),
    /** When, in the church's zone, as in `02:30`. */
    backupTime: settings.BACKUP_TIME,
    /** How many of them stay. */
    backupsKept: settings.BACKUP_KEEP,
    logLevel: settings.LOG_LEVEL,
  }
}

/** Puts variables before those of the environment and of .env, as an option of the command line does. */
export function overrideVariables(variables: Record<string, string>): void {
  Object.assign(process.env, variables)
}

/**
 * The file .env beside package.json, where it is to be read. A new build is started once without it (by
 * scripts/build/prove-build.mjs): it may be wrong, or not for the account that builds.
 */
export function envFileToRead(): string | undefined {
  return process.env.RSVP_ENV_FILE === 'none' ? undefined : join(projectRoot, '.env')
}

/** The environment, and behind it the file .env. */
function withEnvFile(): Record<string, string | undefined> {
  const file = envFileToRead()
  try {
    if (file === undefined || !existsSync(file)) return process.env
    // loadEnvFile says ENOENT of whatever it may not read.
    accessSync(file, constants.R_OK)
    process.loadEnvFile(file)
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

function findProjectRoot(folder: string): string {
  return existsSync(join(folder, 'package.json')) || folder === dirname(folder)
    ? folder
    : findProjectRoot(dirname(folder))
}
