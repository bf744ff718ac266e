import { isRelease, projectRoot } from '#db/config/project-root.ts'
import type { Context } from '../context.ts'
import { CommandError, exitCodes } from '../exit-code.ts'
import { say } from '../output/output.ts'
import { program } from '../service/layout.ts'
import { type Release, releaseAt } from '../service/release.ts'
import { commandOf } from '../service/site-command.ts'
import { carryOut } from '../service/step.ts'
import { requireSystemd } from '../service/system.ts'
import { updateAlone } from '../service/update/alone.ts'
import { canUseTables, tablesChanged } from '../service/update/put-back-tables.ts'
import { sayStopped } from '../service/update/say-stopped.ts'
import { findSituation, type Situation } from '../service/update/situation.ts'
import { stepsTo } from '../service/update/steps.ts'

/** What comes with an older database. */
export const RESTORED =
  'What was deleted or erased since the update is there again: erase it once more. The password is the one from before the update, and all administrators are signed out.'

type Options = { restore?: true; yes?: true; dryRun?: true }

/** Puts the release into use again that was in use before, at every site that runs as a service here. */
export async function run(options: Options, context: Context): Promise<void> {
  const { io, call, quiet } = context
  if (!isRelease) {
    const todo = 'go back with `git checkout` of the version before and `npm start`, see docs/upgrade.md.'
    throw new CommandError(exitCodes.failed, `${projectRoot} is a checkout: ${todo}`)
  }
  if (!options.dryRun) await requireSystemd('update')
  await updateAlone(program.folder, io, async (interruption) => {
    const situation = await findSituation(call.now)
    const target = await findTarget(situation)
    const restored = await sitesToRestore(target, situation, options)
    const steps = stepsTo({ ...target, kind: 'installed', path: target.folder }, situation, call.now, restored)
    const question = `Go back from ${situation.inUse.version} to ${target.version}?`
    if (!(await carryOut(steps, question, options, { ...context, signal: interruption })) || quiet) return
    say(`${target.version} is in use again.`, io)
    if (restored.length > 0) say(RESTORED, io)
    sayStopped(situation, io)
  })
}

/** After an interrupted update the release from before that one. */
async function findTarget({ proved, isOpen }: Situation): Promise<Release> {
  const target = isOpen ? proved : await releaseAt(program.previous)
  if (target !== undefined) return target
  const todo = 'It goes back to what an update has replaced; `rsvp update --to VERSION` takes any version.'
  throw new CommandError(exitCodes.notFound, `No release was in use before this one. ${todo}`)
}

/** The sites whose tables the release cannot use. Only with --restore does their database go back. */
async function sitesToRestore(target: Release, { running }: Situation, { restore }: Options): Promise<string[]> {
  const found: string[] = []
  for (const site of running) if (!(await canUseTables(await commandOf(site, target)))) found.push(site)
  if (found.length === 0 || restore) return found
  throw tablesChanged(found.join(', '), target.version)
}
