import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { UserError } from '#db/errors.ts'
import { isRelease, projectRoot } from './project-root.ts'

/** Where a site has its data, from which relative paths in its settings start, and the file with its settings. */
export type SiteFolder = { folder: string; envFile: string }

type Variables = Record<string, string | undefined>

/** The root of the system in which sites run as services: `/`, except in tests. */
export const systemRoot = process.env.RSVP_SYSTEM_ROOT ?? '/'
const settings = join(systemRoot, 'etc', 'rsvp')
const data = join(systemRoot, 'var', 'lib', 'rsvp')

/** The site of this name that runs as a service, whether it is there or not. */
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
 * The site that is meant: the one that RSVP_SITE names. Otherwise that of the checkout, or for a release that of the current
 * folder, or the only one that runs as a service.
 * @throws UserError 'configuration' where there is none of that name, or where it could be several.
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

/** What to do where it could be any of these. */
export function severalSites(sites: string[]): string {
  return `There are several sites here, ${sites.join(', ')}: say which with --site NAME.`
}

/**
 * The folder of a release goes with its version, and a database in it would go too.
 * @throws UserError 'configuration' where this file would be a new one in it.
 */
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
