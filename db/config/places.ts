import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { UserError } from '#db/errors.ts'

/** The folder with package.json: a checkout of the project, or a release that is unpacked or installed. */
export const projectRoot = findProjectRoot(dirname(fileURLToPath(import.meta.url)))

/** Whether this is a release, whose folder belongs to one version and not to a site. A checkout has its own build. */
export const isRelease = !existsSync(join(projectRoot, 'dist')) && existsSync(join(projectRoot, 'builds', 'packed'))

/** The commands that messages tell people to type. */
export const rsvpCommand = isRelease ? 'rsvp' : 'npx rsvp'
export const startCommand = isRelease ? 'rsvp serve' : 'npm start'

/** The version of the program; a checkout has that of the last release. */
export function readProgramVersion(): string {
  return JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')).version
}

/** `folder` contains the data of a site; relative paths in its settings start there. */
export type SiteFolder = { folder: string; envFile: string }

type Variables = Record<string, string | undefined>

/** The root of the system in which sites run as services: `/`, except in tests. */
export const systemRoot = process.env.RSVP_SYSTEM_ROOT ?? '/'
const settings = join(systemRoot, 'etc', 'rsvp')
const data = join(systemRoot, 'var', 'lib', 'rsvp')

/** The site of this name that runs as a service, whether or not it exists. */
export function siteNamed(name: string): SiteFolder {
  return { folder: join(data, name), envFile: join(settings, `${name}.env`) }
}

/** The names of the sites of this machine that run as services. */
export function listSites(): string[] {
  if (!existsSync(settings)) return []
  return readdirSync(settings)
    .flatMap((file) => /^([a-z].*)\.env$/.exec(file)?.[1] ?? [])
    .sort()
}

/**
 * The site that RSVP_SITE names. Without it, the site of the checkout or, for a release, that of the current folder, or
 * else the only one that runs as a service.
 * @throws UserError 'configuration' if there is no site of that name, or it could be several.
 */
export function findSite(variables: Variables = process.env): SiteFolder {
  const { RSVP_SITE: name } = variables
  if (name) return existingSite(name)
  if (!isRelease) return siteIn(projectRoot)
  const here = siteIn(process.cwd())
  const sites = existsSync(here.envFile) || existsSync(join(here.folder, 'data')) ? [] : listSites()
  const [only, ...others] = sites
  if (only === undefined) return here
  if (others.length === 0) return siteNamed(only)
  throw new UserError('configuration', severalSites(sites))
}

export function severalSites(sites: string[]): string {
  return `There are several sites here, ${sites.join(', ')}: say which with --site NAME.`
}

/** An update replaces the folder of a release, and any database in it would be lost. */
export function assertOutsideRelease(file: string): void {
  if (!isRelease || existsSync(file)) return
  let above = dirname(file)
  while (!existsSync(above)) above = dirname(above)
  if (!`${realpathSync(above)}${sep}`.startsWith(`${projectRoot}${sep}`)) return
  throw new UserError(
    'configuration',
    `A new database at ${file} would be in the folder of the program, which an update replaces. Make a folder for ` +
      'the site elsewhere and run this there, or set DATABASE_URL, e.g. DATABASE_URL=file:/srv/site/data/rsvp.db.',
  )
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

function findProjectRoot(folder: string): string {
  return existsSync(join(folder, 'package.json')) || folder === dirname(folder)
    ? folder
    : findProjectRoot(dirname(folder))
}

function existingSite(name: string): SiteFolder {
  const site = siteNamed(name)
  if (existsSync(site.envFile)) return site
  const sites = listSites()
  const there = sites.length === 0 ? 'There are none here' : `Those here are ${sites.join(', ')}`
  throw new UserError(
    'configuration',
    `There is no site ${name}: ${site.envFile} is missing. ${there}; \`rsvp service install --site ${name}\` makes one.`,
  )
}

function siteIn(folder: string): SiteFolder {
  return { folder, envFile: join(folder, '.env') }
}
