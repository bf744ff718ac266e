import { millisecondsInDay, millisecondsInHour } from 'date-fns/constants'

/** The time of the nightly backup, in the time zone of this process. */
const [HOUR, MINUTE] = [2, 30]

/**
 * When the site makes the next backup: `now` if none was made since the last scheduled time. A backup from the future does
 * not count, because the clock was wrong.
 */
export function nextBackup(last: Date | undefined, now: Date): Date {
  const today = nightOf(now, 0)
  const [due, next] = today > now ? [nightOf(now, -1), today] : [today, nightOf(now, 1)]
  return last === undefined || last < due || last > now ? now : next
}

export function isBackupDue(last: Date | undefined, now: Date): boolean {
  return nextBackup(last, now) === now
}

/** Without nightly backups. An older backup would miss more than one weekly service. */
const BY_HAND_MS = 8 * millisecondsInDay
/** With nightly backups. If the last one is older, two nights have failed. */
const NIGHTLY_MS = 49 * millisecondsInHour

/** How old the newest backup may be before the doctor warns, in ms. */
export function maximumAge(backupFolder: string | undefined): number {
  return backupFolder === undefined ? BY_HAND_MS : NIGHTLY_MS
}

/** The scheduled time on the day of `now`, or `days` later. By calendar days, so that daylight saving does not shift it. */
function nightOf(now: Date, days: number): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, HOUR, MINUTE)
}
