import { readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileOf, rsvpCommand } from '#db/config/places.ts'
import { CommandError, exitCodes } from '../../exit-code.ts'
import { runCommand, type SiteCommand } from '../site-command.ts'
import { runToolAs } from '../system.ts'
import { splitList } from './split-list.ts'
import { makeTrialFolder, removeTrial } from './trial.ts'

/** Whether a version works with the tables of a site as they are, or brings them up to date at its start. */
export async function canUseTables(command: SiteCommand): Promise<boolean> {
  try {
    await runCommand(command, ['stats', '--json'])
    return true
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    if (error.message.includes('newer version')) return false
    if (error.message.includes('older version')) return true
    throw error
  }
}

/** For a return that would need an older database, and was not told to bring it back. */
export function tablesChanged(owner: string, version: string): CommandError {
  const what = `The update has changed the tables of ${owner}, and ${version} cannot use them.`
  const todo = `\`${rsvpCommand} rollback --restore\` also brings back the database from before the update and adds the responses that came since; what else was changed since is then only in a copy beside it.`
  return new CommandError(exitCodes.failed, `${what} ${todo}`)
}

type Tables = {
  /** The command of the version that has changed the tables. */
  from: SiteCommand
  /** That of the version that needs them as they were. */
  to: SiteCommand
  /** Of whom they are, e.g. the name of a site. */
  owner: string
  databaseUrl: string
  /** The folder in which the database is prepared. */
  place: string
  stop: () => Promise<unknown>
  /** The copy from before has to be younger; without it the last one counts. */
  since?: Date | undefined
}

/**
 * Stops a site, brings back the database from before the update, for a version that cannot use the tables that a newer one
 * has left, and adds the responses that came since. What the newer one had stored is kept beside.
 * @throws CommandError 'failed' where there is no such copy.
 */
export async function putBackTables(tables: Tables): Promise<void> {
  const { from, to, place, stop } = tables
  const copy = await findCopy(tables)
  const [list, next] = [join(place, 'responses.csv'), join(place, 'rsvp.db')]
  const atNext = { ...to, site: ['--db', `file:${next}`] }
  await makeTrialFolder(place, to.account)
  await stop()
  await runCommand(from, ['export', '--out', list, '--quiet'])
  await runToolAs(to.account ?? {}, 'cp', '--', copy, next)
  // What is older still would be brought up to date at the start of the site.
  await runCommand(atNext, ['migrate', '--quiet'])
  for (const part of await splitList(list, to.account)) await runCommand(atNext, ['import', part, '--yes', '--quiet'])
  // All at once and as the last: until then nothing has changed, whatever fails or is killed.
  await runCommand(to, ['restore', next, '--yes', '--quiet'])
  await removeTrial(place)
}

/** The copy that the start of a newer version keeps before it changes the tables. */
async function findCopy({ owner, databaseUrl, since = new Date(0) }: Tables): Promise<string> {
  const file = fileOf(databaseUrl)
  if (file === undefined) throw cannotGoBack(owner, 'its database is on a libSQL server')
  const start = `${basename(file)}.before-update-`
  const names = await readdir(dirname(file))
  const [newest = ''] = names
    .filter((name) => name.startsWith(start))
    .sort()
    .reverse()
  // The name has the moment, so that names sort by age.
  if (newest < start + since.toISOString().replaceAll(':', '-'))
    throw cannotGoBack(owner, 'there is no copy from before')
  return join(dirname(file), newest)
}

function cannotGoBack(owner: string, why: string): CommandError {
  return new CommandError(
    exitCodes.failed,
    `The tables of ${owner} were changed and cannot be changed back, because ${why}`,
  )
}
