import type { FieldError } from '#db/errors.ts'
import { calendarDay } from '#db/values/schemas.ts'
import { readForm } from '#site/lib/read-form.ts'
import { RSVP_DRAFT, type RsvpDraft } from '#site/lib/rsvp-form.ts'
import { readSession, writeSession } from '#site/lib/session.ts'
import { dayText } from '#site/texts/dates.ts'

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
export function restoreDraft(form: HTMLFormElement): { draft: RsvpDraft; errors: FieldError[] } | undefined {
  const stored = new URLSearchParams(readSession(RSVP_DRAFT))
  if (stored.size === 0) return
  const current = new FormData(form)
  const fields = new URLSearchParams()
  current.forEach((value, name) => {
    if (value) fields.append(name, String(value))
  })
  stored.forEach((value, name) => {
    if (!current.get(name)) fields.append(name, value)
  })
  const errors = restoreServiceDate(form, fields, stored.get('serviceDate'))
  return { draft: readForm(fields), errors }
}

/** The form always has a day: the first one counts as not chosen. A day that is no longer offered is told. */
function restoreServiceDate(form: HTMLFormElement, fields: URLSearchParams, stored: string | null): FieldError[] {
  const select = form.elements.namedItem('serviceDate')
  if (!(select instanceof HTMLSelectElement) || select.selectedIndex > 0) return []
  const day = calendarDay.safeParse(stored).data
  if (day === undefined) return []
  if (Array.from(select.options).some(({ value }) => value === day)) {
    fields.set('serviceDate', day)
    return []
  }
  const message = `You began this for ${dayText(day)}, which can no longer be chosen. Check the day.`
  return [{ path: 'serviceDate', message }]
}
