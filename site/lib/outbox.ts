import { createStore, del, get, set, values } from 'idb-keyval'
import type { Recorded } from './recorded.ts'

/**
 * An RSVP that was submitted while the device was offline. It stays on the device until it is stored and the visitor
 * knows. The page sends it once online, and so does the worker, also after the page was closed.
 */
export type KeptRsvp = {
  /** The Idempotency-Key: it is stored once, however often it is sent. */
  key: string
  /** The body of `POST /api/rsvp`, as JSON. */
  body: string
  /** For the header Form-Age. */
  formAge: string
  /** The form as it was typed, encoded as a form post. */
  draft: string
  /** Shown to the visitor once it is stored. */
  recorded: Recorded
  state: 'waiting' | 'stored' | 'refused'
  /** Why it was refused, and what to do. */
  reason?: string
}

/** The name of the channel that announces changes, and of the lock for making them. */
export const OUTBOX_CHANGED = 'rsvp-outbox'

/** Ample: within a few seconds the site replies, if only that it is busy. */
const TIMEOUT_MS = 30_000

/** A separate database: the usual one of idb-keyval may hold more than RSVPs. */
const outbox = createStore('rsvp-outbox', 'rsvps')

export async function keepRsvp(rsvp: KeptRsvp): Promise<void> {
  await set(rsvp.key, rsvp, outbox)
  tell()
}

/** Rejects if the browser stores nothing. */
export async function listKeptRsvps(): Promise<KeptRsvp[]> {
  return await values(outbox)
}

/** @returns false if it is no longer in the state that the visitor saw: once stored, it stays, to be shown. */
export async function forgetRsvp({ key, state }: KeptRsvp): Promise<boolean> {
  let isForgotten = false
  await alone(async () => {
    const current = await get<KeptRsvp>(key, outbox)
    isForgotten = current?.state === state
    if (isForgotten) await del(key, outbox)
  })
  tell()
  return isForgotten
}

/**
 * Sends the waiting RSVPs one by one, never two at a time, although the page and the worker may both try. Rejects while
 * some still wait, so that a browser that woke the worker wakes it again.
 */
export async function sendKeptRsvps(): Promise<void> {
  await alone(async () => {
    for (const kept of await listKeptRsvps()) if (kept.state === 'waiting') await sendRsvp(kept)
  })
  const kept = await listKeptRsvps()
  if (kept.some(({ state }) => state === 'waiting')) throw new Error('The site cannot take the RSVP at the moment.')
}

/** On plain HTTP browsers have no locks, but no workers either. */
async function alone(act: () => Promise<void>): Promise<void> {
  await (navigator.locks ? navigator.locks.request(OUTBOX_CHANGED, act) : act())
}

/** Leaves it waiting if the site cannot take it at the moment, e.g. because it is busy. */
async function sendRsvp({ key, body, formAge }: KeptRsvp): Promise<void> {
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': key, 'Form-Age': formAge }
  // A request that hangs would keep all others waiting. Older browsers lack this signal.
  const signal = AbortSignal.timeout?.(TIMEOUT_MS) ?? null
  const reply = await fetch('/api/rsvp', { method: 'POST', credentials: 'include', headers, body, signal })
  const outcome = reply.ok ? await stored(reply) : await refused(reply)
  const kept = outcome && (await get<KeptRsvp>(key, outbox))
  if (kept) await keepRsvp({ ...kept, ...outcome, recorded: { ...kept.recorded, ...outcome.recorded } })
}

type Outcome = Pick<KeptRsvp, 'state'> &
  Partial<Pick<KeptRsvp, 'reason' | 'body' | 'draft'>> & { recorded?: Pick<Recorded, 'link' | 'mail'> }

/**
 * Only JSON is a reply of the site; others come e.g. from the sign-in page of a network. Even if the body is lost, the
 * RSVP is stored, and its contents need not stay on the device.
 */
async function stored(reply: Response): Promise<Outcome | undefined> {
  if (!reply.headers.get('content-type')?.startsWith('application/json')) return undefined
  const { link, mail } = await reply.json().catch(() => ({}))
  return { state: 'stored', body: '', draft: '', recorded: { link, mail } }
}

async function refused(reply: Response): Promise<Outcome | undefined> {
  if (reply.status === 429 || reply.status >= 500) return undefined
  const { detail, errors } = await reply.json().catch(() => ({}))
  const reasons = Array.isArray(errors) ? errors.map(({ message }) => message) : []
  return { state: 'refused', reason: [...reasons, detail].find((text) => typeof text === 'string') }
}

function tell(): void {
  const channel = new BroadcastChannel(OUTBOX_CHANGED)
  channel.postMessage('')
  channel.close()
}
