import { CommandError, exitCodes } from '../exit-code.ts'
import { carryOut } from '../service/step.ts'
import { reasonOf } from '../service/update/switch.ts'
import { removeTrial } from '../service/update/trial.ts'
import { goBack } from './go-back.ts'
import { type Change, stepsOf } from './steps.ts'
import { forget, remember } from './versions.ts'

type Options = { yes?: true; dryRun?: true }

/**
 * Puts a version of the checkout into use, and goes back by itself where that fails.
 * @returns whether it was done.
 * @throws CommandError that says what was wrong, once the version from before is in use again.
 */
export async function putIntoUse(change: Change, question: string, options: Options): Promise<boolean> {
  const { target, situation, context } = change
  const { proved, site } = situation
  const progress = { isCheckedOut: false, isSiteTouched: false }
  if (!options.dryRun) await removeTrial(site.trial)
  try {
    if (!(await carryOut(stepsOf(change, progress), question, options, context))) return false
  } catch (error) {
    if (!progress.isCheckedOut) throw error
    const reason = context.signal.aborted ? 'The update was interrupted' : reasonOf(error)
    await goBack(situation, progress, context).catch((failure) => {
      const todo = 'Run `npx rsvp rollback` when that is fixed.'
      const end = `It could not go back to ${proved.title}: ${reasonOf(failure)}. ${todo}`
      throw new CommandError(exitCodes.failed, `${reason}. ${end}`)
    })
    const code = error instanceof CommandError ? error.exitCode : exitCodes.failed
    const kept = progress.isSiteTouched ? ', with all that was stored meanwhile' : ''
    throw new CommandError(code, `${reason}. ${proved.title} is in use again${kept}.`)
  }
  // After a return from an interrupted update there is nothing new to go back to.
  if (target.commit !== proved.commit) await remember('previous', proved)
  await forget('unproved')
  return true
}
