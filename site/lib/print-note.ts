/** The time of printing, in the server's time zone, e.g. `As of January 5, 2025 at 10:00 AM`. */
export function printNote(now: Date): string {
  return `As of ${new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeStyle: 'short' }).format(now)}`
}
