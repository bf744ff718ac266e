import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder with package.json; relative paths in settings start there. */
export const projectRoot = findFolderWith('package.json')

/** The migrations of this build; the checkout may already hold those of a later version. */
export const migrationsFolder = join(findFolderWith('migrations'), 'migrations')

/** The command in messages. The lockfile shows that npm, and with it npx, is there; the container image has neither. */
export const rsvpCommand = existsSync(join(projectRoot, 'node_modules', '.package-lock.json')) ? 'npx rsvp' : 'rsvp'

export function readProgramVersion(): string {
  return JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')).version
}

/** The absolute path of a database that is a file; undefined for a libSQL server. */
export function fileOf(url: string): string | undefined {
  return url.startsWith('file:') ? url.slice('file:'.length) : undefined
}

export function isNew(url: string): boolean {
  const file = fileOf(url)
  return file !== undefined && !existsSync(file)
}

/** The path or the address of a database for messages, without credentials. */
export function placeOf(url: string): string {
  const file = fileOf(url)
  if (file !== undefined) return file
  // Not its origin: a libsql: URL has none.
  const { protocol, host } = new URL(url)
  return `${protocol}//${host}`
}

/** The address at which this computer reaches a site directly, without a proxy. */
export function ownAddress(host: string, port: number): string {
  const here = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  return `http://${here.includes(':') ? `[${here}]` : here}:${port}`
}

export function quoteForShell(path: string): string {
  return /^[\w./:%+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
}

/** The nearest folder above this code that contains this file or folder. */
function findFolderWith(name: string, folder = dirname(fileURLToPath(import.meta.url))): string {
  return existsSync(join(folder, name)) || folder === dirname(folder) ? folder : findFolderWith(name, dirname(folder))
}
