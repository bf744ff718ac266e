import { type ReactNode, useEffect, useState } from 'react'
import type { EventContent } from '#db/event/content.ts'
import type { Schedule } from '#db/schedule/schema.ts'
import type { DateTile } from '#site/lib/date-tile.ts'
import { useStore } from '#site/lib/hooks/use-store.ts'
import { $event, $eventStarted, $eventSync, type KnownEvent } from '#site/stores/event.ts'
import { initializeEvent } from '#site/stores/event-start.ts'
import { t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'
import { Icon } from '#site/ui/Icon.tsx'
import { pencil } from '#site/ui/icons.ts'
import { LoadingText } from '#site/ui/LoadingText.tsx'
import type { EventDraft } from './event-card/draft.ts'
import { EventFacts } from './event-card/EventFacts.tsx'
import { EventProse } from './event-card/EventProse.tsx'

/** Loads what only editors of the event need: visitors do not load it. */
const loadParts = async () => (await import('./event-card/parts.ts')).parts
type Parts = Awaited<ReturnType<typeof loadParts>>

/** The invitation. Initializes the event for the whole page, and lets an editor change it in place. */
export function EventCard({
  rendered,
  mayEdit,
  editable,
  until,
  next,
  schedule,
  children,
}: {
  /** The event that the server rendered; null if it could not read it. */
  rendered: KnownEvent | null
  /** Whether this visitor may store the event. */
  mayEdit: boolean
  /** Whether to show the edit button: never on a share view. */
  editable: boolean
  /** When the service is over, where the texts that the server rendered leave that open. */
  until?: string | undefined
  /** The next service, where visitors are told of it. */
  next?: DateTile | undefined
  /** For an editor, who is told where the texts contradict it. */
  schedule?: Pick<Schedule, 'weekday' | 'startTime'> | undefined
  /** Where they do, as the server found it. */
  children?: ReactNode
}) {
  const started = useStore($eventStarted)
  const stored = useStore($event)
  const sync = useStore($eventSync)
  const [parts, setParts] = useState<Parts>()
  const [draft, setDraft] = useState<EventDraft>()
  const [pressed, setPressed] = useState(false)
  const [edited, setEdited] = useState(false)
  const [postponed, setPostponed] = useState<string>()
  const content = started ? stored.content : (rendered?.content ?? null)
  const needsParts = editable || (started && stored.unsent)
  const conflict = started ? parts?.findConflict(stored, sync) : undefined
  // Compared as text, because a write of another tab arrives as a new object.
  const theirs = JSON.stringify(conflict?.theirs)

  useEffect(() => {
    initializeEvent(rendered, mayEdit)
  }, [rendered, mayEdit])
  // Loaded in advance: an editor who is offline by then could not load it.
  useEffect(() => {
    if (!needsParts) return
    loadParts().then(
      (loaded) => {
        setParts(loaded)
        // Resumes an edit that a reload interrupted, unless Edit has been pressed in the meantime.
        if (editable) setDraft((current) => current ?? loaded.restoreDraft())
      },
      () => {},
    )
  }, [needsParts, editable])
  useEffect(() => {
    if (content !== null) document.title = content.pageTitle
  }, [content])

  async function edit() {
    const loaded = await loadParts()
    setParts(loaded)
    setPressed(true)
    setDraft(loaded.beginDraft())
  }

  function stopEditing() {
    setDraft(undefined)
    setEdited(true)
  }

  if (content === null) return <LoadingText>{t('Loading...')}</LoadingText>
  if (parts && draft)
    return <parts.EventEditor draft={draft} schedule={schedule} takeFocus={pressed} onClose={stopEditing} />
  if (parts && editable && conflict && theirs !== postponed) {
    return (
      <parts.EventConflict
        key={theirs}
        mine={content}
        known={stored.known?.content}
        conflict={conflict}
        onPostpone={() => setPostponed(theirs)}
        onResolve={() => setEdited(true)}
      />
    )
  }
  return (
    <article className="invitation">
      <p className="invitation__subtitle">{content.pageSubtitle}</p>
      <h1 className="invitation__title">{content.pageTitle}</h1>
      <EventFacts content={content} until={isSaidBy(content, rendered) ? until : undefined} next={next} />
      <EventProse content={content} />
      {parts && schedule ? (
        <parts.ContradictionNote event={content} schedule={schedule} link={parts.toSchedule()} />
      ) : (
        children
      )}
      {parts && started && stored.unsent && (
        <parts.UnsentNote
          conflict={conflict}
          mayEdit={mayEdit}
          onCompare={editable ? () => setPostponed(undefined) : undefined}
        />
      )}
      {editable && (
        <Button
          variant="quiet"
          className="invitation__edit needs-script"
          ref={edited ? focus : undefined}
          onClick={edit}
        >
          <Icon shape={pencil} />
          {t('Edit')}
        </Button>
      )}
    </article>
  )
}

/** Returns the focus to the edit button once the editor has closed. */
function focus(button: HTMLButtonElement | null): void {
  button?.focus()
}

/** Whether the server has rendered the same day and time. */
function isSaidBy(content: EventContent, rendered: KnownEvent | null): boolean {
  return content.date === rendered?.content.date && content.time === rendered.content.time
}
