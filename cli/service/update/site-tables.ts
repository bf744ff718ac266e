import { layoutOf } from '../layout.ts'
import type { Release } from '../release.ts'
import { configOf } from '../settings.ts'
import { commandOf } from '../site-command.ts'
import { runTool } from '../system.ts'
import { putBackTables } from './put-back-tables.ts'
import { trialFolder } from './try-release.ts'

/** Puts back the tables of a site that runs as a service. */
export async function putBackTablesOf(site: string, from: Release, to: Release, since?: Date): Promise<void> {
  const { units } = layoutOf(site)
  const { databaseUrl } = await configOf(site)
  await putBackTables({
    from: await commandOf(site, from),
    to: await commandOf(site, to),
    owner: site,
    databaseUrl,
    place: trialFolder(site),
    stop: () => runTool('systemctl', 'stop', ...units.filter((unit) => unit.endsWith('.service'))),
    since,
  })
}
