/**
 * Whether there is no backup since the last time at which one should have been made, in the zone of this process.
 * @param time as in `02:30`.
 */
export function isBackupDue(last: Date | undefined, now: Date, time: string): boolean {
  if (last === undefined) return true
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  const due = new Date(now)
  due.setHours(hours, minutes, 0, 0)
  if (due > now) due.setDate(due.getDate() - 1)
  // One from the future was made while the clock was wrong.
  return last < due || last > now
}
