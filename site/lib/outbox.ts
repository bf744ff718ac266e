import { createStore, del, get, set, values } from 'idb-keyval'
import type { Recorded } from './recorded.ts'

/**
 * An RSVP that was submitted while the device was offline. It stays on the device until it is stored and the visitor has
 * been told. Both the page and, after the page was closed, the service worker send it.
 */
export type KeptRsvp = {
  /** The Idempotency-Key: the RSVP is stored once, however often it is sent. */
  key: string
  /** The body of `POST /api/rsvp`, as JSON. */
  body: string
  /** The value of the header Form-Age. */
  formAge: string
  /** The form as typed, encoded as a form post. */
  draft: string
  /** Shown to the visitor once the RSVP is stored. */
  recorded: Recorded
  state: 'waiting' | 'stored' | 'refused'
  /** Why the RSVP was refused, and what to do. */
  reason?: string
}

/** The name of the channel that announces changes, and of the lock that guards them. */
export const OUTBOX_CHANGED = 'rsvp-outbox'

/** The site replies within a few seconds, even if it is busy. */
const TIMEOUT_MS = 30_000

/** A database of its own: the default one of idb-keyval may contain other values. */
const outbox = createStore('rsvp-outbox', 'rsvps')

export async function keepRsvp(rsvp: KeptRsvp): Promise<void> {
  await set(rsvp.key, rsvp, outbox)
  announceChange()
}

/** Rejects if the browser has no storage. */
export async function listKeptRsvps(): Promise<KeptRsvp[]> {
  return await values(outbox)
}

/** Deletes a kept RSVP, unless its state has changed since the visitor saw it. @returns whether it was deleted. */
export async function forgetRsvp({ key, state }: KeptRsvp): Promise<boolean> {
  let isForgotten = false
  await withLock(async () => {
    const current = await get<KeptRsvp>(key, outbox)
    isForgotten = current?.state === state
    if (isForgotten) await del(key, outbox)
  })
  announceChange()
  return isForgotten
}

/**
 * Sends the waiting RSVPs one at a time, although the page and the worker may both try. Rejects while any still wait, so
 * that the browser wakes the worker again.
 */
export async function sendKeptRsvps(): Promise<void> {
  await withLock(async () => {
    for (const kept of await listKeptRsvps()) if (kept.state === 'waiting') await sendRsvp(kept)
  })
  const kept = await listKeptRsvps()
  if (kept.some(({ state }) => state === 'waiting')) throw new Error('The site cannot take the RSVP at the moment.')
}

/** On plain HTTP, browsers have no locks and no workers. */
async function withLock(run: () => Promise<void>): Promise<void> {
  await (navigator.locks ? navigator.locks.request(OUTBOX_CHANGED, run) : run())
}

/** The RSVP keeps waiting if the site cannot accept it at the moment, e.g. because it is busy. */
async function sendRsvp({ key, body, formAge }: KeptRsvp): Promise<void> {
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': key, 'Form-Age': formAge }
  // A request that hangs would delay all others. Older browsers lack this signal.
  const signal = AbortSignal.timeout?.(TIMEOUT_MS) ?? null
  const reply = await fetch('/api/rsvp', { method: 'POST', credentials: 'include', headers, body, signal })
  const outcome = reply.ok ? await storedOutcome(reply) : await refusedOutcome(reply)
  const kept = outcome && (await get<KeptRsvp>(key, outbox))
  if (kept) await keepRsvp({ ...kept, ...outcome, recorded: { ...kept.recorded, ...outcome.recorded } })
}

type Outcome = Pick<KeptRsvp, 'state'> &
  Partial<Pick<KeptRsvp, 'reason' | 'body' | 'draft'>> & { recorded?: Pick<Recorded, 'link' | 'mail'> }

/** Undefined if the reply is not JSON, and so not from the site but e.g. from the sign-in page of a network. */
async function storedOutcome(reply: Response): Promise<Outcome | undefined> {
  if (!reply.headers.get('content-type')?.startsWith('application/json')) return undefined
  // Even if the body is lost, the RSVP is stored.
  const { link, mail } = await reply.json().catch(() => ({}))
  return { state: 'stored', body: '', draft: '', recorded: { link, mail } }
}

async function refusedOutcome(reply: Response): Promise<Outcome | undefined> {
  if (reply.status === 429 || reply.status >= 500) return undefined
  const { detail, errors } = await reply.json().catch(() => ({}))
  const reasons = Array.isArray(errors) ? errors.map(({ message }) => message) : []
  return { state: 'refused', reason: [...reasons, detail].find((text) => typeof text === 'string') }
}

function announceChange(): void {
  const channel = new BroadcastChannel(OUTBOX_CHANGED)
  channel.postMessage('')
  channel.close()
}
