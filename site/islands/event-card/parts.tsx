import { type ReactNode, type SubmitEvent, useEffect, useRef, useState } from 'react'
import { EVENT_TEXT_MAXIMUM, type EventContent } from '#db/event/content.ts'
import { isMapLink, notMapLink } from '#db/event/map-link.ts'
import type { CurrentSchedule } from '#db/schedule/schema.ts'
import { shareSubject } from '#site/lib/links.ts'
import {
  beginDraft,
  changeEvent,
  type EventDraft,
  eventDraft,
  resolveConflict,
} from '#site/stores/admin/event-changes.ts'
import type { KnownEvent } from '#site/stores/event.ts'
import { said } from '#site/texts/said.ts'
import { t } from '#site/texts/texts.ts'
import { Button, buttonClass } from '#site/ui/Button.tsx'
import { Field } from '#site/ui/Field.tsx'
import { EditorNotes } from './EditorNotes.tsx'
import { eventFields } from './event-fields.ts'
import { ScheduleNote } from './ScheduleNote.tsx'
import { UnsentNote } from './UnsentNote.tsx'

/** Everything that only editors of the event need, loaded as one chunk. */
export const parts = { beginDraft, eventDraft, EditorNotes, EventConflict, EventEditor, UnsentNote, rename }

/** Also in the share block, which the server has drawn. */
function rename(title: string): void {
  document.title = title
  const block = document.querySelector('.share__buttons')
  const button = block?.querySelector<HTMLElement>('[data-text]')
  const [before = '', now] = [button?.dataset.text, shareSubject(title)]
  for (const link of block?.querySelectorAll('a') ?? [])
    link.href = (link.getAttribute('href') ?? '').replace(encodeURIComponent(before), encodeURIComponent(now))
  if (button) button.dataset.text = now
}

function EventEditor({
  draft: { texts: before, begun, takeFocus },
  schedule,
  onClose,
}: {
  /** `takeFocus` is the field to begin with after a press, none after a reload. */
  draft: EventDraft & { takeFocus?: keyof EventContent }
  /** Stands beside the date and time. */
  schedule: CurrentSchedule | undefined
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
    <form className="column invitation invitation--editing" aria-label={t('Edit the event')} onSubmit={confirm}>
      <h1 className="visually-hidden">{t('Edit the event')}</h1>
      {eventFields.map(({ name, label, multiline, optional }) => (
        <Field
          key={name}
          {...(multiline && ({ as: 'textarea', rows: 4 } as const))}
          label={label()}
          optional={optional}
          hint={hintOf(name, schedule)}
          error={name === 'mapLink' && isRefused ? said(notMapLink) : undefined}
          name={name}
          value={texts[name] ?? ''}
          maxLength={EVENT_TEXT_MAXIMUM}
          autoFocus={takeFocus === name}
          onChange={(event: { currentTarget: { value: string } }) => change(name, event.currentTarget.value)}
        />
      ))}
      <div className="invitation__actions">
        <a className={buttonClass('quiet')} href="/admin?tab=settings#event-languages">
          {t('Translate the event')}
        </a>
        <Button variant="secondary" onClick={close}>
          {t('Cancel')}
        </Button>
        <Button type="submit">{t('Confirm')}</Button>
      </div>
    </form>
  )
}

function hintOf(name: keyof EventContent, schedule: CurrentSchedule | undefined): ReactNode {
  if (name === 'time') return schedule && <ScheduleNote schedule={schedule} />
  return /parking|children/.test(name) && t('Shown in the form to those who come for the first time.')
}

type Side = 'mine' | 'theirs'
type Name = keyof EventContent

/** Shows two versions of the event, to choose from for each text or for all. */
function EventConflict({
  mine,
  known,
  theirs,
  onPostpone,
  onResolve,
}: {
  mine: EventContent
  /** The version on which both are based, if it is known. */
  known: EventContent | undefined
  theirs: KnownEvent
  onPostpone: () => void
  onResolve: () => void
}) {
  const title = useRef<HTMLHeadingElement>(null)
  // A missing optional text counts as an empty one.
  const versions = { mine: (name: Name) => mine[name] ?? '', theirs: (name: Name) => theirs.content[name] ?? '' }
  const different = eventFields.filter(({ name }) => versions.mine(name) !== versions.theirs(name))
  const [picked, setPicked] = useState(new Map<Name, Side>())
  // By default, a text that only the other editor changed is theirs, and one that was changed here is mine.
  const sideOf = (name: Name) =>
    picked.get(name) ?? (known && versions.mine(name) === (known[name] ?? '') ? 'theirs' : 'mine')
  const pickAll = (side: Side) => setPicked(new Map(different.map(({ name }) => [name, side])))
  useEffect(() => title.current?.focus(), [])

  function saveChosen() {
    const chosen = { ...theirs.content }
    for (const { name } of different) if (sideOf(name) === 'mine') chosen[name] = versions.mine(name)
    onResolve()
    resolveConflict(chosen, theirs)
  }

  return (
    <form
      className="column invitation invitation--editing conflict"
      aria-labelledby="conflict-title"
      onSubmit={(event) => {
        event.preventDefault()
        saveChosen()
      }}
    >
      <h1 id="conflict-title" className="conflict__title" ref={title} tabIndex={-1}>
        {t('The event was changed twice')}
      </h1>
      <p>
        {t(
          'Someone else has changed the event while you were editing it. Nothing is lost: your version is saved on this device.',
        )}{' '}
        {t('Choose what visitors will see.')}
      </p>
      <div className="invitation__actions conflict__all">
        <Button variant="secondary" onClick={() => pickAll('mine')}>
          {t('All of Mine')}
        </Button>
        <Button variant="secondary" onClick={() => pickAll('theirs')}>
          {t('All of Theirs')}
        </Button>
      </div>
      {different.map(({ name, label }) => (
        <fieldset key={name} className="conflict__field">
          <legend className="field__label">{label()}</legend>
          {(['mine', 'theirs'] as const).map((side) => (
            <label key={side} className="conflict__side">
              <input
                className="conflict__input"
                type="radio"
                name={name}
                value={side}
                checked={sideOf(name) === side}
                onChange={() => setPicked(new Map(picked).set(name, side))}
              />
              <span>
                <span className="conflict__whose">{side === 'mine' ? t('Mine') : t('Theirs')}</span>
                <span className="conflict__text">{versions[side](name) || <em>{t('Left empty')}</em>}</span>
              </span>
            </label>
          ))}
        </fieldset>
      ))}
      <div className="invitation__actions">
        <Button variant="secondary" onClick={onPostpone}>
          {t('Decide Later')}
        </Button>
        <Button type="submit">{t('Save Chosen')}</Button>
      </div>
    </form>
  )
}
