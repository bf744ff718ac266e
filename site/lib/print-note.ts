/** The time of printing, e.g. `As of January 5, 2025 at 10:00 AM`. */
export function printNote(now: Date, zone: string): string {
  const format = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeStyle: 'short', timeZone: zone })
  return `As of ${format.format(now)}`
}
