import { UserError } from '#db/errors.ts'
import { getSchedule, unskipService } from '#db/schedule/operations.ts'
import { dayText } from '#db/values/dates.ts'
import type { Context } from '../../context.ts'
import { CommandError, exitCodes } from '../../exit-code.ts'
import { printJson, say } from '../../output/output.ts'
import { daysIn } from '../../schedule/service-days.ts'

/** Holds services that were left out. */
export async function run(words: string[], options: { json?: true }, { call, quiet, io }: Context): Promise<void> {
  let failed = false
  for (const date of daysIn(words)) {
    try {
      await unskipService({ date }, call)
      if (!quiet) say(`The service on ${dayText(date)} is held.`, io)
    } catch (error) {
      if (!(error instanceof UserError && error.code === 'not-found')) throw error
      failed = true
      say(error.message, io)
    }
  }
  if (options.json) await printJson(await getSchedule(call), io)
  if (failed) throw new CommandError(exitCodes.notFound, '')
}
