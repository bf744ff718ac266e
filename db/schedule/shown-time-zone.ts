import { readSchedule } from './read-schedule.ts'

/**
 * The time zone of all dates and times that people read: the church's once an administrator has confirmed the schedule,
 * until then the server's. Where a schedule is at hand, its own `timeZone` is the same.
 */
export async function shownTimeZone(): Promise<string> {
  const { timeZone } = await readSchedule()
  return timeZone
}
