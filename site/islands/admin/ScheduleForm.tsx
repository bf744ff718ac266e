import { useId, useState } from 'react'
import { type EventTimes, isUnscheduled } from '#db/event/default-event.ts'
import type { CurrentSchedule } from '#db/schedule/schema.ts'
import { isTimeZone } from '#db/values/dates.ts'
import { focusOnce, useHydrated } from '#site/lib/hooks.ts'
import { useForm } from '#site/lib/use-form.ts'
import { differing } from '#site/stores/admin/changeable.ts'
import {
  changeOf,
  changeSchedule,
  checkTimes,
  draftOfSchedule,
  type ScheduleDraft,
  type Times,
  timesOf,
  WEEKDAYS,
} from '#site/stores/admin/schedule.ts'
import { addToast } from '#site/stores/toasts.ts'
import { weekdayName } from '#site/texts/dates.ts'
import { closingText, startText } from '#site/texts/schedule.ts'
import { capitalized, locale, plural, t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'
import { ConfirmDialog } from '#site/ui/Dialog.tsx'
import { Field } from '#site/ui/Field.tsx'

/** In minutes before the start; null for the end of the service. */
const closings = [null, 0, 30, 60, 120, 180, 360, 720, 1440, 2880, 4320]

export function ScheduleForm({
  schedule,
  event,
  upcoming,
}: {
  schedule: CurrentSchedule
  event: EventTimes | undefined
  /** How many responses move along if the weekday changes. */
  upcoming: number
}) {
  const [typed, setTyped] = useState<Partial<ScheduleDraft>>({})
  /** The choices, if an unconfirmed schedule is saved on a device in another time zone. */
  const [zones, setZones] = useState<string[]>([])
  /** Times whose change moves responses, until that is confirmed. */
  const [moving, setMoving] = useState<Times>()
  const draft = { ...draftOfSchedule(schedule), ...typed }
  const times = timesOf(draft)
  const wrong = checkTimes(times)
  const isValid = Object.keys(wrong).length === 0
  const { closesMinutesBefore } = schedule
  const offered = closings.includes(closesMinutesBefore) ? closings : [...closings, closesMinutesBefore]

  const { form, errors, pending } = useForm(async (_, refuse) => {
    for (const [name, reason] of Object.entries(wrong)) refuse(reason, name)
    if (isValid) await confirmZone()
  })

  /** An unconfirmed schedule has the server's time zone, often UTC: if the device has another, asks for one. */
  async function confirmZone() {
    const own = zoneOf()
    if (schedule.confirmed || typed.timeZone !== undefined || own === zoneOf(schedule.timeZone)) return saveTimes(times)
    setZones([own, schedule.timeZone])
  }

  async function saveTimes(chosen: Times) {
    setZones([])
    if (Object.keys(changeOf(chosen, schedule)).length === 0)
      addToast({ title: t('Schedule Saved'), description: t('Nothing was changed.') })
    else if (chosen.weekday !== schedule.weekday && upcoming > 0) setMoving(chosen)
    else await send(chosen)
  }

  async function send(chosen: Times) {
    setMoving(undefined)
    if (await changeSchedule(schedule, changeOf(chosen, schedule))) setTyped((now) => differing(now, typed))
  }

  const control = (name: keyof ScheduleDraft) => ({
    name,
    value: draft[name],
    error: errors[name] && wrong[name],
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      setTyped({ ...typed, [name]: currentTarget.value }),
  })

  return (
    <form {...form} className="stack schedule" aria-label={t('Schedule')}>
      {!schedule.confirmed && (
        <div className="notice notice--warning stack">
          <p>
            <strong>{t('This is a guess until you save it:')}</strong> {startText(schedule)}.{' '}
            {t(
              'Once it is saved, the form says which day a response is for, the responses of each week are counted separately, and services can be skipped.',
            )}
          </p>
          {event && isUnscheduled(event, schedule) && (
            <p>{t('Until then, visitors are offered no calendar and no choice of days.')}</p>
          )}
          {zones.length > 0 && (
            <p role="alert">
              {t('In which time zone are the services? This device is in {own}, and the guess is {guess}.', {
                own: zones[0] ?? '',
                guess: schedule.timeZone,
              })}
            </p>
          )}
          {zones.map((timeZone, place) => (
            <Button
              key={timeZone}
              variant="secondary"
              ref={place === 0 ? focusOnce : undefined}
              onClick={() => saveTimes({ ...times, timeZone })}
            >
              {timeZone}
            </Button>
          ))}
          {/* Not once something is typed: then that is to be saved. */}
          {zones.length === 0 && Object.keys(typed).length === 0 && (
            <Button variant="secondary" onClick={confirmZone}>
              {t('It Is Right')}
            </Button>
          )}
        </div>
      )}
      <Field as="select" label={t('Day')} {...control('weekday')}>
        {WEEKDAYS.map((weekday) => (
          <option key={weekday} value={weekday}>
            {weekdayName(weekday)}
          </option>
        ))}
      </Field>
      <Field label={t('Start')} {...control('startTime')} type="time" />
      <Field label={t('Length in Minutes')} {...control('durationMinutes')} inputMode="numeric" autoComplete="off" />
      <TimeZoneField {...control('timeZone')} onChoose={(timeZone) => setTyped({ ...typed, timeZone })} />
      <Field as="select" label={t('Responses Close')} {...control('closesMinutesBefore')}>
        {offered.map((minutes) => (
          <option key={minutes} value={minutes ?? ''}>
            {capitalized(closingText(minutes))}
          </option>
        ))}
      </Field>
      {event && (
        <p className="schedule__hint">
          {t('The event says: {date}, {time}.', { date: event.date, time: event.time })}{' '}
          <a href="/">{t('Open the event')}</a>
        </p>
      )}
      <Button type="submit" aria-disabled={pending || undefined}>
        {t('Save Schedule')}
      </Button>
      {moving && (
        <ConfirmDialog
          title={t('Another Day')}
          confirmLabel={t('Move Them')}
          onConfirm={() => send(moving)}
          onCancel={() => setMoving(undefined)}
        >
          {plural(
            upcoming,
            '{count} response for services to come moves from {before} to {after}. Let its sender know.',
            '{count} responses for services to come move from {before} to {after}. Let their senders know.',
            { before: weekdayName(schedule.weekday), after: weekdayName(times.weekday) },
          )}
        </ConfirmDialog>
      )}
    </form>
  )
}

/** A time zone, searched by typing a part of its name; the device's own comes first. */
function TimeZoneField({
  onChoose,
  ...control
}: {
  name: string
  value: string
  error: string | undefined
  onChange: (event: { currentTarget: { value: string } }) => void
  onChoose: (zone: string) => void
}) {
  const { value } = control
  const listId = useId()
  const hydrated = useHydrated()
  const own = hydrated ? zoneOf() : value
  const [zones, setZones] = useState<string[]>([])

  return (
    <div className="stack schedule__zone">
      <Field
        label={t('Time Zone')}
        {...control}
        list={listId}
        autoComplete="off"
        spellCheck={false}
        onFocus={(event) => {
          // Typing then replaces the name: browsers suggest only names that contain the text.
          event.currentTarget.select()
          setZones([...new Set([own, ...Intl.supportedValuesOf('timeZone')])])
        }}
        below={
          <>
            <datalist id={listId}>
              {zones.map((name) => (
                <option key={name} value={name} />
              ))}
            </datalist>
            <span className="schedule__hint">
              {hydrated && isTimeZone(value) && t('It is {time} there now.', { time: timeIn(value) })}
            </span>
          </>
        }
      />
      {own !== value && (
        <Button variant="quiet" onClick={() => onChoose(own)}>
          {t('Use {zone}, as this device', { zone: own })}
        </Button>
      )}
    </div>
  )
}

function timeIn(timeZone: string): string {
  return new Date().toLocaleTimeString(locale(), { timeZone, weekday: 'long', hour: 'numeric', minute: '2-digit' })
}

/** The browser's own name of a time zone, which may have several; by default that of the device. */
function zoneOf(timeZone?: string): string {
  if (timeZone !== undefined && !isTimeZone(timeZone)) return timeZone
  return Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone
}
