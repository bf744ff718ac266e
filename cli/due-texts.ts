import { momentText } from '#db/moment.ts'
import type { Due } from '#db/rsvp/due.ts'
import { counted } from './counted.ts'

type Both = { anonymize: Due | undefined; erase: Due }

/** What falls due by the calendar, as sentences without their full stops. */
export function dueTexts({ anonymize, erase }: Both): { anonymize: string; erase: string } {
  return {
    anonymize:
      anonymize === undefined
        ? 'no response, as no retention is set'
        : (textOf(anonymize, 'response', 'loses names', 'lose names') ?? 'no response'),
    erase: textOf(erase, 'deleted response', 'is erased', 'are erased') ?? 'no deleted response',
  }
}

/** As in `3 responses lose names now, and 12 on Dec 1, 2026, 9:00 AM`; undefined where nothing does. */
function textOf({ now, next }: Due, one: string, does: string, doing: string): string | undefined {
  const told = (count: number) => `${counted(count, one)} ${count === 1 ? does : doing}`
  const later = next && momentText(next.at)
  if (now > 0) return `${told(now)} now${next ? `, and ${next.count} from ${later} on` : ''}`
  return next && `${told(next.count)} from ${later} on`
}
