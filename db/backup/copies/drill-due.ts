import { millisecondsInDay } from 'date-fns/constants'

/** From one drill that passed to the next. */
const INTERVAL_MS = 30 * millisecondsInDay
/** After one that failed: whoever fixes the cause need not wait for a month to see it. */
const RETRY_MS = millisecondsInDay

/** Whether the next restore drill is due. One from the future was made while the clock was wrong. */
export function isDrillDue(last: { at: string; passed: boolean } | undefined, now: Date): boolean {
  if (last === undefined) return true
  const age = now.getTime() - new Date(last.at).getTime()
  return age < 0 || age >= (last.passed ? INTERVAL_MS : RETRY_MS)
}
