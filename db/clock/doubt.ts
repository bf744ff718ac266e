import { millisecondsInDay } from 'date-fns/constants'

/** How far a clock may be behind the latest known moment: clocks are sometimes set back a little. */
const MAXIMUM_BEHIND_MS = millisecondsInDay
/** How far it may be ahead: a site may be down for a month. */
const MAXIMUM_AHEAD_MS = 45 * millisecondsInDay

/** Why the clock is not trusted. `clock` is its time, `known` the latest known moment; ISO 8601 in UTC. */
export type Doubt = {
  /** `other`: this clock is fine, but another site on the same database has a doubtful one. */
  kind: 'behind' | 'ahead' | 'other'
  clock: string
  known: string
}

/** Compares a clock with the latest known moment; any clock is trusted while none is known. */
export function doubtOf(now: Date, known: string): Doubt | undefined {
  const gap = now.getTime() - Date.parse(known)
  const kind = gap < -MAXIMUM_BEHIND_MS ? 'behind' : gap > MAXIMUM_AHEAD_MS ? 'ahead' : undefined
  return kind && { kind, clock: now.toISOString(), known }
}

/** What is wrong and what to do, as shown in the log, by `rsvp doctor` and in the administration. */
export function doubtSentence({ kind, clock, known }: Doubt): string {
  const waits = 'Until then nothing is made anonymous, erased or removed by date.'
  if (kind === 'other') {
    return `Another site on this database, or this one before it was last started, had a clock that showed ${momentOf(clock)}; the latest moment known is ${momentOf(known)}. Set that clock right: three minutes later this is over. ${waits}`
  }
  const side = kind === 'behind' ? 'before' : 'after'
  const days = Math.round(Math.abs(Date.parse(clock) - Date.parse(known)) / millisecondsInDay)
  return `The clock shows ${momentOf(clock)}, ${days} days ${side} the latest moment known, ${momentOf(known)}. Set the clock right; if it is right, it is trusted once the site has run for seven days. ${waits}`
}

/** E.g. `2026-11-22 02:30 UTC`. */
function momentOf(iso: string): string {
  return `${iso.slice(0, 16).replace('T', ' ')} UTC`
}
