import { type ReactNode, type SubmitEvent, useEffect, useState } from 'react'
import { EVENT_TEXT_MAXIMUM, type EventContent } from '#db/values/event-content.ts'
import type { CurrentSchedule } from '#db/values/schedule.ts'
import { isMapLink, notMapLink } from '#db/values/url.ts'
import { beginDraft, changeEvent, type EventDraft, eventDraft, sendEvent } from '#site/stores/admin/event-changes.ts'
import type { EventSync } from '#site/stores/event.ts'
import { startText } from '#site/texts/schedule.ts'
import { t } from '#site/texts/texts.ts'
import { Button, buttonClass } from '#site/ui/Button.tsx'
import { Field } from '#site/ui/Field.tsx'
import { Sentence } from '#site/ui/Sentence.tsx'
import { eventFields } from './event-fields.ts'

/** Everything that only editors of the event need, loaded as one chunk. */
export const parts = { beginDraft, eventDraft, EventEditor, UnsentNote }

function EventEditor({
  draft: { texts: before, begun },
  schedule,
  onClose,
}: {
  draft: EventDraft
  /** Shown as a hint beside the time. */
  schedule: CurrentSchedule | undefined
  onClose: () => void
}) {
  const [texts, setTexts] = useState(before)
  const [refused, setRefused] = useState(false)
  const mapLink = texts.mapLink?.trim()
  const isRefused = refused && mapLink && !isMapLink(mapLink)

  useEffect(() => {
    for (const change of ['resize', 'scroll']) visualViewport?.addEventListener(change, riseAboveKeyboard)
  }, [])

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
    // Without #edit, so that a reload does not begin a new edit.
    history.replaceState(history.state, '', location.pathname + location.search)
    onClose()
  }

  return (
    <form className="column invitation invitation--editing" aria-label={t('Edit the event')} onSubmit={confirm}>
      <h1 className="visually-hidden">{t('Edit the event')}</h1>
      {eventFields.map(({ name, label, multiline, optional }, position) => (
        <Field
          key={name}
          {...(multiline && ({ as: 'textarea', rows: 4 } as const))}
          label={label()}
          optional={optional}
          hint={hintOf(name, schedule)}
          error={name === 'mapLink' && isRefused ? t(notMapLink) : undefined}
          name={name}
          value={texts[name] ?? ''}
          maxLength={EVENT_TEXT_MAXIMUM}
          autoFocus={position === 0}
          onChange={(event: { currentTarget: { value: string } }) => change(name, event.currentTarget.value)}
        />
      ))}
      <a className={buttonClass('quiet')} href="/admin?tab=settings#event-languages">
        {t('Translate the event')}
      </a>
      <div className="flow invitation__confirm">
        <Button variant="secondary" onClick={close}>
          {t('Cancel')}
        </Button>
        <Button type="submit">{t('Confirm')}</Button>
      </div>
    </form>
  )
}

/** Browsers leave what is at the end of the window behind an on-screen keyboard. */
function riseAboveKeyboard() {
  const { height = innerHeight, offsetTop = 0 } = visualViewport ?? {}
  document.documentElement.style.setProperty('--keyboard', `${Math.max(0, innerHeight - height - offsetTop)}px`)
}

function hintOf(name: keyof EventContent, schedule: CurrentSchedule | undefined): ReactNode {
  if (name !== 'time')
    return /parking|children/.test(name) && t('Shown in the form to those who come for the first time.')
  return (
    schedule && (
      <>
        {t('The schedule says: {times}.', { times: startText(schedule) })}{' '}
        {!schedule.confirmed && t('The day and time of the service are a guess so far.')}{' '}
        <a href="/admin?tab=settings#schedule">{t('Open the schedule')}</a>
      </>
    )
  )
}

/** Says that a change is not sent yet, and what to do. Sends it once the device is online. */
function UnsentNote({ sync }: { sync: EventSync }) {
  useEffect(() => {
    addEventListener('online', sendEvent)
    return () => removeEventListener('online', sendEvent)
  }, [])

  if (sync === 'sending') return null
  return (
    <div className="flow unsent-note" role="status">
      {sync === 'conflict' ? (
        <p>
          {t('Someone else has saved the event. Your text is kept; reload to see theirs.')}{' '}
          <a href="/">{t('Reload')}</a>
        </p>
      ) : (
        <p>{t('Saved on this device, not sent yet.')}</p>
      )}
      {sync === 'signed out' && (
        <p>
          <Sentence text="You are no longer signed in. {link} to send it." link={<a href="/admin">{t('Sign in')}</a>} />
        </p>
      )}
    </div>
  )
}
