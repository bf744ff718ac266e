import { useRef, useState } from 'react'
import type { CurrentSchedule } from '#db/schedule/schema.ts'
import { weekdayOf } from '#db/values/dates.ts'
import { type AdminPage, viewAddress } from '#site/lib/admin-page.ts'
import { useChangeable } from '#site/lib/hooks.ts'
import { holdService, monthAfter, schedule, skipService, WEEKDAYS } from '#site/stores/admin/schedule.ts'
import { dayText, fullDayText, shortWeekday, weekdayName } from '#site/texts/dates.ts'
import { t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'
import { Field } from '#site/ui/Field.tsx'
import { LoadedPanel } from '#site/ui/Panel.tsx'
import { ScheduleForm } from './ScheduleForm.tsx'

export function SchedulePanel({ admin }: { admin: AdminPage }) {
  const { schedule: rendered, event, today, upcoming, sendsMail } = admin
  return (
    <LoadedPanel
      id="schedule"
      title={t('Schedule')}
      description={t('The site goes by these times. What visitors read is written in the event, on the main page.')}
      reading={useChangeable(rendered, schedule)}
    >
      {(data) => (
        <>
          <ScheduleForm schedule={data} event={event} upcoming={upcoming} />
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

/** Lists the skipped services. Each choice takes effect at once. */
type Skipped = { schedule: CurrentSchedule; today: string }

function SkippedServices({ schedule, today, sendsMail }: Skipped & { sendsMail: boolean }) {
  const { skippedDates } = schedule
  const title = useRef<HTMLHeadingElement>(null)
  const reason = useRef<HTMLInputElement>(null)
  const over = skippedDates.filter((date) => date < today)

  async function skip(date: string) {
    const isStored = await skipService(schedule, date, reason.current?.value)
    // It was for this service alone.
    if (isStored && reason.current) reason.current.value = ''
  }

  function remove(date: string) {
    holdService(schedule, date)
    // The button disappears with its row.
    title.current?.focus()
  }

  return (
    <section className="stack part skipped" aria-labelledby="skipped-title">
      <h3 id="skipped-title" ref={title} tabIndex={-1}>
        {t('Skipped Services')}
      </h3>
      <p className="field__hint">{t('Press the day of a service to skip it. Responses for it stay.')}</p>
      {sendsMail && (
        <Field
          label={t('Reason (optional)')}
          hint={t('Five minutes later, those who come that day are told by email. Call the others.')}
          ref={reason}
          maxLength={200}
        />
      )}
      <ServiceCalendar schedule={schedule} today={today} onSkip={skip} />
      <SkippedList dates={skippedDates.filter((date) => date >= today)} onRemove={remove} />
      {over.length > 0 && (
        <details>
          <summary>{t('Past: {count}', { count: over.length })}</summary>
          <SkippedList dates={over} onRemove={remove} />
        </details>
      )}
    </section>
  )
}

function SkippedList({ dates, onRemove }: { dates: string[]; onRemove: (date: string) => void }) {
  if (dates.length === 0) return null
  return (
    <ul>
      {dates.map((date) => (
        <li key={date} className="item">
          <a href={viewAddress({ week: date })}>{fullDayText(date)}</a>
          <Button
            variant="quiet"
            aria-label={t('Do not skip {day}', { day: dayText(date) })}
            onClick={() => onRemove(date)}
          >
            {t('Remove')}
          </Button>
        </li>
      ))}
    </ul>
  )
}

const MONTHS_AHEAD = 12

/** One month, with the days of services as buttons: a pressed one is skipped. */
function ServiceCalendar({ schedule, today, onSkip }: Skipped & { onSkip: (date: string) => void }) {
  const { weekday, skippedDates } = schedule
  const [ahead, setAhead] = useState(0)
  const { title, weeks } = monthAfter(today, ahead)

  return (
    <div className="service-calendar">
      <div className="flow flow--apart">
        <Button
          variant="secondary"
          aria-label={t('Previous month')}
          aria-disabled={ahead === 0 || undefined}
          onClick={() => setAhead(Math.max(ahead - 1, 0))}
        >
          ‹
        </Button>
        <span className="service-calendar__title" aria-live="polite">
          {title}
        </span>
        <Button
          variant="secondary"
          aria-label={t('Next month')}
          aria-disabled={ahead === MONTHS_AHEAD || undefined}
          onClick={() => setAhead(Math.min(ahead + 1, MONTHS_AHEAD))}
        >
          ›
        </Button>
      </div>
      <table className="service-calendar__month" aria-label={title}>
        <thead>
          <tr>
            {WEEKDAYS.map((weekday) => (
              <th key={weekday} scope="col" abbr={weekdayName(weekday)}>
                {shortWeekday(weekday)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((days) => (
            <tr key={days.find((day) => day !== undefined)}>
              {days.map((day, column) => (
                <td key={day ?? column}>
                  {day !== undefined && day >= today && weekdayOf(day) === weekday ? (
                    <button
                      className="service-calendar__day"
                      type="button"
                      aria-pressed={skippedDates.includes(day)}
                      onClick={() => (skippedDates.includes(day) ? holdService(schedule, day) : onSkip(day))}
                    >
                      <span aria-hidden="true">{Number(day.slice(-2))}</span>
                      <span className="visually-hidden">{t('Skip {day}', { day: dayText(day) })}</span>
                    </button>
                  ) : (
                    day && Number(day.slice(-2))
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
