import { readSchedule } from '#db/schedule/read-schedule.ts'
import { dayIn } from '#db/values/time-zone.ts'

/** The name of a file of responses, e.g. `rsvps-2026-11-21.csv`, by the church's day. A selection is named as one. */
export async function exportFileName(moment: Date, extension: 'csv' | 'json', isSelection = false): Promise<string> {
  const { timeZone } = await readSchedule()
  return `rsvps-${dayIn(timeZone, moment)}${isSelection ? '-selection' : ''}.${extension}`
}
