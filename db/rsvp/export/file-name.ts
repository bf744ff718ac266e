import { readSchedule } from '#db/schedule/read-schedule.ts'
import { dayIn } from '#db/values/time-zone.ts'

/** What a file of responses holds: those for one service, or a selection of them. */
type Held = { week?: string | undefined; isSelection?: boolean }

/**
 * The name of a file of responses: `rsvps-week-2026-11-28.csv` of those for one service, `rsvps-2026-11-21.csv` of all, by
 * the church's day. A selection is named as one.
 */
export async function exportFileName(
  moment: Date,
  extension: 'csv' | 'json',
  { week, isSelection = false }: Held,
): Promise<string> {
  const held = week === undefined ? dayIn((await readSchedule()).timeZone, moment) : `week-${week}`
  return `rsvps-${held}${isSelection ? '-selection' : ''}.${extension}`
}
