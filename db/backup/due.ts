/**
 * Whether no backup was made since the last scheduled time, in the time zone of this process.
 * @param time e.g. `02:30`.
 */
export function isBackupDue(last: Date | undefined, now: Date, time: string): boolean {
  if (last === undefined) return true
  const today = momentOn(now, 0, time)
  const due = today > now ? momentOn(now, -1, time) : today
  // A backup from the future was made while the clock was wrong.
  return last < due || last > now
}

/**
 * The time on the day of `now`, or `days` later. Computed from the day each time: a time skipped by daylight saving moves
 * on that day only.
 */
function momentOn(now: Date, days: number, time: string): Date {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hours, minutes)
}
