import { clockText } from './clock-text.ts'
import { type EventTimes, findContradictions } from './contradictions.ts'
import { namesOneTime } from './named-times.ts'
import type { Schedule } from './schema.ts'

/**
 * When the service is over, as it can stand behind the event's own text of its time: `12:00 PM`. Nothing where no one
 * has confirmed the schedule, where the texts contradict it, and where the time is not one that has only a beginning.
 */
export function endText(event: EventTimes, schedule: Schedule & { confirmed: boolean }): string | undefined {
  if (!schedule.confirmed || !namesOneTime(event.time) || findContradictions(event, schedule).length > 0)
    return undefined
  const end = endTime(schedule)
  const beginning = /\d(?<minutes>:\d\d)?(?<blank>\s?)(?<half>[ap])(?<dot>\.?)\s?m\b/i.exec(event.time)?.groups
  if (beginning === undefined) return event.time.includes(schedule.startTime) ? end : clockText(end)
  const { minutes, blank, half, dot } = beginning
  const [time = '', named = ''] = clockText(end).split(' ')
  const written = dot ? named.replace(/[A-Z]/g, '$&.') : named
  const isSmall = half === half?.toLowerCase()
  return `${minutes ? time : time.replace(':00', '')}${blank}${isSmall ? written.toLowerCase() : written}`
}

/** On the clock of the schedule's zone, `HH:mm`. */
export function endTime({ startTime, durationMinutes }: Pick<Schedule, 'startTime' | 'durationMinutes'>): string {
  const [hours = 0, minutes = 0] = startTime.split(':').map(Number)
  const end = hours * 60 + minutes + durationMinutes
  return [Math.floor(end / 60) % 24, end % 60].map((part) => `${part}`.padStart(2, '0')).join(':')
}
