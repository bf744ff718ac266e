import { type CurrentSchedule, type Schedule, scheduleChange } from '#db/schedule/schema.ts'
import { said } from '#site/texts/said.ts'
import { differing } from './differing.ts'

/** The times of the schedule as its form has them: all texts. `closesMinutesBefore` is empty for null. */
export type ScheduleDraft = { [Name in keyof Times]: string }

export type Times = Omit<Schedule, 'skippedDates'>

export function draftOf(schedule: Times): ScheduleDraft {
  return {
    weekday: `${schedule.weekday}`,
    startTime: schedule.startTime,
    durationMinutes: `${schedule.durationMinutes}`,
    timeZone: schedule.timeZone,
    closesMinutesBefore: `${schedule.closesMinutesBefore ?? ''}`,
  }
}

export function timesOf(draft: ScheduleDraft): Times {
  const { weekday, startTime, durationMinutes, timeZone, closesMinutesBefore } = draft
  return {
    weekday: Number(weekday),
    startTime,
    durationMinutes: Number(durationMinutes),
    timeZone: zoneNamed(timeZone),
    closesMinutesBefore: closesMinutesBefore === '' ? null : Number(closesMinutesBefore),
  }
}

/** What the server would refuse, by the same schema but without a call. */
export function checkTimes(times: Times): Partial<Record<keyof Times, string>> {
  const issues = scheduleChange.safeParse(times).error?.issues ?? []
  return Object.fromEntries(issues.map(({ path, message }) => [path[0], said(message)]))
}

/** Only what is different, so that what another administrator changed stays; all of it where it is to be confirmed. */
export function changeOf(times: Times, current: CurrentSchedule): Partial<Times> {
  if (!current.confirmed) return times
  return differing(times, current)
}

/** The time zone that is meant, however it is written: `america/new york`, or `chicago` where only one ends in it. */
function zoneNamed(typed: string): string {
  const meant = typed.trim().replaceAll(' ', '_').toLowerCase()
  const zones = Intl.supportedValuesOf('timeZone')
  const places = zones.filter((zone) => zone.toLowerCase().endsWith(`/${meant}`))
  const [place] = places.length === 1 ? places : []
  return zones.find((zone) => zone.toLowerCase() === meant) ?? place ?? typed.trim()
}
