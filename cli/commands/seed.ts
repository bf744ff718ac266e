import { recordAct } from '#db/audit/operations.ts'
import { countSampleRsvps, createSampleRsvps, deleteSampleRsvps, hasRealRsvps } from '#db/rsvp/sample.ts'
import type { Context } from '../context.ts'
import { CommandError, exitCodes } from '../exit-code.ts'
import { counted } from '../output/counted.ts'
import { say } from '../output/output.ts'
import { openProgress } from '../output/progress.ts'
import { confirm } from '../questions/confirm.ts'

/** Up to this number, samples are stored one by one. */
const FEW = 200
/** Above it, this many are stored at once. */
const GROUP = 32
/** The samples look as if they had come in during the last four weeks. */
const PERIOD_MS = 28 * 24 * 60 * 60 * 1000

type Options = { count: number; force?: true; remove?: true; yes?: true }

/** Adds sample responses, or takes all of them away again. */
export async function run(options: Options, context: Context): Promise<void> {
  if (options.remove) return removeSamples(options, context)
  const { call } = context
  if (!options.force && (await hasRealRsvps(call))) {
    throw new CommandError(
      exitCodes.failed,
      'The database already has responses. Add --force to add samples beside them, or use another --db.',
    )
  }
  const made = await addSamples(options.count, context)
  if (!context.quiet) say(`Added ${made} sample responses. \`rsvp seed --remove\` takes them away again.`, context.io)
}

async function addSamples(count: number, context: Context): Promise<number> {
  const progress = openProgress('Adding samples', count, context)
  // A few are stored one by one, like real ones; many in groups, or it would take minutes.
  const group = count > FEW ? GROUP : 1
  const end = context.call.now.getTime()
  let made = 0
  try {
    while (made < count && !context.signal.aborted) {
      const moment = new Date(end - PERIOD_MS * (1 - (made + 1) / count)).toISOString()
      const size = Math.min(group, count - made)
      await createSampleRsvps(new Array(size).fill(moment), context.call)
      made += size
      progress.report(made)
    }
  } finally {
    progress.close()
  }
  await recordAct({ action: 'samples added', subject: String(made) }, context.call)
  return made
}

async function removeSamples({ yes }: Options, context: Context): Promise<void> {
  const { call, quiet, signal, io } = context
  const samples = await countSampleRsvps(call)
  if (samples > 0 && !yes) await confirm(`Delete ${counted(samples, 'sample response')} for good?`, context)
  let removed = 0
  for (let some = 1; some > 0 && !signal.aborted; removed += some) some = await deleteSampleRsvps(call)
  if (!quiet) say(`Removed ${removed} sample responses.`, io)
}
