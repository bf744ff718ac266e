import { atom } from 'nanostores'
import type { PublicRsvp } from '#db/rsvp/schema.ts'
import { request } from '#site/lib/request.ts'
import { type RsvpDraft, toSubmission } from '#site/lib/rsvp-form.ts'
import { readSession, writeSession } from '#site/lib/session.ts'
import { LATEST_RSVPS } from '#site/lib/share-view.ts'
import { createResource } from './resource.ts'

export const $allRsvps = createResource<PublicRsvp[]>('/api/rsvps', 'Failed to load responses')
export const $latestRsvps = createResource<PublicRsvp[]>(`/api/rsvps?limit=${LATEST_RSVPS}`, 'Failed to load responses')

/** The answers given on this page since it was opened, newest first: they stand in the list at once. */
export const $ownRsvps = atom<PublicRsvp[]>([])

/** The last key with what was sent under it, until it is known to be stored; also over a reload (session storage). */
const UNANSWERED = 'rsvp-unanswered'
const KEY_LENGTH = 32
let unanswered = ''

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
  }).catch((error) => {
    // The key is spent: what it has stored was deleted since, or is another response.
    if (error.status === 409 || error.status === 422) remember('')
    throw error
  })
  const id = await idOf(response)
  remember('')
  // Without a list to be in, there is none.
  if (!id) return
  const own = {
    id,
    name: draft.name.trim(),
    attending: draft.attending === 'true',
    createdAt: new Date().toISOString(),
  }
  $ownRsvps.set([own, ...$ownRsvps.get().filter((rsvp) => rsvp.id !== id)])
}

/** The answer may be anything. One that cannot be read is a success as well: its row gets a number that no other has. */
async function idOf(response: Response): Promise<number | undefined> {
  try {
    const { id }: { id?: number } = await response.json()
    return id
  } catch {
    return -1 - $ownRsvps.get().length
  }
}

/** Trying the same again must not store it twice; what was changed in between must not be lost. */
function keyFor(content: string): string {
  const last = unanswered || readSession(UNANSWERED)
  remember(last.slice(KEY_LENGTH) === content ? last : randomKey() + content)
  return unanswered.slice(0, KEY_LENGTH)
}

function remember(submission: string): void {
  unanswered = submission
  writeSession(UNANSWERED, submission)
}

/** crypto.randomUUID is missing on plain http addresses. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
