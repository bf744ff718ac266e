/** What a printed list says of its age, in the server's own time zone, as in `As of January 5, 2025 at 10:00 AM`. */
export function printNote(now: Date): string {
  return `As of ${new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeStyle: 'short' }).format(now)}`
}
