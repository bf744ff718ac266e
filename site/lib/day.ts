type Style = Pick<Intl.DateTimeFormatOptions, 'dateStyle' | 'timeStyle'>

const day: Style = { dateStyle: 'medium' }
const moment: Style = { dateStyle: 'medium', timeStyle: 'short' }
const time: Style = { timeStyle: 'short' }

/** By zone and style: creating a format takes longer than formatting a hundred days, and memory outside the JavaScript heap. */
const formats = new Map<string, Intl.DateTimeFormat>()

/**
 * The day of a timestamp, e.g. `Jan 5, 2025`.
 * @param zone IANA name, an argument so that server and browser write the same day.
 */
export function formatDay(iso: string, zone: string): string {
  return formatOf(zone, day).format(new Date(iso))
}

/** The same with the time, e.g. `Jan 5, 2025, 9:00 AM`. */
export function formatMoment(iso: string, zone: string): string {
  return formatOf(zone, moment).format(new Date(iso))
}

/** When something was changed that came at another moment: `9:12 AM`, with the day in front if that is another one. */
export function formatLater(iso: string, earlier: string, zone: string): string {
  if (formatDay(iso, zone) !== formatDay(earlier, zone)) return formatMoment(iso, zone)
  return formatOf(zone, time).format(new Date(iso))
}

function formatOf(zone: string, style: Style): Intl.DateTimeFormat {
  const key = `${zone} ${style.dateStyle} ${style.timeStyle}`
  const format = formats.get(key) ?? new Intl.DateTimeFormat('en-US', { ...style, timeZone: zone })
  formats.set(key, format)
  return format
}
