import { fileOf, placeOf } from '#db/config/places.ts'
import { isOlder } from '#db/errors.ts'
import { acquireExclusiveSiteLock } from '#db/storage/locks.ts'
import type { Context } from '../context.ts'
import { printJson, say } from '../output/output.ts'

/** Migrates the tables of an older version, like every start of the site. */
export async function migrate({ json }: { json?: true }, context: Context): Promise<void> {
  const { databaseUrl } = context.readConfig()
  const migrated = await hasOlderTables(context)
  const kept = migrated ? await bringUpToDate(databaseUrl, context) : undefined
  if (json) return printJson({ migrated, kept: kept ?? null }, context.io)
  if (context.quiet) return
  say(
    `The tables in ${placeOf(databaseUrl)} ${migrated ? 'are up to date now' : 'were up to date already'}.`,
    context.io,
  )
  if (kept !== undefined) say(`The previous database is kept as ${kept}`, context.io)
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

/** Refuses while a site of the older version is running: it would keep using tables that it does not understand. */
async function bringUpToDate(url: string, { openDatabase }: Context): Promise<string | undefined> {
  const file = fileOf(url)
  const release = file === undefined ? undefined : await acquireExclusiveSiteLock(file)
  try {
    return await openDatabase({ mustExist: true, otherVersion: 'migrate' })
  } finally {
    await release?.()
  }
}
