import { dayIn, serverTimeZone } from '../time-zone.ts'

/** What a file of responses is called, as in `rsvps-2026-11-21.csv`: the day is the church's. */
export function exportFileName(moment: Date, extension: 'csv' | 'json'): string {
  return `rsvps-${dayIn(serverTimeZone(), moment)}.${extension}`
}
