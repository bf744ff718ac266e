import { doubtSentence, findDoubt } from '#db/clock/clock.ts'
import type { Context } from '../context.ts'
import { dueTexts } from '../responses/due-texts.ts'
import type { Finding } from './finding.ts'

/** Whether the clock is trusted, and what will be purged by it. */
export async function examineClock({ call }: Context): Promise<Finding[]> {
  const doubt = await findDoubt(call)
  const { anonymize, erase, isDue } = await dueTexts(call, doubt !== undefined)
  return [
    { name: 'Clock', ok: doubt === undefined, text: doubt ? doubtSentence(doubt) : 'the clock is trusted' },
    { name: 'Due', ok: true, ...(doubt && isDue && { warning: true }), text: `${anonymize}; ${erase}` },
  ]
}
