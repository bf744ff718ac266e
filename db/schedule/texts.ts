// The schedule in words, the same in a browser, on a terminal and in a message.

/** In the order of their numbers. */
export const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const

/** E.g. `Saturday`. */
export function weekdayText(weekday: number): string {
  return weekdays[weekday] ?? ''
}

/** `HH:mm` as people read it, e.g. `6:30 PM`. */
export function timeText(time: string): string {
  const [hours = '', minutes = ''] = time.split(':')
  return `${Number(hours) % 12 || 12}:${minutes} ${Number(hours) < 12 ? 'AM' : 'PM'}`
}

/** E.g. `1 hour 30 minutes`. */
export function durationText(minutes: number): string {
  const units = [
    [1440, 'day'],
    [60, 'hour'],
    [1, 'minute'],
  ] as const
  let left = minutes
  const parts: string[] = []
  for (const [size, unit] of units) {
    const count = Math.floor(left / size)
    left -= count * size
    if (count > 0) parts.push(`${count} ${unit}${count === 1 ? '' : 's'}`)
  }
  return parts.length === 0 ? '0 minutes' : parts.join(' ')
}

/** When RSVPs are for the next service, e.g. `2 hours before it starts`. */
export function closingText(minutesBefore: number | null): string {
  if (minutesBefore === null) return 'when the service ends'
  return minutesBefore === 0 ? 'when it starts' : `${durationText(minutesBefore)} before it starts`
}
