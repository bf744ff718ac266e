/** `18:30` becomes `6:30 PM`. */
function clockText(time: string): string {
  const [hours = 0, minutes = '00'] = [Number(time.slice(0, 2)), time.slice(3)]
  return `${hours % 12 || 12}:${minutes} ${hours < 12 ? 'AM' : 'PM'}`
}

/** In the order of their numbers. */
const weekdayNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const

export function weekdayText(weekday: number): string {
  return weekdayNames[weekday] ?? ''
}

/** The local time of a moment, `HH:mm`. */
function timeAt(moment: string, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone }).format(new Date(moment))
}

/** E.g. `10:00 AM to 12:00 PM`. */
export function timesText(service: { startsAt: string; endsAt: string; timeZone: string }): string {
  const [start, end] = [service.startsAt, service.endsAt].map((moment) => clockText(timeAt(moment, service.timeZone)))
  return `${start} to ${end}`
}
