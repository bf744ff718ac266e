import { useState } from 'react'
import { weekdayNames } from '#db/schedule/texts.ts'
import { weekdayOf } from '#db/values/calendar-day.ts'
import { monthAfter } from '#site/lib/months.ts'
import { dayText } from '#site/texts/dates.ts'
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
          aria-label="Previous month"
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
          aria-label="Next month"
          aria-disabled={ahead === MONTHS_AHEAD || undefined}
          onClick={() => setAhead(Math.min(ahead + 1, MONTHS_AHEAD))}
        >
          ›
        </Button>
      </div>
      <table className="service-calendar__month" aria-label={title}>
        <thead>
          <tr>
            {weekdayNames.map((name) => (
              <th key={name} scope="col" abbr={name}>
                {name.slice(0, 2)}
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
                      aria-label={`Skip ${dayText(day)}`}
                      aria-pressed={skipped.includes(day)}
                      onClick={() => onToggle(day)}
                    >
                      {numberOf(day)}
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
