import { confirmClock, getClock } from '#db/clock/operations.ts'
import { shownTimeZone } from '#db/schedule/shown-time-zone.ts'
import { formatMoment } from '#db/values/moment.ts'
import type { Context } from '../../context.ts'
import { clockJson } from '../../output/clock-json.ts'
import { printJson, say } from '../../output/output.ts'
import { confirm } from '../../questions/confirm.ts'
import { dueTexts } from '../../responses/due-texts.ts'

/** Asks for a confirmation that the clock is right, and shows what will be purged by it. */
export async function run(options: { yes?: true; json?: true }, context: Context): Promise<void> {
  const { call } = context
  const { clock } = await getClock(call)
  const time = formatMoment(clock, await shownTimeZone())
  const { anonymize, erase } = await dueTexts(call)
  if (!options.yes)
    await confirm(`The clock shows ${time}. By it ${anonymize}, and ${erase}. Is that the right time?`, context)
  await confirmClock(call)
  if (!context.quiet)
    say(`From now on ${time} is the latest moment known. By it ${anonymize}, and ${erase}.`, context.io)
  if (options.json) await printJson(await clockJson(call), context.io)
}
