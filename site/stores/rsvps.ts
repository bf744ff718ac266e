import { atom } from 'nanostores'
import type { PublicRsvp } from '#db/rsvp/schema.ts'
import { request } from '#site/lib/request.ts'
import { type RsvpDraft, toSubmission } from '#site/lib/rsvp-form.ts'
import { LATEST_RSVPS } from '#site/lib/share-view.ts'
import { createQuery } from './query.ts'

export const $allRsvps = createQuery<PublicRsvp[]>('/api/rsvps', 'Failed to load responses')
export const $latestRsvps = createQuery<PublicRsvp[]>(`/api/rsvps?limit=${LATEST_RSVPS}`, 'Failed to load responses')

/** The answers given on this page since it was opened, newest first: they stand in the list at once. */
export const $ownRsvps = atom<PublicRsvp[]>([])

let lastSubmission = { content: '', key: '' }

/**
 * Sends a response.
 * @throws ResponseError, with a message per field where there is something to correct.
 */
export async function createRsvp(draft: RsvpDraft): Promise<void> {
  const submission = toSubmission(draft)
  const response = await request('/api/rsvp', {
    method: 'POST',
    body: submission,
    headers: {
      'Idempotency-Key': keyFor(JSON.stringify(submission)),
      // Since the page was opened: nobody reads and answers it in a blink.
      'Form-Age': String(Math.round(performance.now())),
    },
  })
  const { id }: { id: number } = await response.json()
  lastSubmission = { content: '', key: '' }
  const own = {
    id,
    name: draft.name.trim(),
    attending: draft.attending === 'true',
    createdAt: new Date().toISOString(),
  }
  $ownRsvps.set([own, ...$ownRsvps.get().filter((rsvp) => rsvp.id !== id)])
}

/** Trying the same again must not store it twice; what was changed in between must not be lost. */
function keyFor(content: string): string {
  if (content !== lastSubmission.content) lastSubmission = { content, key: randomKey() }
  return lastSubmission.key
}

/** crypto.randomUUID is missing on plain http addresses. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
