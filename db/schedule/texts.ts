/** In the order of their numbers. */
const weekdayNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const

/** E.g. `Saturday`. */
export function weekdayText(weekday: number): string {
  return weekdayNames[weekday] ?? ''
}
