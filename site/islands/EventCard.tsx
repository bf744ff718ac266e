import { useStore } from '@nanostores/react'
import { type ReactNode, useEffect, useState } from 'react'
import type { EventContent } from '#db/values/event-content.ts'
import type { Language } from '#db/values/languages.ts'
import type { CurrentSchedule } from '#db/values/schedule.ts'
import { placeLink, type TextPart } from '#site/lib/links.ts'
import { $event, $eventStarted, $eventSync, type KnownEvent } from '#site/stores/event.ts'
import { initializeEvent } from '#site/stores/event-start.ts'
import { t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'
import { calendar, clock, Icon, pencil, pin } from '#site/ui/Icon.tsx'
import { LoadingText } from '#site/ui/Panel.tsx'
import { WhoComesNow, YourRsvpNow } from './Responses.tsx'
import type { Coming } from './ResponsesList.tsx'

/** The languages of those texts of the event that are not in the language of the page. */
export type TextLanguages = { [Name in keyof EventContent]?: Language }

/** Loads the code that only editors of the event need. */
const loadParts = async () => (await import('./event-card/parts.tsx')).parts
type Parts = Awaited<ReturnType<typeof loadParts>>
type Draft = NonNullable<ReturnType<Parts['beginDraft']>>

/** The invitation, which editors change in place. Initializes the event for the whole page. */
export function EventCard({
  rendered,
  texts,
  languages,
  mayEdit,
  editable,
  contacts,
  said,
  date,
  day,
  yourRsvp,
  coming,
  people,
  schedule,
}: {
  /** The event that the server rendered; null if the server could not read one. */
  rendered: KnownEvent | null
  /** Translations into the language of the page, which replace texts of the event. */
  texts?: Partial<EventContent> | undefined
  languages?: TextLanguages | undefined
  mayEdit: boolean
  /** Whether to show the edit button: never on a share view. */
  editable: boolean
  /** The contact split at its links, keyed by its text, because an edited contact is not split. */
  contacts?: Record<string, TextPart[]>
  /** The texts that would only repeat `day`; undefined without one. */
  said: string[] | undefined
  /** The day of the next service, e.g. `2026-11-21`, and drawn by the server. */
  date: string | undefined
  day?: ReactNode
  /** What the visitor has just sent without JavaScript, drawn by the server. */
  yourRsvp?: ReactNode
  /** How many people come, if the church shows that. */
  coming?: Coming | undefined
  /** The same, drawn by the server. */
  people?: ReactNode
  schedule?: CurrentSchedule | undefined
}) {
  const started = useStore($eventStarted)
  const stored = useStore($event)
  const sync = useStore($eventSync)
  const [parts, setParts] = useState<Parts>()
  const [draft, setDraft] = useState<Draft>()
  const [edited, setEdited] = useState(false)
  const content = started ? stored.content : (rendered?.content ?? null)
  const shown = content && { ...content, ...texts }
  const needsParts = editable || (started && stored.unsent)

  useEffect(() => {
    initializeEvent(rendered, mayEdit)
  }, [rendered, mayEdit])
  // Loads the editor in advance, because it cannot be loaded once the device is offline.
  useEffect(() => {
    if (!needsParts) return
    loadParts().then(
      (loaded) => {
        setParts(loaded)
        if (!editable) return
        // Resumes an edit that a reload interrupted, or begins the one that the address asks for.
        const begun = location.hash === '#edit' ? loaded.beginDraft() : loaded.eventDraft.restore()
        setDraft((current) => current ?? begun)
      },
      () => {},
    )
  }, [needsParts, editable])
  useEffect(() => {
    if (shown && parts) document.title = shown.pageTitle
  })

  async function edit() {
    const loaded = await loadParts()
    setParts(loaded)
    setDraft(loaded.beginDraft())
  }

  function stopEditing() {
    setDraft(undefined)
    setEdited(true)
  }

  if (!content || !shown) return <LoadingText>{t('Loading...')}</LoadingText>
  if (parts && draft) return <parts.EventEditor draft={draft} schedule={schedule} onClose={stopEditing} />
  const text = (name: keyof EventContent) => ({ lang: languages?.[name], children: shown[name] })
  return (
    <article className="invitation">
      {editable && (
        <Button
          variant="quiet"
          className="invitation__edit needs-script"
          // Gets the focus back once the editor has closed.
          autoFocus={edited}
          onClick={edit}
        >
          <Icon shape={pencil} />
          {t('Edit')}
        </Button>
      )}
      <div className={`column when ${said ? 'when--day' : ''}`}>
        {day}
        <div className="when__words">
          {!said?.includes(shown.date) && <Fact icon={calendar} name="date" label={t('Date')} {...text('date')} />}
          {!said?.includes(shown.time) && <Fact icon={clock} name="time" label={t('Time')} {...text('time')} />}
        </div>
      </div>
      <h1 className="invitation__title" {...text('pageTitle')} />
      <p className="invitation__subtitle" {...text('pageSubtitle')} />
      <YourRsvpNow day={date}>{yourRsvp}</YourRsvpNow>
      {coming && <WhoComesNow {...coming}>{people}</WhoComesNow>}
      <Fact icon={pin} name="place" label={t('Location')} lang={languages?.location}>
        <TextOrLink text={shown.location} href={shown.mapLink ?? placeLink(shown.location)} />
      </Fact>
      <h2 className="invitation__event" {...text('eventTitle')} />
      <p className="invitation__prose" {...text('eventDescription')} />
      {shown.whatToExpect && (
        <details className="disclosure fold invitation__more">
          <summary>{t('What to Expect')}</summary>
          <p className="invitation__prose" {...text('whatToExpect')} />
        </details>
      )}
      {shown.contact && (
        <p className="invitation__contact">
          {t('Questions?')}{' '}
          <span lang={languages?.contact}>
            {(contacts?.[shown.contact] ?? [{ text: shown.contact }]).map((part, position) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never change their order.
              <TextOrLink key={position} {...part} />
            ))}
          </span>
        </p>
      )}
      {parts && stored.unsent && <parts.UnsentNote sync={sync} />}
    </article>
  )
}

function Fact({
  icon,
  name,
  label,
  lang,
  children,
}: {
  icon: string
  name: string
  label: string
  lang?: string | undefined
  children: ReactNode
}) {
  return (
    <p className={`fact fact--${name}`}>
      <Icon shape={icon} />
      <span className="visually-hidden">{label}: </span>
      <span lang={lang}>{children}</span>
    </p>
  )
}

export function TextOrLink({ text, href }: TextPart) {
  return href === undefined ? text : <a href={href}>{text}</a>
}

/** Initializes the event on a page that does not show it. */
export function EventStart({ mayEdit }: { mayEdit: boolean }) {
  useEffect(() => {
    initializeEvent(null, mayEdit)
  }, [mayEdit])
  return null
}
