import { readForm } from '#site/lib/read-form.ts'
import { RSVP_DRAFT, type RsvpDraft } from '#site/lib/rsvp-form.ts'
import { readSession, writeSession } from '#site/lib/session.ts'

/** In characters; far more than a valid form has. A longer draft would fill the storage that the browser gives the site. */
const MAXIMUM = 100_000

export function keepDraft(form: HTMLFormElement): void {
  const fields = new URLSearchParams()
  new FormData(form).forEach((value, name) => {
    fields.append(name, String(value))
  })
  const encoded = fields.toString()
  if (encoded.length < MAXIMUM) writeSession(RSVP_DRAFT, encoded)
}

/** Restores the draft of this tab, except in fields that were filled in early or by the browser. */
export function restoreDraft(form: HTMLFormElement): RsvpDraft | undefined {
  const stored = readSession(RSVP_DRAFT)
  if (!stored) return
  const current = new FormData(form)
  const fields = new URLSearchParams()
  current.forEach((value, name) => {
    if (value) fields.append(name, String(value))
  })
  new URLSearchParams(stored).forEach((value, name) => {
    if (!current.get(name)) fields.append(name, value)
  })
  return readForm(fields)
}
