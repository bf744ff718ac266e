/** Created with the first moment that is formatted, because that takes 10 ms. */
let format: Intl.DateTimeFormat | undefined

/** A moment as people read it, in the server's time zone, e.g. `Jan 5, 2025, 9:00 AM`. */
export function momentText(iso: string): string {
  format ??= new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' })
  return format.format(new Date(iso))
}
