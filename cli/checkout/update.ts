import { projectRoot, rsvpCommand } from '#db/config/places.ts'
import type { Context } from '../context.ts'
import { CommandError, exitCodes } from '../exit-code.ts'
import { say } from '../output/output.ts'
import { updateAlone } from '../service/update/alone.ts'
import { findTarget } from './find-target.ts'
import { putIntoUse } from './put-into-use.ts'
import { findSituation, type Situation } from './situation.ts'
import { recall, type Version } from './versions.ts'

type Options = { service: string; yes?: true; dryRun?: true }

/** Puts another version of this checkout into use, and goes back by itself where it is not well. */
export async function updateCheckout({ to, ...options }: Options & { to?: string }, given: Context): Promise<void> {
  await inTurn(options, given, async (situation, context) => {
    const { inUse, proved, isOpen } = situation
    const target = (await findTarget(to, (sentence) => say(sentence, context.io))) ?? inUse
    if (isInUse(target, situation, context)) return
    const change = { target, situation, context }
    const interrupted = isOpen ? ' The update before was interrupted.' : ''
    const question = `Update from ${inUse.title} to ${target.title}?${interrupted}`
    if (!(await putIntoUse(change, question, options)) || context.quiet) return
    const way = target.commit === proved.commit ? '' : ` \`${rsvpCommand} rollback\` goes back to ${proved.title}.`
    say(`${target.title} is in use.${way}`, context.io)
    sayNotRestarted(target, situation, context)
  })
}

/** Puts the version into use again that was in use before. */
export async function rollBackCheckout(
  { restore = false, ...options }: Options & { restore?: boolean },
  given: Context,
): Promise<void> {
  await inTurn(options, given, async (situation, context) => {
    const { inUse, proved, isOpen } = situation
    const target = isOpen ? proved : await recall('previous')
    if (target === undefined) {
      const todo = `It goes back to what an update has replaced; \`${rsvpCommand} update --to VERSION\` takes any version.`
      throw new CommandError(exitCodes.notFound, `No version was in use before this one. ${todo}`)
    }
    if (isInUse(target, situation, context)) return
    const question = `Go back from ${inUse.title} to ${target.title}?`
    if (!(await putIntoUse({ target, situation, restore, context }, question, options)) || context.quiet) return
    say(`${target.title} is in use again.`, context.io)
    sayNotRestarted(target, situation, context)
  })
}

async function inTurn(
  { service, dryRun }: Options,
  context: Context,
  work: (situation: Situation, context: Context) => Promise<void>,
): Promise<void> {
  await updateAlone(projectRoot, context.io, async (signal) => {
    const situation = await findSituation(service, context)
    if (situation.service !== undefined && !dryRun && process.getuid?.() !== 0) {
      const what = `Only root may restart the service ${service}`
      throw new CommandError(exitCodes.failed, `${what}: run the same with sudo. Nothing was changed.`)
    }
    await work(situation, { ...context, signal })
  })
}

function isInUse(target: Version, { inUse, isOpen }: Situation, { io, quiet }: Context): boolean {
  if (target.commit !== inUse.commit || isOpen) return false
  if (!quiet) say(`${inUse.title} is in use already.`, io)
  return true
}

/** A site that goes on with the build from before. */
function sayNotRestarted({ title }: Version, { stopped, isServed }: Situation, { io }: Context): void {
  if (isServed) say(`A site runs here that is no service: restart it, and it runs ${title}.`, io)
  else if (stopped) say(`Stopped as before: \`systemctl start ${stopped.name}\` starts it with ${title}.`, io)
}
