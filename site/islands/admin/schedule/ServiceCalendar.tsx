import { useState } from 'react'
import { weekdayOf } from '#db/values/dates.ts'
import { monthAfter, WEEKDAYS } from '#site/lib/months.ts'
import { dayText, shortWeekday, weekdayName } from '#site/texts/dates.ts'
import { t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'

const MONTHS_AHEAD = 12

/** A month at a time, in which the days of services are buttons: one that is pressed is skipped. */
export function ServiceCalendar({
  today,
  weekday,
  skipped,
  onToggle,
}: {
  /** In the time zone of the schedule, e.g. `2026-11-21`. */
  today: string
  weekday: number
  skipped: string[]
  onToggle: (date: string) => void
}) {
  const [ahead, setAhead] = useState(0)
  const { title, weeks } = monthAfter(today, ahead)

  return (
    <div className="service-calendar">
      <div className="service-calendar__head">
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
                      aria-pressed={skipped.includes(day)}
                      onClick={() => onToggle(day)}
                    >
                      <span aria-hidden="true">{numberOf(day)}</span>
                      <span className="visually-hidden">{t('Skip {day}', { day: dayText(day) })}</span>
                    </button>
                  ) : (
                    day && numberOf(day)
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

function numberOf(day: string): number {
  return Number(day.slice(-2))
}
