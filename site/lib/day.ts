/** By zone: creating a format takes longer than formatting a hundred days, and memory outside the JavaScript heap. */
const formats = new Map<string, Intl.DateTimeFormat>()

/**
 * The day of a timestamp, e.g. `Jan 5, 2025`.
 * @param zone IANA name, an argument so that server and browser write the same day.
 */
export function formatDay(iso: string, zone: string): string {
  const format = formats.get(zone) ?? new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: zone })
  formats.set(zone, format)
  return format.format(new Date(iso))
}
