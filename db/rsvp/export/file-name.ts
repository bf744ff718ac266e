import { dayIn, serverTimeZone } from '#db/values/time-zone.ts'

/** The name of a file of responses, e.g. `rsvps-2026-11-21.csv`, by the church's day. A selection is named as one. */
export function exportFileName(moment: Date, extension: 'csv' | 'json', isSelection = false): string {
  return `rsvps-${dayIn(serverTimeZone(), moment)}${isSelection ? '-selection' : ''}.${extension}`
}
