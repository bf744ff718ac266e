import * as z from 'zod/mini'
import { readSettings } from '#db/config/config.ts'
import { fileOf } from '#db/config/places.ts'
import { readWithoutRecovery } from '#db/storage/local-client.ts'
import type { Schedule } from './schema.ts'

const row = z.pipe(
  z.tuple([z.int(), z.string(), z.int(), z.string(), z.string()]),
  z.transform(
    ([weekday, startTime, durationMinutes, timeZone, dates]): Schedule => ({
      ...{ weekday, startTime, durationMinutes, timeZone, closesMinutesBefore: null },
      skippedDates: z.array(z.string()).parse(JSON.parse(dates)),
    }),
  ),
)

/**
 * The confirmed schedule, for shell completion. Writes nothing and reports no error: after any failure there is none. So it
 * is where a libSQL server has it, which might take long to reply.
 */
export async function readScheduleQuietly(environment: NodeJS.ProcessEnv): Promise<Schedule | undefined> {
  try {
    const file = fileOf(readSettings(environment).databaseUrl)
    if (file === undefined) return undefined
    const query = `SELECT weekday, start_time, duration_minutes, time_zone,
      (SELECT json_group_array(date) FROM (SELECT date FROM skipped_dates ORDER BY date)) FROM schedules`
    return z.array(row).parse(await readWithoutRecovery(file, query))[0]
  } catch {
    return undefined
  }
}
