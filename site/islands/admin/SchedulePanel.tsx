import type { EventTimes } from '#db/schedule/contradictions.ts'
import type { CurrentSchedule } from '#db/schedule/schema.ts'
import { useChangeable } from '#site/lib/hooks/use-changeable.ts'
import { schedule } from '#site/stores/admin/schedule.ts'
import { t } from '#site/texts/texts.ts'
import { LoadFailed } from '#site/ui/LoadFailed.tsx'
import { LoadingText } from '#site/ui/LoadingText.tsx'
import { Panel } from '#site/ui/Panel.tsx'
import { ScheduleForm } from './schedule/ScheduleForm.tsx'
import { SkippedServices } from './schedule/SkippedServices.tsx'

/** When services are, and which are skipped. */
export function SchedulePanel({
  rendered,
  event,
  today,
  upcoming,
}: {
  rendered: CurrentSchedule | null
  /** The event's texts, which may contradict it. */
  event: EventTimes | null
  /** In the time zone of the schedule. */
  today: string
  /** How many responses there are for services to come. */
  upcoming: number
}) {
  const { data, error } = useChangeable(rendered, schedule)

  return (
    <Panel
      id="schedule"
      className="schedule-panel"
      title={t('Schedule')}
      description={t(
        'When services are, as the site counts with it. What visitors read stands in the event on the main page.',
      )}
    >
      {data && <ScheduleForm schedule={data} event={event} upcoming={upcoming} />}
      {data?.confirmed && <SkippedServices schedule={data} today={today} />}
      {!data && error === undefined && <LoadingText>{t('Loading the schedule...')}</LoadingText>}
      {!data && error !== undefined && (
        <LoadFailed onRetry={schedule.$resource.reload}>{t('The schedule could not be loaded.')}</LoadFailed>
      )}
    </Panel>
  )
}
