import { useRef } from 'react'
import type { CurrentSchedule } from '#db/schedule/schema.ts'
import { type AdminPage, viewAddress } from '#site/lib/admin-page.ts'
import { useChangeable } from '#site/lib/hooks.ts'
import { useForm } from '#site/lib/use-form.ts'
import { holdService, schedule, skipService } from '#site/stores/admin/schedule.ts'
import { dayText, fullDayText } from '#site/texts/dates.ts'
import { t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'
import { Field } from '#site/ui/Field.tsx'
import { LoadedPanel } from '#site/ui/Panel.tsx'
import { ScheduleForm } from './ScheduleForm.tsx'

export function SchedulePanel({ admin }: { admin: AdminPage }) {
  const { schedule: rendered, event, languages, today, upcoming, sendsMail } = admin
  return (
    <LoadedPanel
      id="schedule"
      title={t('Schedule')}
      description={t('The site goes by these times. What visitors read is written in the event, on the main page.')}
      reading={useChangeable(rendered, schedule)}
    >
      {(data) => (
        <>
          <ScheduleForm schedule={data} event={event} language={languages?.language} upcoming={upcoming} />
          {data.confirmed && <SkippedServices schedule={data} today={today} sendsMail={sendsMail} />}
        </>
      )}
    </LoadedPanel>
  )
}

/** Says above the responses that the schedule is not confirmed, and links to it. */
export function GuessReminder({ rendered }: { rendered: CurrentSchedule }) {
  const { data } = useChangeable(rendered, schedule)
  if (data?.confirmed !== false) return null
  return (
    <p className="notice notice--warning schedule-reminder">
      <span>
        {t('The day and time of the service are a guess so far.')}{' '}
        <a href="/admin?tab=settings#schedule">{t('Check the schedule')}</a>
      </span>
    </p>
  )
}

/** Skips services, and lists those to come that are skipped. */
function SkippedServices({
  schedule,
  today,
  sendsMail,
}: Pick<AdminPage, 'today' | 'sendsMail'> & { schedule: CurrentSchedule }) {
  const title = useRef<HTMLHeadingElement>(null)
  const ahead = schedule.skippedDates.filter((date) => date >= today)
  const { form, errors, pending, refuse } = useForm((text) =>
    skipService(text('skippedDates'), text('reason').trim(), refuse),
  )

  function remove(date: string) {
    holdService(date)
    // The button disappears with its row.
    title.current?.focus()
  }

  return (
    <section className="stack part skipped" aria-labelledby="skipped-title">
      <h3 id="skipped-title" ref={title} tabIndex={-1}>
        {t('Skipped Services')}
      </h3>
      <form {...form} className="stack">
        <Field
          label={t('Day Without a Service')}
          hint={t('Responses for it stay.')}
          name="skippedDates"
          type="date"
          min={schedule.services[0]?.date}
          // Only the days of services.
          step={7}
          error={errors.skippedDates}
        />
        {sendsMail && (
          <Field
            label={t('Reason (optional)')}
            hint={t('Five minutes later, those who come that day are told by email. Call the others.')}
            name="reason"
            maxLength={200}
          />
        )}
        <Button type="submit" variant="secondary" aria-disabled={pending || undefined}>
          {t('Skip It')}
        </Button>
      </form>
      <ul>
        {ahead.map((date) => (
          <li key={date} className="item">
            <a href={viewAddress({ week: date })}>{fullDayText(date)}</a>
            <Button
              variant="quiet"
              aria-label={t('Do not skip {day}', { day: dayText(date) })}
              onClick={() => remove(date)}
            >
              {t('Remove')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
