import type { CurrentSchedule } from '#db/schedule/schema.ts'
import { startText } from '#site/texts/schedule.ts'
import { t } from '#site/texts/texts.ts'

/** Beside the date and time in the event's form: what visitors see of the schedule once it is confirmed. */
export function ScheduleNote({ schedule }: { schedule: CurrentSchedule }) {
  return (
    <>
      {t('The schedule says: {times}.', { times: startText(schedule) })}{' '}
      {!schedule.confirmed && t('The day and time of the service are a guess so far.')}{' '}
      <a href="/admin?tab=settings#schedule">{t('Open the schedule')}</a>
    </>
  )
}
