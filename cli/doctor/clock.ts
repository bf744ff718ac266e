import { doubtSentence, findDoubt } from '#db/clock/clock.ts'

import type { Call } from '#db/operation.ts'
import { type Due, getDue } from '#db/rsvp/purge.ts'
import { shownTimeZone } from '#db/schedule/read-schedule.ts'
import { formatMoment } from '#db/values/dates.ts'
import type { Context } from '../context.ts'
import { counted } from '../output/output.ts'
import type { Finding } from './finding.ts'

/** Singular and plural, e.g. `loses names` and `lose names`. */
type Verbs = [one: string, many: string]

/** Whether the clock is trusted, and what will be purged by it. */
export async function examineClock({ call }: Context): Promise<Finding[]> {
  const doubt = await findDoubt(call)
  const { anonymize, erase, isDue } = await dueTexts(call, doubt !== undefined)
  return [
    { name: 'Clock', ok: doubt === undefined, text: doubt ? doubtSentence(doubt) : 'the clock is trusted' },
    { name: 'Due', ok: true, ...(doubt && isDue && { warning: true }), text: `${anonymize}; ${erase}` },
  ]
}

/**
 * What the calendar will purge, as sentences without full stops, and whether that is anything. While the clock is in doubt,
 * nothing is purged.
 */
async function dueTexts(call: Call, inDoubt = false) {
  const { anonymize, erase } = await getDue(call)
  const zone = await shownTimeZone()
  const textOf = (due: Due, one: string, verbs: Verbs) => dueText(due, one, verbs, { zone, inDoubt })
  return {
    anonymize:
      anonymize === undefined
        ? 'no response, as no retention is set'
        : (textOf(anonymize, 'response', inDoubt ? would('lose names') : ['loses names', 'lose names']) ??
          'no response'),
    erase:
      textOf(erase, 'deleted response', inDoubt ? would('be erased') : ['is erased', 'are erased']) ??
      'no deleted response',
    isDue: [anonymize, erase].some((due) => due && (due.now > 0 || due.next)),
  }
}

function would(happen: string): Verbs {
  return [`would ${happen}`, `would ${happen}`]
}

/** E.g. `3 responses lose names now, and 12 from Dec 1, 2026, 9:00 AM on`; undefined if nothing is due. */
function dueText(
  { now, next }: Due,
  one: string,
  [does, doing]: Verbs,
  { zone, inDoubt }: { zone: string; inDoubt: boolean },
): string | undefined {
  const told = (count: number) => `${counted(count, one)} ${count === 1 ? does : doing}`
  const later = next && formatMoment(next.at, zone)
  const trusted = 'once the clock is trusted'
  if (now > 0) return `${told(now)} ${inDoubt ? trusted : 'now'}${next ? `, and ${next.count} from ${later} on` : ''}`
  return next && `${told(next.count)} from ${later} on${inDoubt ? `, ${trusted}` : ''}`
}
