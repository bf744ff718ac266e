import type { Context } from '../context.ts'
import type { SiteCommand } from '../service/site-command.ts'
import { runTool } from '../service/system.ts'
import { canUseTables, putBackTables } from '../service/update/put-back-tables.ts'
import { build } from './build.ts'
import { restart } from './service.ts'
import { commandOfThisBuild, type Situation } from './situation.ts'
import { forget } from './versions.ts'

/** Puts the version into use again that was seen working. The last build is kept, so that takes seconds. */
export async function goBack(
  situation: Situation,
  { isSiteTouched }: { isSiteTouched: boolean },
  context: Context,
): Promise<void> {
  const { proved, site, service } = situation
  const replaced = await commandOfThisBuild(site)
  await build(proved, context)
  if (isSiteTouched) {
    if (site.hasDatabase && !(await canUseTables(site.command))) {
      await putBackDatabase(situation, replaced, context.call.now)
    }
    if (service !== undefined) await restart(service, site.address)
  }
  await forget('unproved')
}

/**
 * Brings back the database from before the update, for the version that is in use now.
 * @param from the command of the version that has changed the tables.
 */
export async function putBackDatabase({ site, service }: Situation, from: SiteCommand, since?: Date): Promise<void> {
  const { command: to, databaseUrl, trial: place } = site
  const stop = async () => {
    if (service !== undefined) await runTool('systemctl', 'stop', service.unit)
  }
  await putBackTables({ from, to, owner: 'this site', databaseUrl, place, stop, since })
}
