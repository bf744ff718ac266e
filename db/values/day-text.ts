// Days of the calendar as people read them. They have no time zone.

/** As people read it, e.g. `Saturday, November 21`. */
export function dayText(day: string, locale = 'en-US'): string {
  return formatOf(locale, { weekday: 'long', month: 'long', day: 'numeric' }).format(new Date(day))
}

/** The same with its year, e.g. `Saturday, November 21, 2026`. */
export function fullDayText(day: string, locale = 'en-US'): string {
  return formatOf(locale, { dateStyle: 'full' }).format(new Date(day))
}

/** By language and style: creating a format takes 10 ms. */
const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(locale: string, style: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${style.dateStyle}`
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, { ...style, timeZone: 'UTC' })
  formats.set(key, format)
  return format
}
