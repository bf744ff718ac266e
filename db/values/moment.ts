/** By language, zone and style: creating a format takes longer than formatting a hundred days, and memory outside the JavaScript heap. */
const formats = new Map<string, Intl.DateTimeFormat>()

/**
 * The day of a moment, e.g. `Jan 5, 2025`.
 * @param zone IANA name, an argument so that server and browser write the same day: see `shownTimeZone`.
 */
export function formatDay(iso: string, zone: string, locale = 'en-US'): string {
  return formatOf(locale, zone).format(new Date(iso))
}

/** The same with the time, e.g. `Jan 5, 2025, 9:00 AM`. */
export function formatMoment(iso: string, zone: string, locale = 'en-US'): string {
  return formatOf(locale, zone, 'short').format(new Date(iso))
}

function formatOf(locale: string, zone: string, timeStyle?: 'short'): Intl.DateTimeFormat {
  const key = `${locale} ${zone} ${timeStyle}`
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle, timeZone: zone })
  formats.set(key, format)
  return format
}
