const NAMES = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'] as const

/** As recurrence rules name a weekday, from 0 for Sunday to 6 for Saturday. */
export function weekdayName(weekday: number): string {
  const name = NAMES[weekday]
  if (name === undefined) throw new Error(`There is no weekday ${weekday}.`)
  return name
}
