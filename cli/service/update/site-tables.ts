import { join } from 'node:path'
import { layoutOf } from '../layout.ts'
import type { Release } from '../release.ts'
import { configOf } from '../settings.ts'
import { commandOf } from '../site-command.ts'
import { runTool } from '../system.ts'
import { putBackTables } from './put-back-tables.ts'

/** Puts back the tables of a site that runs as a service. */
export async function putBackTablesOf(site: string, from: Release, to: Release, since?: Date): Promise<void> {
  const { data, units } = layoutOf(site)
  const { databaseUrl } = await configOf(site)
  await putBackTables({
    from: commandOf(site, from),
    to: commandOf(site, to),
    owner: site,
    databaseUrl,
    list: join(data, 'since-the-update.csv'),
    stop: () => runTool('systemctl', 'stop', ...units.filter((unit) => unit.endsWith('.service'))),
    since,
  })
}
