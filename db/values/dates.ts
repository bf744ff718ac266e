// Days and moments as texts, on the server and in the browser. A day has no time zone, so days are calculated in UTC.

/** `count` may be negative. */
export function addDays(day: string, count: number): string {
  const moved = new Date(day)
  moved.setUTCDate(moved.getUTCDate() + count)
  return moved.toISOString().slice(0, 10)
}

/** From 0 for Sunday to 6 for Saturday. */
export function weekdayOf(day: string): number {
  return new Date(day).getUTCDay()
}

/** Whether the text is a day like `2026-11-21` that exists: JavaScript would turn February 30 into a day in March. */
export function isDay(day: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return false
  const read = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(read.getTime()) && read.toISOString().startsWith(day)
}

/** E.g. `Saturday, November 21`. */
export function dayText(day: string, locale = 'en-US'): string {
  const style = { weekday: 'long', month: 'long', day: 'numeric', timeZone: 'UTC' } as const
  return write(day, locale, style)
}

/** E.g. `Saturday, November 21, 2026`. */
export function fullDayText(day: string, locale = 'en-US'): string {
  return write(day, locale, { dateStyle: 'full', timeZone: 'UTC' })
}

/**
 * The day of a moment, e.g. `Jan 5, 2025`.
 * @param zone IANA name, an argument so that server and browser write the same day: see `shownTimeZone`.
 */
export function formatDay(iso: string, zone: string, locale = 'en-US'): string {
  return write(iso, locale, { dateStyle: 'medium', timeZone: zone })
}

/** E.g. `Jan 5, 2025, 9:00 AM`. */
export function formatMoment(iso: string, zone: string, locale = 'en-US'): string {
  return write(iso, locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: zone })
}

/** How long to wait, e.g. `1 second`, `12 seconds`, `5 minutes`. */
export function waitText(seconds: number, locale = 'en-US'): string {
  const [count, unit] = seconds > 90 ? [Math.ceil(seconds / 60), 'minute'] : [seconds, 'second']
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(count)
}

/** Whether this names a time zone, e.g. `America/Chicago`. Intl also accepts lower case and offsets, TZ does not. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Z][\w+-]*(\/[A-Z][\w+-]*)*$/.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined
  } catch {
    return false
  }
}

/**
 * Returns text that is no date unchanged, so that one bad row does not break the page. If the browser does not know the
 * zone, the result is in UTC, and says so.
 */
export function write(moment: string, locale: string, style: Intl.DateTimeFormatOptions): string {
  const read = new Date(moment)
  if (Number.isNaN(read.getTime())) return moment
  try {
    return formatOf(locale, style).format(read)
  } catch {
    return `${formatOf(locale, { ...style, timeZone: 'UTC' }).format(read)} UTC`
  }
}

/** Kept, because creating a format takes longer than formatting a hundred days, and memory outside the heap. */
const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(locale: string, style: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${style.timeZone} ${style.dateStyle} ${style.timeStyle}`
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, style)
  formats.set(key, format)
  return format
}
