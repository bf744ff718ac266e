/**
 * Whether there is no backup since the last time at which one should have been made, in the zone of this process.
 * @param time as in `02:30`.
 */
export function isBackupDue(last: Date | undefined, now: Date, time: string): boolean {
  if (last === undefined) return true
  const tonight = momentOn(now, 0, time)
  const due = tonight > now ? momentOn(now, -1, time) : tonight
  // One from the future was made while the clock was wrong.
  return last < due || last > now
}

/**
 * The time on the day of `now`, or on one before it. Counted from the day each time: when the clocks go forward the time
 * may not exist, which makes it a later one on that day only.
 */
function momentOn(now: Date, days: number, time: string): Date {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hours, minutes)
}
