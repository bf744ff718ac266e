import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import type { EventContent } from '#db/event/content.ts'
import { $event, $eventStarted, changeEvent, initializeEvent } from '#site/stores/event.ts'
import { Button } from '#site/ui/Button.tsx'
import { Icon } from '#site/ui/Icon.tsx'
import { LoadingText } from '#site/ui/LoadingText.tsx'
import { EventEditor } from './event-card/EventEditor.tsx'

/** The invitation. Starts the event for the whole page, and lets an editor change it in place. */
export function EventCard({
  rendered,
  mayEdit,
  editable,
}: {
  /** What the server has; null where it could not read it. */
  rendered: EventContent | null
  /** May store the event. */
  mayEdit: boolean
  /** Shows the edit button: never on a share view. */
  editable: boolean
}) {
  const started = useStore($eventStarted)
  const stored = useStore($event)
  const [draft, setDraft] = useState<EventContent>()
  const [edited, setEdited] = useState(false)
  const content = started ? stored.content : rendered

  useEffect(() => {
    initializeEvent(rendered, mayEdit)
  }, [rendered, mayEdit])

  function stopEditing() {
    setDraft(undefined)
    setEdited(true)
  }

  if (content === null) return <LoadingText>Loading...</LoadingText>
  if (draft !== undefined) {
    return (
      <EventEditor
        draft={draft}
        onCancel={stopEditing}
        onConfirm={(changed) => {
          stopEditing()
          changeEvent(changed)
        }}
      />
    )
  }
  return (
    <article className="invitation">
      <p className="invitation__subtitle">{content.pageSubtitle}</p>
      <h1 className="invitation__title">{content.pageTitle}</h1>
      <h2 className="invitation__event">{content.eventTitle}</h2>
      <p className="invitation__description">{content.eventDescription}</p>
      <ul className="facts">
        <li className="facts__fact">
          <Icon name="calendar" />
          <span className="visually-hidden">Date: </span>
          {content.date}
        </li>
        <li className="facts__fact">
          <Icon name="clock" />
          <span className="visually-hidden">Time: </span>
          {content.time}
        </li>
        <li className="facts__fact">
          <Icon name="pin" />
          <span className="visually-hidden">Location: </span>
          {content.location}
        </li>
      </ul>
      {editable && (
        <Button
          variant="quiet"
          className="invitation__edit needs-script"
          ref={edited ? focusAgain : undefined}
          onClick={() => setDraft(content)}
        >
          <Icon name="pencil" />
          Edit
        </Button>
      )}
    </article>
  )
}

/** The keyboard goes on where it was before the editing. */
function focusAgain(button: HTMLButtonElement | null): void {
  button?.focus()
}
