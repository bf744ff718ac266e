import type { FieldError } from '#db/errors.ts'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { revisionOf } from '#db/rsvp/stored.ts'
import type { Entry } from '#site/lib/entry-form.ts'
import { ResponseError, request } from '#site/lib/request.ts'
import { said } from '#site/texts/said.ts'
import { t } from '#site/texts/texts.ts'
import { carryToast } from './carried-toast.ts'

/** Why something was not done: beside the fields, or as a sentence. */
export type Refusal = { errors: FieldError[]; failed: string }

/** The last entry that is not known to be stored, with its key: trying it again must not store it twice. */
let pending = { key: '', content: '' }

/** Stores a new response; returns its id. */
export async function addEntry(entry: Entry): Promise<{ id: number } | Refusal> {
  const content = JSON.stringify(entry)
  if (content !== pending.content) pending = { key: randomKey(), content }
  try {
    const reply = await request('POST /api/rsvps', { body: entry, headers: { 'Idempotency-Key': pending.key } })
    pending = { key: '', content: '' }
    return await reply.json()
  } catch (error) {
    // The key has stored this once, and it was deleted since: the next try is another one.
    if (error instanceof ResponseError && error.status === 409) pending = { key: '', content: '' }
    return refusalOf('save', error)
  }
}

/** Changes a response, unless it was changed since it was shown; then loads the page again. */
export async function changeEntry(stored: StoredRsvp, entry: Entry): Promise<Refusal | undefined> {
  try {
    const headers = { 'If-Match': `"${revisionOf(stored)}"` }
    await request(`PATCH /api/rsvps/${stored.id}`, { body: entry, headers })
  } catch (error) {
    return refusalOf('save', error)
  }
  const next = `[data-rsvp="${stored.id}"] td:last-child button`
  carryToast({ title: t('RSVP Changed'), description: t('The response has been changed.'), next })
  location.reload()
  return undefined
}

/** Takes back what was just entered; returns why not, where it did not work. */
export async function undoEntry(id: number): Promise<string | undefined> {
  try {
    await request(`DELETE /api/rsvps/${id}`)
  } catch (error) {
    // It is gone already.
    if (!(error instanceof ResponseError && error.status === 404)) return refusalOf('take back', error).failed
  }
  return undefined
}

/** A dialog is in front of every notice, so that it has to say itself what went wrong. */
export function refusalOf(act: 'save' | 'take back', error: unknown): Refusal {
  const refusal = error instanceof ResponseError ? error : undefined
  if (refusal?.status === 401) {
    const again = act === 'save' ? t('Then save it here.') : t('Then take it back here.')
    return { errors: [], failed: `${t('You are no longer signed in. Sign in in another tab.')} ${again}` }
  }
  const errors = (refusal?.fields ?? []).map(({ path, message }) => ({ path, message: said(message) }))
  if (errors.length > 0) return { errors, failed: t('Not saved yet: correct what is marked.') }
  if (refusal?.detail !== undefined) return { errors, failed: said(refusal.detail) }
  const failed =
    act === 'save'
      ? t('The site could not save it. Please try again.')
      : t('The site could not take it back. Please try again.')
  return { errors, failed }
}

/** crypto.randomUUID is missing on plain http addresses. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
