import { type RsvpDraft, readForm } from '#site/lib/rsvp-form.ts'
import { readSession, writeSession } from '#site/lib/session.ts'

/** Where what was typed waits until it is sent: for this tab, as the form itself would post it (session storage). */
const DRAFT = 'rsvp-draft'
/** Far more than a form can send: it would fill the room that the browser gives to the whole site. */
const MAXIMUM = 100_000

export function keepDraft(form: HTMLFormElement): void {
  const fields = new URLSearchParams()
  new FormData(form).forEach((value, name) => {
    fields.append(name, String(value))
  })
  const typed = fields.toString()
  if (typed.length < MAXIMUM) writeSession(DRAFT, typed)
}

/** The draft of this tab below what stands in the form already: typed early, or put back by the browser. */
export function restoreDraft(form: HTMLFormElement): RsvpDraft | undefined {
  const kept = readSession(DRAFT)
  if (!kept) return
  const shown = new FormData(form)
  const fields = new URLSearchParams()
  shown.forEach((value, name) => {
    if (value) fields.append(name, String(value))
  })
  new URLSearchParams(kept).forEach((value, name) => {
    if (!shown.get(name)) fields.append(name, value)
  })
  return readForm(fields)
}

export function forgetDraft(): void {
  writeSession(DRAFT, '')
}
