import { fileOf, placeOf } from '#db/config/places.ts'
import { acquireExclusiveSiteLock } from '#db/storage/locks.ts'
import { isOlder } from '#db/values/errors.ts'
import type { Context, Declare } from '../command.ts'
import { examples } from '../options.ts'
import { printJson, say } from '../output.ts'

export const declare: Declare = (command, run) => {
  command
    .description(
      'Updates the tables of an older version after keeping a copy of the database, like every start of the site. All ' +
        'other commands refuse such a database. It refuses while a site of the older version is running.',
    )
    .option('--json', 'print whether anything changed, and which copy was kept')
    .addHelpText('after', examples('rsvp migrate', 'rsvp migrate --db file:/backups/rsvp-2025.db'))
    .action(
      run('nothing', async ({ json }, context) => {
        const { databaseUrl } = context.readConfig()
        const migrated = await hasOlderTables(context)
        const kept = migrated ? await bringUpToDate(databaseUrl, context) : undefined
        if (json) return printJson({ migrated, kept: kept ?? null }, context.io)
        const state = migrated ? 'are up to date now' : 'were up to date already'
        say(`The tables in ${placeOf(databaseUrl)} ${state}.`, context)
        if (kept !== undefined) say(`The previous database is kept as ${kept}`, context)
      }),
    )
}

async function hasOlderTables({ openDatabase }: Context): Promise<boolean> {
  try {
    await openDatabase({ mustExist: true })
    return false
  } catch (error) {
    if (isOlder(error)) return true
    throw error
  }
}

/** Refuses while a site of the older version is running, because that site would not understand the new tables. */
async function bringUpToDate(url: string, { openDatabase }: Context): Promise<string | undefined> {
  const file = fileOf(url)
  const release = file === undefined ? undefined : await acquireExclusiveSiteLock(file)
  try {
    return await openDatabase({ mustExist: true, otherVersion: 'migrate' })
  } finally {
    await release?.()
  }
}
