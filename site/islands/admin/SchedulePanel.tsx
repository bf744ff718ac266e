import { useRef } from 'react'
import { isUnscheduled } from '#db/values/default-event.ts'
import { typedNumber } from '#db/values/numbers.ts'
import type { CurrentSchedule } from '#db/values/schedule.ts'
import { type AdminPage, viewAddress } from '#site/lib/admin-page.ts'
import { useHydrated } from '#site/lib/hooks.ts'
import { differing, useChangeable } from '#site/stores/admin/changeable.ts'
import { changeSchedule, holdService, schedule, skipService } from '#site/stores/admin/schedule.ts'
import { fullDayText, weekdayName } from '#site/texts/dates.ts'
import { closingText, startText } from '#site/texts/schedule.ts'
import { capitalized, plural, t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'
import { useQuestion } from '#site/ui/Dialog.tsx'
import { Field } from '#site/ui/Field.tsx'
import { LoadedPanel } from '#site/ui/Panel.tsx'
import { Sentence } from '#site/ui/Sentence.tsx'
import { Form, Submit, useForm } from './Form.tsx'

export function SchedulePanel({ admin }: { admin: AdminPage }) {
  return (
    <LoadedPanel id="schedule" title={t('Schedule')} reading={useChangeable(admin.schedule, schedule)}>
      {(data) => (
        <>
          <ScheduleForm schedule={data} admin={admin} />
          {data.confirmed && <SkippedServices schedule={data} admin={admin} />}
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
function SkippedServices({ schedule, admin: { today, sendsMail } }: { schedule: CurrentSchedule; admin: AdminPage }) {
  const title = useRef<HTMLHeadingElement>(null)
  const ahead = schedule.skippedDates.filter((date) => date >= today)
  const form = useForm((text, refuse) => skipService(text('skippedDates'), text('reason').trim(), refuse))

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
      <Form of={form} className="stack">
        <Field
          label={t('Day Without a Service')}
          hint={t('Responses for it stay.')}
          name="skippedDates"
          type="date"
          min={schedule.services[0]?.date}
          // Only the days of services.
          step={7}
        />
        {sendsMail && (
          <Field
            label={t('Reason (optional)')}
            hint={t('Five minutes later, those who come that day are told by email. Call the others.')}
            name="reason"
            maxLength={200}
          />
        )}
        <Submit variant="secondary">{t('Skip It')}</Submit>
      </Form>
      <ul>
        {ahead.map((date) => (
          <li key={date} className="item">
            <a id={`skipped-${date}`} href={viewAddress({ week: date })}>
              {fullDayText(date)}
            </a>
            <Button variant="quiet" aria-describedby={`skipped-${date}`} onClick={() => remove(date)}>
              {t('Remove')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** In minutes before the start; null for the end of the service. */
const closings = [null, 0, 30, 60, 120, 180, 360, 720, 1440, 2880, 4320]

/** From 0 for Sunday. */
const weekdays = [0, 1, 2, 3, 4, 5, 6]

function ScheduleForm({ schedule, admin }: { schedule: CurrentSchedule; admin: AdminPage }) {
  const { event, upcoming } = admin
  const language = admin.languages?.language
  const { ask, dialog } = useQuestion()
  const hydrated = useHydrated()
  // The guess has the server's time zone, often UTC: the clerk's is a better one.
  const zone = hydrated && !schedule.confirmed ? deviceZone() : schedule.timeZone
  const zones = hydrated ? new Set([zone, schedule.timeZone, ...Intl.supportedValuesOf('timeZone')]) : [zone]
  const offered = new Set([...closings, schedule.closesMinutesBefore])

  const form = useForm(async (text, refuse) => {
    const closing = text('closesMinutesBefore')
    const typed = {
      weekday: Number(text('weekday')),
      startTime: text('startTime'),
      durationMinutes: typedNumber(text('durationMinutes')),
      timeZone: text('timeZone'),
      closesMinutesBefore: closing === '' ? null : Number(closing),
    }
    // Only what differs, to keep the changes of another administrator; the whole schedule to confirm a guess.
    const changed = differing(typed, schedule)
    const change = schedule.confirmed && Object.keys(changed).length > 0 ? changed : typed
    if (typed.weekday === schedule.weekday || upcoming === 0) {
      await changeSchedule(change, refuse)
      return
    }
    ask({
      title: t('Another Day'),
      confirmLabel: t('Move Them'),
      onConfirm: () => changeSchedule(change, refuse),
      children: plural(
        upcoming,
        '{count} response for services to come moves from {before} to {after}. Let its sender know.',
        '{count} responses for services to come move from {before} to {after}. Let their senders know.',
        { before: weekdayName(schedule.weekday), after: weekdayName(typed.weekday) },
      ),
    })
  })

  return (
    <Form of={form} className="stack schedule" aria-label={t('Schedule')}>
      {!schedule.confirmed && (
        <div className="notice notice--warning stack">
          <p>
            <strong>{t('This is a guess until you save it:')}</strong> {startText(schedule)}.{' '}
            {t('Once it is saved, responses are for a day and counted by week, and services can be skipped.')}
          </p>
          {event && isUnscheduled(event, schedule) && (
            <p>{t('Until then, visitors are offered no calendar and no choice of days.')}</p>
          )}
        </div>
      )}
      <Field as="select" label={t('Day')} name="weekday" defaultValue={schedule.weekday}>
        {weekdays.map((weekday) => (
          <option key={weekday} value={weekday}>
            {weekdayName(weekday)}
          </option>
        ))}
      </Field>
      <Field label={t('Start')} name="startTime" type="time" defaultValue={schedule.startTime} />
      <Field
        label={t('Length in Minutes')}
        name="durationMinutes"
        inputMode="numeric"
        autoComplete="off"
        defaultValue={schedule.durationMinutes}
      />
      <Field as="select" key={zone} label={t('Time Zone')} name="timeZone" defaultValue={zone}>
        {Array.from(zones, (name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </Field>
      <Field
        as="select"
        label={t('Responses Close')}
        name="closesMinutesBefore"
        defaultValue={schedule.closesMinutesBefore ?? ''}
      >
        {Array.from(offered, (minutes) => (
          <option key={minutes} value={minutes ?? ''}>
            {capitalized(closingText(minutes))}
          </option>
        ))}
      </Field>
      {event && (
        <p className="schedule__hint">
          <Sentence
            text="The event says: {date}, {time}."
            date={<bdi lang={language}>{event.date}</bdi>}
            time={<bdi lang={language}>{event.time}</bdi>}
          />{' '}
          <a href="/#edit">{t('Open the event')}</a>
        </p>
      )}
      <Submit>{t('Save Schedule')}</Submit>
      {dialog}
    </Form>
  )
}

function deviceZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}
