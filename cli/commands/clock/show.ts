import { doubtSentence } from '#db/clock/doubt.ts'
import { getClock } from '#db/clock/operations.ts'
import type { Context } from '../../context.ts'
import { clockJson } from '../../output/clock-json.ts'
import { printJson, printRows } from '../../output/output.ts'
import { dueTexts } from '../../responses/due-texts.ts'

/** Shows the current time as the site sees it, and what falls due by it. */
export async function run(options: { json?: true }, { call, io }: Context): Promise<void> {
  if (options.json) return printJson(await clockJson(call), io)
  const { clock, known, doubt } = await getClock(call)
  const texts = await dueTexts(call, doubt !== undefined)
  await printRows(
    [
      ['clock', clock],
      ['known', known ?? 'nothing yet'],
      ['state', doubt === undefined ? 'trusted' : `doubtful: ${doubtSentence(doubt)}`],
      ['retention', texts.anonymize],
      ['trash', texts.erase],
    ],
    io,
  )
}
