import type { Due } from '#db/rsvp/retention/due.ts'
import { momentText } from '#db/values/moment.ts'
import { counted } from '../output/counted.ts'

type Both = { anonymize: Due | undefined; erase: Due }
/** Singular and plural, e.g. `loses names` and `lose names`. */
type Verbs = [one: string, many: string]

/** What the calendar will purge, as sentences without full stops. While the clock is in doubt, nothing is purged. */
export function dueTexts({ anonymize, erase }: Both, inDoubt = false): { anonymize: string; erase: string } {
  return {
    anonymize:
      anonymize === undefined
        ? 'no response, as no retention is set'
        : (textOf(anonymize, 'response', inDoubt ? would('lose names') : ['loses names', 'lose names'], inDoubt) ??
          'no response'),
    erase:
      textOf(erase, 'deleted response', inDoubt ? would('be erased') : ['is erased', 'are erased'], inDoubt) ??
      'no deleted response',
  }
}

function would(happen: string): Verbs {
  return [`would ${happen}`, `would ${happen}`]
}

/** E.g. `3 responses lose names now, and 12 from Dec 1, 2026, 9:00 AM on`; undefined if nothing is due. */
function textOf({ now, next }: Due, one: string, [does, doing]: Verbs, inDoubt: boolean): string | undefined {
  const told = (count: number) => `${counted(count, one)} ${count === 1 ? does : doing}`
  const later = next && momentText(next.at)
  const confirmed = 'once the time is confirmed'
  if (now > 0) return `${told(now)} ${inDoubt ? confirmed : 'now'}${next ? `, and ${next.count} from ${later} on` : ''}`
  return next && `${told(next.count)} from ${later} on${inDoubt ? `, ${confirmed}` : ''}`
}
