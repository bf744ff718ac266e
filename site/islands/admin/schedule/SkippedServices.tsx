import { useRef } from 'react'
import type { CurrentSchedule } from '#db/schedule/schema.ts'
import { viewAddress } from '#site/lib/responses-view.ts'
import { holdService, skipService } from '#site/stores/admin/schedule.ts'
import { dayText, fullDayText } from '#site/texts/dates.ts'
import { t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'
import { ServiceCalendar } from './ServiceCalendar.tsx'

/** The services that are left out. Each choice takes effect at once. */
export function SkippedServices({ schedule, today }: { schedule: CurrentSchedule; today: string }) {
  const { weekday, skippedDates } = schedule
  const title = useRef<HTMLHeadingElement>(null)
  const over = skippedDates.filter((date) => date < today)

  function remove(date: string) {
    holdService(schedule, date)
    // Its row is gone, and the button with it.
    title.current?.focus()
  }

  return (
    <section className="skipped" aria-labelledby="skipped-title">
      <h3 id="skipped-title" className="skipped__title" ref={title} tabIndex={-1}>
        {t('Skipped Services')}
      </h3>
      <p className="panel__description">{t('Press the day of a service to skip it. Responses for it stay.')}</p>
      <ServiceCalendar
        today={today}
        weekday={weekday}
        skipped={skippedDates}
        onToggle={(date) => (skippedDates.includes(date) ? holdService : skipService)(schedule, date)}
      />
      <SkippedList dates={skippedDates.filter((date) => date >= today)} onRemove={remove} />
      {over.length > 0 && (
        <details>
          <summary>{t('Over already: {count}', { count: over.length })}</summary>
          <SkippedList dates={over} onRemove={remove} />
        </details>
      )}
    </section>
  )
}

function SkippedList({ dates, onRemove }: { dates: string[]; onRemove: (date: string) => void }) {
  if (dates.length === 0) return null
  return (
    <ul className="skipped__list">
      {dates.map((date) => (
        <li key={date} className="skipped__date">
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
