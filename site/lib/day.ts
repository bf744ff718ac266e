/** By zone. To make one takes longer than to write a hundred days, and much memory that JavaScript does not see. */
const formats = new Map<string, Intl.DateTimeFormat>()

/**
 * A day as it is shown, as in `Jan 5, 2025`.
 * @param zone IANA name. Given, so that server and browser write the same day.
 */
export function formatDay(iso: string, zone: string): string {
  const format = formats.get(zone) ?? new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: zone })
  formats.set(zone, format)
  return format.format(new Date(iso))
}
