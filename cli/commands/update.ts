import compare from 'semver/functions/compare.js'
import { isRelease, projectRoot } from '#db/config/project-root.ts'
import type { Context } from '../context.ts'
import { CommandError, exitCodes } from '../exit-code.ts'
import { hasTerminal, say } from '../output/output.ts'
import { program } from '../service/layout.ts'
import { carryOut } from '../service/step.ts'
import { requireSystemd } from '../service/system.ts'
import { updateAlone } from '../service/update/alone.ts'
import { type FoundRelease, findRelease } from '../service/update/find-release.ts'
import { sayStopped } from '../service/update/say-stopped.ts'
import { findSituation, isInUse } from '../service/update/situation.ts'
import { stepsTo } from '../service/update/steps.ts'

type Options = { to?: string; unsigned?: true; yes?: true; dryRun?: true }

/** Puts another release into use at every site that runs as a service here, and goes back by itself where one is not well. */
export async function run(source: string | undefined, options: Options, context: Context): Promise<void> {
  if (!isRelease && source === undefined) {
    throw new CommandError(
      exitCodes.failed,
      `${projectRoot} is a checkout: bring it up to date with \`git pull && npm start\`, see docs/upgrade.md.`,
    )
  }
  const { io, call, quiet } = context
  if (!options.dryRun) await requireSystemd('update')
  await updateAlone(program.folder, io, async (interruption) => {
    const target = await findRelease(source, options, io.cwd())
    const situation = await findSituation(call.now)
    const { proved } = situation
    if (await isInUse(target.version, situation)) {
      if (!quiet) say(`${target.version} is in use already.`, io)
      return
    }
    if (options.to === undefined && compare(target.version, proved.version) < 0) {
      const older = `${target.version} is older than ${proved.version}, which is in use.`
      throw new CommandError(exitCodes.usage, `${older} \`rsvp rollback\` goes back; --to takes any version.`)
    }
    if (target.isUnsigned && !options.dryRun) await agreeToUnsigned(target, context)
    const steps = stepsTo(target, situation, call.now)
    const question = `Update from ${proved.version} to ${target.version}?`
    if (!(await carryOut(steps, question, options, { ...context, signal: interruption })) || quiet) return
    say(`${target.version} is in use. \`rsvp rollback\` goes back to ${proved.version}.`, io)
    sayStopped(situation, io)
  })
}

/** Without a signature anyone may have made it, and it will run as root: that takes more than a yes, or an option. */
async function agreeToUnsigned({ version, path }: FoundRelease, { io, signal }: Context): Promise<void> {
  if (!hasTerminal(io)) {
    throw new CommandError(exitCodes.usage, 'No terminal to confirm on: --unsigned asks there, also with --yes.')
  }
  say(`No signature proves who has made ${path}. It will run as root.`, io)
  const { askForText } = await import('../ui/ask.tsx')
  const typed = await askForText({ label: `Type ${version} to run it:`, preset: 'no' }, { signal, io })
  signal.throwIfAborted()
  if (typed !== version) throw new CommandError(exitCodes.failed, 'Nothing was changed.')
}
