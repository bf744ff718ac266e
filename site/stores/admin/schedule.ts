import type { ChangedSchedule, CurrentSchedule, Schedule, Service } from '#db/schedule/schema.ts'
import { request } from '#site/lib/request.ts'
import { viewAddress } from '#site/lib/responses-view.ts'
import { dayText } from '#site/texts/dates.ts'
import { plural } from '#site/texts/plural.ts'
import { t } from '#site/texts/texts.ts'
import { createResource } from '../resource.ts'
import type { Notice } from '../toasts.ts'
import { makeChangeable } from './changeable.ts'
import { tellFailedAct } from './failed-act.ts'

/** The schedule, to be changed on this page. */
export const schedule = makeChangeable(
  createResource('/api/schedule', (error) => tellFailedAct(t('Failed to load the schedule'), error)),
)

/** Shows the new times at once and sends them, which confirms the rest; reverts that if it fails. */
export function changeSchedule(current: CurrentSchedule, change: Partial<Schedule>): Promise<boolean> {
  return changeAndTell(current, {
    show: (shown) => ({ ...shown, ...change }),
    read: async () => change,
    tell: (reply) => {
      const {
        movedRsvps,
        movedSkippedDates,
        services: [next],
      } = reply
      const description = [
        ...(movedRsvps > 0
          ? [plural(movedRsvps, '{count} response moved to the new day.', '{count} responses moved to the new day.')]
          : []),
        ...(movedSkippedDates > 0 ? [t('The skipped dates moved along: look at them below.')] : []),
        ...nextText(next),
      ].join(' ')
      // Before that there was only a guess, to which nothing leads back.
      const isUndone = current.confirmed && reply.movedDays !== 0
      const onPress = () => undoChange(current, change, reply)
      const undo = { label: t('Undo'), altText: t('Take the change back'), onPress }
      return { title: t('Schedule Saved'), description, ...(isUndone && { action: undo }) }
    },
  })
}

/** Brings back the times that were changed; responses and skipped dates return as many days as they have moved. */
function undoChange(before: CurrentSchedule, change: Partial<Schedule>, changed: ChangedSchedule): Promise<boolean> {
  const names = Object.keys(change)
  const times: Partial<Schedule> = Object.fromEntries(Object.entries(before).filter(([name]) => names.includes(name)))
  const skipped = changed.movedSkippedDates > 0 ? { skippedDates: before.skippedDates } : {}
  return changeAndTell(changed, {
    show: (shown) => ({ ...shown, ...times, ...skipped }),
    read: async () => ({ ...times, ...skipped, moveDays: -changed.movedDays }),
    tell: ({ movedRsvps, services: [next] }) => ({
      title: t('Schedule Restored'),
      description: [
        ...(movedRsvps > 0
          ? [plural(movedRsvps, '{count} response moved back.', '{count} responses moved back.')]
          : []),
        ...nextText(next),
      ].join(' '),
    }),
  })
}

function nextText(next: Service | undefined): string[] {
  return next ? [t('The next service is on {day}.', { day: dayText(next.date) })] : []
}

/** Leaves a service out. The responses for it stay. */
export function skipService(current: CurrentSchedule, date: string): Promise<boolean> {
  return changeSkipped(
    current,
    (dates) => [...dates, date].sort(),
    ({ skippedRsvps }) => ({
      title: t('Service Skipped'),
      description: [
        t('There is no service on {day}.', { day: dayText(date) }),
        ...(skippedRsvps > 0
          ? [
              plural(
                skippedRsvps,
                '{count} response for that day will be kept: let people know.',
                '{count} responses for that day will be kept: let people know.',
              ),
            ]
          : []),
      ].join(' '),
      ...(skippedRsvps > 0 && {
        action: {
          label: t('Whom to call'),
          altText: t('Show who wanted to come'),
          onPress: () => location.assign(`${viewAddress({ week: date })}#to-call`),
        },
      }),
    }),
  )
}

/** Holds a service that was left out. */
export function holdService(current: CurrentSchedule, date: string): Promise<boolean> {
  return changeSkipped(
    current,
    (dates) => dates.filter((skipped) => skipped !== date),
    () => ({
      title: t('Service Restored'),
      description: t('There is a service on {day} again.', { day: dayText(date) }),
    }),
  )
}

function changeSkipped(
  current: CurrentSchedule,
  change: (dates: string[]) => string[],
  tell: (reply: ChangedSchedule) => Notice,
): Promise<boolean> {
  return changeAndTell(current, {
    show: (shown) => ({ ...shown, skippedDates: change(shown.skippedDates) }),
    // The list is sent as a whole, and another administrator may have changed it since this page was loaded.
    read: async () => {
      const { skippedDates } = await (await request('GET /api/schedule')).json()
      return { skippedDates: change(skippedDates) }
    },
    tell,
  })
}

function changeAndTell(
  current: CurrentSchedule,
  {
    show,
    read,
    tell,
  }: {
    show: (shown: CurrentSchedule) => CurrentSchedule
    /** Makes what is sent. */
    read: () => Promise<Partial<Schedule> & { moveDays?: number }>
    tell: (reply: ChangedSchedule) => Notice
  },
): Promise<boolean> {
  let reply: ChangedSchedule
  return schedule.change(current, {
    show: (shown) => ({ ...show(shown), confirmed: true }),
    send: async () => {
      reply = await (await request('PATCH /api/schedule', { body: await read() })).json()
      return reply
    },
    notice: () => tell(reply),
    failure: t('Failed to save the schedule'),
  })
}
