/**
 * A day as it is shown, as in `Jan 5, 2025`.
 * @param zone IANA name. Given, so that server and browser write the same day.
 */
export function formatDay(iso: string, zone: string): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: zone }).format(new Date(iso))
}
