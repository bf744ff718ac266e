import { millisecondsInDay } from 'date-fns/constants'

/** A clock may be behind the latest moment known by this much, in ms: it is set back a little now and then. */
const BEHIND_MAXIMUM = millisecondsInDay
/** It may be ahead by this much: a site may rest for a month. */
const AHEAD_MAXIMUM = 45 * millisecondsInDay

/** Why the time is not believed. `clock` is what the clock shows, `known` the latest moment known; ISO 8601 in UTC. */
export type Doubt = {
  /** `other`: this clock would be believed, but another site on the same database has one that is not. */
  kind: 'behind' | 'ahead' | 'other'
  clock: string
  known: string
}

/** What is doubtful in a clock by the latest moment known; everything is believed while none is known. */
export function doubtOf(now: Date, known: string): Doubt | undefined {
  const gap = now.getTime() - Date.parse(known)
  const kind = gap < -BEHIND_MAXIMUM ? 'behind' : gap > AHEAD_MAXIMUM ? 'ahead' : undefined
  return kind && { kind, clock: now.toISOString(), known }
}

/** What to do about it, in the words that the log, `rsvp doctor` and the administration share. */
export function doubtSentence({ kind, clock, known }: Doubt): string {
  const waits = 'Until then nothing is made anonymous, erased or removed by date.'
  const confirm = 'Set the clock right; if it is right, run: npx rsvp clock confirm'
  if (kind === 'other') {
    return `Another site on this database, or this one before it was last started, had a clock that showed ${momentOf(clock)}; the latest moment known is ${momentOf(known)}. Set that clock right: three minutes later this is over. ${waits}`
  }
  const side = kind === 'behind' ? 'before' : 'after'
  const days = Math.round(Math.abs(Date.parse(clock) - Date.parse(known)) / millisecondsInDay)
  return `The clock shows ${momentOf(clock)}, ${days} days ${side} the latest moment known, ${momentOf(known)}. ${confirm}. ${waits}`
}

/** As in `2026-11-22 02:30 UTC`. */
function momentOf(iso: string): string {
  return `${iso.slice(0, 16).replace('T', ' ')} UTC`
}
