import { millisecondsInDay, millisecondsInHour } from 'date-fns/constants'

/** The nightly backup is made at half past two. */
const [HOUR, MINUTE] = [2, 30]

/**
 * When the site makes the next backup: `now` if none was made since the last scheduled time, in the time zone of this
 * process. One from the future was made while the clock was wrong.
 */
export function nextBackup(last: Date | undefined, now: Date): Date {
  const today = nightOf(now, 0)
  const [due, next] = today > now ? [nightOf(now, -1), today] : [today, nightOf(now, 1)]
  return last === undefined || last < due || last > now ? now : next
}

export function isBackupDue(last: Date | undefined, now: Date): boolean {
  return nextBackup(last, now) === now
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
 * When it is due on the day of `now`, or `days` later. Computed from the day each time: daylight saving moves only a time
 * that it skips, and only on that day.
 */
function nightOf(now: Date, days: number): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, HOUR, MINUTE)
}
