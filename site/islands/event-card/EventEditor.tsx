import { useState } from 'react'
import { EVENT_TEXT_MAXIMUM, type EventContent } from '#db/event/content.ts'
import { Button } from '#site/ui/Button.tsx'
import { Field } from '#site/ui/Field.tsx'
import { eventFields } from './fields.ts'

/** Edits a copy of the event's texts. */
export function EventEditor({
  draft: original,
  onCancel,
  onConfirm,
}: {
  draft: EventContent
  onCancel: () => void
  onConfirm: (changed: EventContent) => void
}) {
  const [draft, setDraft] = useState(original)

  return (
    <form
      className="invitation invitation--editing"
      aria-label="Edit the event"
      onSubmit={(event) => {
        event.preventDefault()
        onConfirm(draft)
      }}
    >
      <h1 className="visually-hidden">Edit the event</h1>
      {eventFields.map(({ name, label, multiline }, position) => (
        <Field key={name} label={label}>
          {(wiring) => {
            const shared = {
              ...wiring,
              name,
              value: draft[name],
              maxLength: EVENT_TEXT_MAXIMUM,
              autoFocus: position === 0,
              onChange: (event: { currentTarget: { value: string } }) =>
                setDraft({ ...draft, [name]: event.currentTarget.value }),
            }
            return multiline ? <textarea {...shared} rows={4} /> : <input {...shared} />
          }}
        </Field>
      ))}
      <div className="invitation__actions">
        <Button variant="secondary" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" variant="primary">
          Confirm
        </Button>
      </div>
    </form>
  )
}
