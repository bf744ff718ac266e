import { listSites, severalSites } from '#db/config/places.ts'
import { CommandError, exitCodes } from '../exit-code.ts'

/** The site that is meant where none is named and none is there. */
const DEFAULT_NAME = 'main'

/**
 * The site that runs as a service and is meant: the one that is named, or the only one.
 * @throws CommandError 'not found' where there is none of that name, 'usage' where it could be several.
 */
export function findSiteName(variables: NodeJS.ProcessEnv): string {
  const sites = listSites()
  const name = nameToInstall(variables)
  if (sites.includes(name)) return name
  const there = sites.length === 0 ? 'No site runs as a service here.' : `The sites here are ${sites.join(', ')}.`
  throw new CommandError(
    exitCodes.notFound,
    `There is no service ${name}. ${there} \`rsvp service install\` makes one.`,
  )
}

/**
 * The site that is meant, whether it is there or not.
 * @throws CommandError 'usage' where it could be several.
 */
export function nameToInstall({ RSVP_SITE: named }: NodeJS.ProcessEnv): string {
  if (named) return named
  const sites = listSites()
  if (sites.length > 1) throw new CommandError(exitCodes.usage, severalSites(sites))
  return sites[0] ?? DEFAULT_NAME
}
