import { formatDay, formatMoment } from '#db/values/moment.ts'

/** A later moment beside an earlier one: `9:12 AM`, with the day in front where that is another one. */
export function formatLater(later: string, earlier: string, zone: string): string {
  const [day, moment] = [formatDay(later, zone), formatMoment(later, zone)]
  return day === formatDay(earlier, zone) ? moment.slice(`${day}, `.length) : moment
}
