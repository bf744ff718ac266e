import { readSettings } from '#db/config/config.ts'
import { fileOf } from '#db/config/places.ts'
import type { Schedule } from '#db/schedule/schema.ts'
import { readWithoutRecovery } from '#db/storage/local.ts'
import type { StoredVolunteerRole } from '#db/volunteer-role/schema.ts'

// Candidates for shell completion. Nothing is written, and failures return nothing; so does a libSQL server, which
// might be slow.

export async function readScheduleQuietly(environment: NodeJS.ProcessEnv): Promise<Schedule | undefined> {
  const dates = 'SELECT json_group_array(date) FROM (SELECT date FROM skipped_dates ORDER BY date)'
  const query = `SELECT json_object('weekday', weekday, 'startTime', start_time, 'durationMinutes', duration_minutes,
    'timeZone', time_zone, 'closesMinutesBefore', NULL, 'skippedDates', json((${dates}))) FROM schedules`
  const [schedule] = await readQuietly<Schedule>(environment, query)
  return schedule
}

export function readRolesQuietly(environment: NodeJS.ProcessEnv): Promise<Omit<StoredVolunteerRole, 'needed'>[]> {
  const retired = "json(iif(retired, 'true', 'false'))"
  const query = `SELECT json_object('id', id, 'name', name, 'retired', ${retired}) FROM volunteer_roles ORDER BY id`
  return readQuietly(environment, query)
}

/** @param query for rows of one column, JSON of the item. */
async function readQuietly<Item>(environment: NodeJS.ProcessEnv, query: string): Promise<Item[]> {
  try {
    const file = fileOf(readSettings(environment).databaseUrl)
    if (file === undefined) return []
    return (await readWithoutRecovery(file, query)).map((row) => JSON.parse(String(row[0])))
  } catch {
    return []
  }
}
