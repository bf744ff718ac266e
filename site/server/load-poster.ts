import { toContent } from '#db/event/content.ts'
import { defaultEvent } from '#db/event/default-event.ts'
import { getStoredEvent } from '#db/event/operations.ts'
import type { Call } from '#db/operation.ts'
import { findContradictions } from '#db/schedule/contradictions.ts'
import { getSchedule } from '#db/schedule/operations.ts'
import { weekdayName } from '#site/texts/dates.ts'
import { clockText } from '#site/texts/schedule.ts'
import { t } from '#site/texts/texts.ts'
import { orNull } from './or-null.ts'

/** What is on the poster; null while it cannot be read. It hangs for weeks, so it names no single service. */
export async function loadPoster(call: Call) {
  const [stored, schedule] = await Promise.all([orNull(getStoredEvent(call)), orNull(getSchedule(call))])
  if (stored === null || schedule === null) return null
  const event = stored.read === null ? defaultEvent : toContent(stored.read.event)
  const { weekday, startTime, confirmed } = schedule.read
  const isWhenOfEvent = !confirmed || findContradictions(event, schedule.read).length === 0
  return {
    title: event.pageTitle,
    subtitle: event.pageSubtitle,
    isWhenOfEvent,
    when: isWhenOfEvent
      ? `${event.date}, ${event.time}`
      : t('Every {weekday}, {time}', { weekday: weekdayName(weekday), time: clockText(startTime) }),
    place: event.location,
  }
}
