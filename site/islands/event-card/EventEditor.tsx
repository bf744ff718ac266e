import { useState } from 'react'
import { EVENT_TEXT_MAXIMUM, type EventContent } from '#db/event/content.ts'
import { changeEvent } from '#site/stores/admin/event-changes.ts'
import { Button } from '#site/ui/Button.tsx'
import { Field } from '#site/ui/Field.tsx'
import { type EventDraft, forgetDraft, keepDraft } from './draft.ts'
import { eventFields } from './fields.ts'

/** Edits a draft of the event's texts. */
export function EventEditor({
  draft: { texts: before, begun },
  takeFocus,
  onClose,
}: {
  draft: EventDraft
  /** Whether to focus the first field: after Edit was pressed, not after a reload. */
  takeFocus: boolean
  /** Called when the edit is confirmed or canceled. */
  onClose: () => void
}) {
  const [texts, setTexts] = useState(before)

  function change(name: keyof EventContent, text: string) {
    const changed = { ...texts, [name]: text }
    setTexts(changed)
    keepDraft({ texts: changed, begun })
  }

  function close() {
    forgetDraft()
    onClose()
  }

  return (
    <form
      className="invitation invitation--editing"
      aria-label="Edit the event"
      onSubmit={(event) => {
        event.preventDefault()
        changeEvent(texts, begun)
        close()
      }}
    >
      <h1 className="visually-hidden">Edit the event</h1>
      {eventFields.map(({ name, label, multiline }, position) => (
        <Field key={name} label={label}>
          {(wiring) => {
            const shared = {
              ...wiring,
              name,
              value: texts[name],
              maxLength: EVENT_TEXT_MAXIMUM,
              autoFocus: takeFocus && position === 0,
              onChange: (event: { currentTarget: { value: string } }) => change(name, event.currentTarget.value),
            }
            return multiline ? <textarea {...shared} rows={4} /> : <input {...shared} />
          }}
        </Field>
      ))}
      <div className="invitation__actions">
        <Button variant="secondary" onClick={close}>
          Cancel
        </Button>
        <Button type="submit" variant="primary">
          Confirm
        </Button>
      </div>
    </form>
  )
}
