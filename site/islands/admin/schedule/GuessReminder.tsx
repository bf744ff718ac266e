import type { CurrentSchedule } from '#db/schedule/schema.ts'
import { useChangeable } from '#site/lib/hooks/use-changeable.ts'
import { schedule } from '#site/stores/admin/schedule.ts'
import { t } from '#site/texts/texts.ts'

/** Says above the responses that no one has confirmed the schedule, and leads to it. */
export function GuessReminder({ rendered }: { rendered: CurrentSchedule }) {
  const { data } = useChangeable(rendered, schedule)
  if (data?.confirmed !== false) return null
  return (
    <p className="notice schedule-reminder">
      <span>
        {t('The day and time of the service are a guess so far.')}{' '}
        <a href="/admin?tab=settings#schedule">{t('Check the schedule')}</a>
      </span>
    </p>
  )
}
