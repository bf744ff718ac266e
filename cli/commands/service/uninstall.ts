import type { Context } from '../../context.ts'
import { say } from '../../output/output.ts'
import { findSiteName } from '../../service/find-site-name.ts'
import { layoutOf } from '../../service/layout.ts'
import { carryOut } from '../../service/step.ts'
import { requireSystemd } from '../../service/system.ts'
import { removals } from '../../service/uninstall.ts'

/** Undoes what made a site a service. Its data, its backups and its settings stay. */
export async function run(options: { yes?: true; dryRun?: true }, context: Context): Promise<void> {
  if (!options.dryRun) await requireSystemd('uninstall')
  const name = findSiteName(context.io.env)
  const layout = layoutOf(name)
  const { data, backups } = layout
  if (!(await carryOut(await removals(layout), `Uninstall the site ${name}?`, options, context))) return
  if (!context.quiet) say(`What people sent is kept in ${data}, and its backups in ${backups}.`, context.io)
}
