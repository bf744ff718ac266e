import { readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileOf } from '#db/config/database-url.ts'
import { CommandError, exitCodes } from '../../exit-code.ts'
import { layoutOf } from '../layout.ts'
import { type Release, runForSite } from '../release.ts'
import { configOf } from '../settings.ts'
import { accountIds, runTool } from '../system.ts'
import { makeTrialFolder, removeTrial } from './trial.ts'

/** Whether a release works with the tables of a site as they are. */
export async function canUseTables(site: string, release: Release): Promise<boolean> {
  try {
    await runForSite(release, site, ['stats', '--json'])
    return true
  } catch (error) {
    if (error instanceof CommandError && error.message.includes('newer version')) return false
    throw error
  }
}

/**
 * Stops a site, brings back the database from before the update, for a release that cannot use the tables that a newer one
 * has left, and adds the responses that came since. What the newer one had stored is kept beside.
 * @param since the copy from before has to be younger; without it the last one counts.
 * @throws CommandError 'failed' where there is no such copy.
 */
export async function putBackTables(site: string, from: Release, to: Release, since?: Date): Promise<void> {
  const { account, units } = layoutOf(site)
  const copy = await findCopy(site, since)
  const list = join(await makeTrialFolder(site, await accountIds(account)), 'since-the-update.csv')
  await runTool('systemctl', 'stop', ...units.filter((unit) => unit.endsWith('.service')))
  await runForSite(from, site, ['export', '--out', list, '--quiet'])
  try {
    await runForSite(to, site, ['restore', copy, '--yes', '--quiet'])
    // Its start would bring up to date what is older still.
    await runForSite(to, site, ['migrate', '--quiet'])
    await runForSite(to, site, ['import', list, '--yes', '--quiet'])
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CommandError(exitCodes.failed, `${reason} All responses are in ${list}: \`rsvp import\` adds them.`)
  }
  await removeTrial(site)
}

/** The copy that the start of a newer version keeps before it changes the tables. */
async function findCopy(site: string, since = new Date(0)): Promise<string> {
  const { databaseUrl } = await configOf(site)
  const file = fileOf(databaseUrl)
  if (file === undefined) throw cannotGoBack(site, 'its database is on a libSQL server')
  const start = `${basename(file)}.before-update-`
  const names = await readdir(dirname(file))
  const [newest = ''] = names
    .filter((name) => name.startsWith(start))
    .sort()
    .reverse()
  // The name has the moment, so that names sort by age.
  if (newest < start + since.toISOString().replaceAll(':', '-'))
    throw cannotGoBack(site, 'there is no copy from before')
  return join(dirname(file), newest)
}

function cannotGoBack(site: string, why: string): CommandError {
  return new CommandError(
    exitCodes.failed,
    `The tables of ${site} were changed and cannot be changed back, because ${why}`,
  )
}
