import { millisecondsInDay, millisecondsInHour } from 'date-fns/constants'

/**
 * When the site makes the next backup: `now` if none was made since the last scheduled time, in the time zone of this
 * process. One from the future was made while the clock was wrong.
 * @param time e.g. `02:30`.
 */
export function nextBackup(last: Date | undefined, now: Date, time: string): Date {
  const today = momentOn(now, 0, time)
  const [due, next] = today > now ? [momentOn(now, -1, time), today] : [today, momentOn(now, 1, time)]
  return last === undefined || last < due || last > now ? now : next
}

export function isBackupDue(last: Date | undefined, now: Date, time: string): boolean {
  return nextBackup(last, now, time) === now
}

/** For manual backups: an older one would lose more than one weekly service. */
const BY_HAND_MS = 8 * millisecondsInDay
/** For nightly backups: if the last is older, two nights have failed. */
const NIGHTLY_MS = 49 * millisecondsInHour

/** How old the newest backup may be, in ms. */
export function maximumAge(backupFolder: string | undefined): number {
  return backupFolder === undefined ? BY_HAND_MS : NIGHTLY_MS
}

/**
 * The time on the day of `now`, or `days` later. Computed from the day each time: daylight saving moves only a time
 * that it skips, and only on that day.
 */
function momentOn(now: Date, days: number, time: string): Date {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hours, minutes)
}
