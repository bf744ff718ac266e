import { join } from 'node:path'
import { siteNamed, systemRoot } from '#db/config/places.ts'

const at = (...parts: string[]) => join(systemRoot, ...parts)

/** Where the program of all sites is, and what is made of it in the system. */
export const program = {
  folder: at('opt', 'rsvp'),
  releases: at('opt', 'rsvp', 'releases'),
  /** A link to the release in use. */
  current: at('opt', 'rsvp', 'current'),
  /** A link to the release that was in use before. */
  previous: at('opt', 'rsvp', 'previous'),
  /** During an update, a link to the release to go back to: the one in use has still to be seen working. */
  unproved: at('opt', 'rsvp', 'unproved'),
  /** Where a release is tried on a copy of a database: the account of a site cannot put anything else in its place. */
  trial: at('opt', 'rsvp', 'trial'),
  /** A link to its command. */
  command: at('usr', 'local', 'bin', 'rsvp'),
  units: at('etc', 'systemd', 'system'),
} as const

/** What one site has of its own: its account, its folders, its settings and its units. */
export function layoutOf(name: string) {
  const { folder, envFile } = siteNamed(name)
  return {
    name,
    account: `rsvp-${name}`,
    data: folder,
    settings: envFile,
    /** Where the settings are while the site is uninstalled. */
    keptSettings: join(folder, 'settings.env'),
    /** What Node compiled of the program. */
    cache: at('var', 'cache', 'rsvp', name),
    backups: at('var', 'backups', 'rsvp', name),
    units: [`rsvp@${name}.service`, `rsvp-backup@${name}.timer`],
    socket: `rsvp@${name}.socket`,
  }
}

export type Layout = ReturnType<typeof layoutOf>
