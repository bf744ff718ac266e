import type { Schedule } from './schedule.ts'

/** Saturdays from ten to twelve in Chicago; override what the test is about. */
export function testSchedule(changes: Partial<Schedule> = {}): Schedule {
  return {
    weekday: 6,
    startTime: '10:00',
    durationMinutes: 120,
    timeZone: 'America/Chicago',
    closesMinutesBefore: null,
    skippedDates: [],
    ...changes,
  }
}
