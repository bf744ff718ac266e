import { millisecondsInDay, millisecondsInHour } from 'date-fns/constants'

/** Where backups are made by hand: an older one would lose more than one weekly service. */
const BY_HAND_MS = 8 * millisecondsInDay
/** Where the site makes one every night: when the last is older, two nights have failed. */
const NIGHTLY_MS = 49 * millisecondsInHour

/** How old the newest backup may be, in ms. */
export function maximumAge(backupFolder: string | undefined): number {
  return backupFolder === undefined ? BY_HAND_MS : NIGHTLY_MS
}
