import * as z from 'zod/mini'
import { readSettings } from '#db/config/config.ts'
import { fileOf } from '#db/config/places.ts'
import type { Schedule } from '#db/schedule/schema.ts'
import { readWithoutRecovery } from '#db/storage/local.ts'
import type { StoredVolunteerRole } from '#db/volunteer-role/schema.ts'

// What a shell completes. Nothing is written and no error reported: after any failure there is nothing. So it is where a
// libSQL server has the tables, which might take long to reply.

const scheduleRow = z.pipe(
  z.tuple([z.int(), z.string(), z.int(), z.string(), z.string()]),
  z.transform(
    ([weekday, startTime, durationMinutes, timeZone, dates]): Schedule => ({
      ...{ weekday, startTime, durationMinutes, timeZone, closesMinutesBefore: null },
      skippedDates: z.array(z.string()).parse(JSON.parse(dates)),
    }),
  ),
)

const roleRow = z.pipe(
  z.tuple([z.int(), z.string(), z.number()]),
  z.transform(([id, name, retired]) => ({ id, name, retired: retired !== 0 })),
)

export async function readScheduleQuietly(environment: NodeJS.ProcessEnv): Promise<Schedule | undefined> {
  const query = `SELECT weekday, start_time, duration_minutes, time_zone,
    (SELECT json_group_array(date) FROM (SELECT date FROM skipped_dates ORDER BY date)) FROM schedules`
  const [schedule] = await readQuietly(environment, query, scheduleRow)
  return schedule
}

export function readRolesQuietly(environment: NodeJS.ProcessEnv): Promise<Omit<StoredVolunteerRole, 'needed'>[]> {
  return readQuietly(environment, 'SELECT id, name, retired FROM volunteer_roles ORDER BY id', roleRow)
}

async function readQuietly<Row>(
  environment: NodeJS.ProcessEnv,
  query: string,
  row: z.ZodMiniType<Row>,
): Promise<Row[]> {
  try {
    const file = fileOf(readSettings(environment).databaseUrl)
    return file === undefined ? [] : z.array(row).parse(await readWithoutRecovery(file, query))
  } catch {
    return []
  }
}
