import { countRsvps } from '#db/rsvp/counts.ts'
import { getSchedule, refuseGuess, skipService } from '#db/schedule/operations.ts'
import type { CurrentSchedule } from '#db/schedule/schema.ts'
import { serviceOn } from '#db/schedule/services.ts'
import { dayText } from '#db/values/dates.ts'
import type { Context } from '../../context.ts'
import { counted } from '../../output/counted.ts'
import { printJson, say } from '../../output/output.ts'
import { serviceDaysIn } from '../../schedule/service-days.ts'

/** Leaves services out. */
export async function run(words: string[], options: { json?: true }, context: Context): Promise<void> {
  const { call, quiet, io } = context
  const before = await getSchedule(call)
  refuseGuess(before)
  const dates = serviceDaysIn(words, before)
  let after = before
  for (const date of dates) after = await skipService({ date }, call)
  if (!quiet) for (const date of dates) say(await skippedText(date, before, context), io)
  if (options.json) await printJson(after, io)
}

/** That it is skipped, and who counts on it. */
async function skippedText(date: string, before: CurrentSchedule, { call }: Context): Promise<string> {
  const { attending, notAttending } = await countRsvps({ week: date }, call)
  const count = attending + notAttending
  const isOver = serviceOn(before, date).endsAt <= call.now.toISOString()
  return [
    before.skippedDates.includes(date) ? `${dayText(date)} was skipped already.` : `${dayText(date)} is skipped.`,
    ...(isOver ? ['That service is over: it counts as one that was not held.'] : []),
    ...(count === 0 ? [] : [`It has ${counted(count, 'response')}: see \`rsvp list --week ${date}\`.`]),
  ].join(' ')
}
