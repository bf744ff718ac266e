import type { ChangedSchedule, Schedule } from '#db/values/schedule.ts'
import { viewAddress } from '#site/lib/admin-page.ts'
import { request } from '#site/lib/request.ts'
import type { Notice } from '#site/stores/toasts.ts'
import { dayText } from '#site/texts/dates.ts'
import { plural, t } from '#site/texts/texts.ts'
import type { Refuse } from './attempt.ts'
import { changeableAt } from './changeable.ts'

export const schedule = changeableAt('/api/schedule')

/** Also confirms the schedule. */
export function changeSchedule(change: Partial<Schedule>, refuse: Refuse): Promise<boolean> {
  return schedule.change(() => patchSchedule(change), {
    notice: ({ movedRsvps, services: [next] }) => ({
      title: t('Schedule Saved'),
      description: sentences(
        movedRsvps > 0 &&
          plural(movedRsvps, '{count} response moved to the new day.', '{count} responses moved to the new day.'),
        next && t('The next service is on {day}.', { day: dayText(next.date) }),
      ),
    }),
    refuse,
  })
}

/**
 * The responses for the service stay.
 * @param skipReason the mail to those who wanted to come contains it.
 */
export function skipService(date: string, skipReason: string, refuse: Refuse) {
  const show = {
    label: t('Whom to call'),
    altText: t('Show who wanted to come'),
    onPress: () => location.assign(`${viewAddress({ week: date })}#to-call`),
  }
  return changeSkipped(
    (dates) => [...dates, date],
    ({ skippedRsvps, toldRsvps }) => ({
      title: t('Service Skipped'),
      description: sentences(
        t('There is no service on {day}.', { day: dayText(date) }),
        toldRsvps > 0
          ? t('In five minutes, those who come and have an address get an email. Call the others.')
          : skippedRsvps > 0 &&
              plural(
                skippedRsvps,
                '{count} response for that day will be kept: let people know.',
                '{count} responses for that day will be kept: let people know.',
              ),
      ),
      ...(skippedRsvps > 0 && { action: show }),
    }),
    skipReason === '' ? {} : { skipReason },
    refuse,
  )
}

export function holdService(date: string): Promise<boolean> {
  return changeSkipped(
    (dates) => dates.filter((skipped) => skipped !== date),
    () => ({
      title: t('Service Restored'),
      description: t('There is a service on {day} again.', { day: dayText(date) }),
    }),
  )
}

function changeSkipped(
  change: (dates: string[]) => string[],
  notice: (reply: ChangedSchedule) => Notice,
  also: { skipReason?: string } = {},
  refuse?: Refuse,
): Promise<boolean> {
  // The list is sent as a whole, and another administrator may have changed it since this page was loaded.
  const act = async () => {
    const { skippedDates } = await (await request('GET /api/schedule')).json()
    return patchSchedule({ skippedDates: change(skippedDates), ...also })
  }
  return schedule.change(act, { notice, refuse })
}

async function patchSchedule(body: Partial<Schedule> & { skipReason?: string }): Promise<ChangedSchedule> {
  return (await request('PATCH /api/schedule', { body })).json()
}

function sentences(...texts: (string | false | undefined)[]): string {
  return texts.filter(Boolean).join(' ')
}
