import { getSchedule } from '#db/schedule/operations.ts'
import type { Context } from '../context.ts'
import { listContradictions } from '../schedule/contradictions.ts'
import { scheduleSentence } from '../schedule/schedule-output.ts'
import type { Finding } from './finding.ts'

/** When services are. That no administrator has confirmed it is a hint only: the site does without. */
export async function examineSchedule({ call }: Context): Promise<Finding> {
  const name = 'Schedule'
  const schedule = await getSchedule(call)
  const sentence = scheduleSentence(schedule)
  if (!schedule.confirmed) {
    const hint = 'That is the default; confirm it with `rsvp schedule set`, and lists show one week at a time.'
    return { name, ok: true, text: `${sentence} ${hint}` }
  }
  const contradictions = await listContradictions(schedule, call)
  if (contradictions.length === 0) return { name, ok: true, text: sentence }
  return { name, ok: true, warning: true, text: contradictions.join(' ') }
}
