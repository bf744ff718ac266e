import { type ComponentProps, type SubmitEvent, useState } from 'react'
import { EVENT_TEXT_MAXIMUM, type EventContent, isMapLink, notMapLink } from '#db/event/content.ts'
import type { Schedule } from '#db/schedule/schema.ts'
import { changeEvent, type EventDraft, eventDraft } from '#site/stores/admin/event-changes.ts'
import { said } from '#site/texts/said.ts'
import { t } from '#site/texts/texts.ts'
import { Button, buttonClass } from '#site/ui/Button.tsx'
import { Field } from '#site/ui/Field.tsx'
import { ContradictionNote, toSchedule } from './ContradictionNote.tsx'
import { eventFields } from './event-fields.ts'

/** Edits a draft of the event's texts. */
export function EventEditor({
  draft: { texts: before, begun, takeFocus },
  schedule,
  onClose,
}: {
  /** With whether the first field takes the focus: after Edit was pressed, not after a reload. */
  draft: EventDraft & { takeFocus: boolean }
  /** With which the texts are compared. */
  schedule: Pick<Schedule, 'weekday' | 'startTime'> | undefined
  /** Called when the edit is confirmed or canceled. */
  onClose: () => void
}) {
  const [texts, setTexts] = useState(before)
  const [refused, setRefused] = useState(false)
  const mapLink = texts.mapLink?.trim()
  const isRefused = refused && mapLink && !isMapLink(mapLink)

  function change(name: keyof EventContent, text: string) {
    const changed = { ...texts, [name]: text }
    setTexts(changed)
    eventDraft.keep({ texts: changed, begun })
  }

  function confirm(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (mapLink && !isMapLink(mapLink)) {
      setRefused(true)
      event.currentTarget.querySelector<HTMLElement>('[name=mapLink]')?.focus()
      return
    }
    changeEvent(texts, begun)
    close()
  }

  function close() {
    eventDraft.forget()
    onClose()
  }

  return (
    <form className="invitation invitation--editing" aria-label={t('Edit the event')} onSubmit={confirm}>
      <h1 className="visually-hidden">{t('Edit the event')}</h1>
      <p>
        <a className={buttonClass('quiet')} href="/admin?tab=settings#event-languages">
          {t('Translate the event')}
        </a>
      </p>
      {eventFields.map(({ name, label, multiline, optional }, position) => (
        <Field
          key={name}
          label={label()}
          optional={optional}
          error={name === 'mapLink' && isRefused ? said(notMapLink) : undefined}
        >
          {(wiring) => {
            const shared = {
              ...wiring,
              name,
              value: texts[name] ?? '',
              maxLength: EVENT_TEXT_MAXIMUM,
              autoFocus: takeFocus && position === 0,
              onChange: (event: { currentTarget: { value: string } }) => change(name, event.currentTarget.value),
            }
            return multiline ? <textarea {...shared} rows={4} /> : <input {...shared} />
          }}
        </Field>
      ))}
      {schedule && <ScheduleNote event={texts} schedule={schedule} />}
      <div className="invitation__actions">
        <Button variant="secondary" onClick={close}>
          {t('Cancel')}
        </Button>
        <Button type="submit" variant="primary">
          {t('Confirm')}
        </Button>
      </div>
    </form>
  )
}

/** Says where the texts contradict the schedule, and leads there. */
export function ScheduleNote(texts: Pick<ComponentProps<typeof ContradictionNote>, 'event' | 'schedule'>) {
  return <ContradictionNote {...texts} link={toSchedule()} />
}
