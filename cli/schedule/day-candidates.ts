import { SERVICES_OFFERED } from '#db/schedule/schema.ts'
import { dayText } from '#db/values/dates.ts'

/** The days that `rsvp schedule skip` and `unskip` can be given, for shell completion, without those that are typed. */
export async function dayCandidates(
  verb: 'skip' | 'unskip',
  typed: string[],
  environment: NodeJS.ProcessEnv,
): Promise<[day: string, meaning: string][]> {
  const { readScheduleQuietly } = await import('#db/quiet.ts')
  const schedule = await readScheduleQuietly(environment)
  if (schedule === undefined) return []
  const { servicesFrom } = await import('#db/schedule/services.ts')
  const next = servicesFrom(schedule, new Date()).take(SERVICES_OFFERED)
  const days = verb === 'skip' ? Array.from(next, ({ date }) => date) : schedule.skippedDates
  return days.filter((day) => !typed.includes(day)).map((day) => [day, dayText(day)])
}
