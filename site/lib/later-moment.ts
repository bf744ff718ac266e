import { formatDay, formatMoment, formatTime } from '#site/texts/dates.ts'

/** A later moment beside an earlier one: `9:12 AM`, with the day in front where that is another one. */
export function formatLater(later: string, earlier: string, zone: string): string {
  return formatDay(later, zone) === formatDay(earlier, zone) ? formatTime(later, zone) : formatMoment(later, zone)
}
