import { doubtSentence, findDoubt } from '#db/clock/clock.ts'
import { type Due, getDue } from '#db/rsvp/purge.ts'
import { shownTimeZone } from '#db/schedule/read-schedule.ts'
import { formatMoment } from '#db/values/dates.ts'
import type { Context } from '../context.ts'
import { counted } from '../output/output.ts'
import { type Finding, fine, warning, wrong } from './finding.ts'

/** Whether the clock is trusted, and what is due to be purged: nothing while the clock is in doubt. */
export async function examineClock({ call }: Context): Promise<Finding[]> {
  const doubt = await findDoubt(call)
  const { anonymize, erase } = await getDue(call)
  const zone = await shownTimeZone()
  const isDue = [anonymize, erase].some((due) => due && (due.now > 0 || due.next))

  /** E.g. `3 responses lose names now, and 12 from Dec 1, 2026, 9:00 AM on`; undefined if nothing is due. */
  function textOf({ now, next }: Due, one: string, verbs: { one: string; many: string; doubtful: string }) {
    const verb = (count: number) => (doubt ? verbs.doubtful : count === 1 ? verbs.one : verbs.many)
    const told = (count: number) => `${counted(count, one)} ${verb(count)}`
    const later = next && formatMoment(next.at, zone)
    const trusted = 'once the clock is trusted'
    if (now > 0) return `${told(now)} ${doubt ? trusted : 'now'}${next ? `, and ${next.count} from ${later} on` : ''}`
    return next && `${told(next.count)} from ${later} on${doubt ? `, ${trusted}` : ''}`
  }

  const losing = { one: 'loses names', many: 'lose names', doubtful: 'would lose names' }
  const erasing = { one: 'is erased', many: 'are erased', doubtful: 'would be erased' }
  const anonymized =
    anonymize === undefined ? 'no response, as no retention is set' : textOf(anonymize, 'response', losing)
  const text = `${anonymized ?? 'no response'}; ${textOf(erase, 'deleted response', erasing) ?? 'no deleted response'}`
  return [
    doubt ? wrong('Clock', doubtSentence(doubt)) : fine('Clock', 'the clock is trusted'),
    doubt && isDue ? warning('Due', text) : fine('Due', text),
  ]
}
