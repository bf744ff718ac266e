import { dayIn, serverTimeZone } from '#db/time-zone.ts'

/** What a file of responses is called, as in `rsvps-2026-11-21.csv`: the day is the church's. A part of them is told apart. */
export function exportFileName(moment: Date, extension: 'csv' | 'json', isSelection = false): string {
  return `rsvps-${dayIn(serverTimeZone(), moment)}${isSelection ? '-selection' : ''}.${extension}`
}
