import { createStore, del, get, set, values } from 'idb-keyval'
import type { Recorded } from './recorded.ts'

/**
 * RSVPs that were submitted while the device was offline. They stay on it until the site has them and the visitor knows: the
 * page sends them once it is online, and so does the worker, also after the page was closed.
 */
export type KeptRsvp = {
  /** The Idempotency-Key: however often it is sent, it is stored once. */
  key: string
  /** What `POST /api/rsvp` takes, as JSON. */
  body: string
  /** For the header Form-Age. */
  formAge: string
  /** The form as it was typed, encoded as a form post. */
  draft: string
  /** What the visitor is told once it is stored. */
  recorded: Recorded
  state: 'waiting' | 'stored' | 'refused'
  /** Why it was refused, and what to do. */
  reason?: string
}

/** Says that something here has changed. */
export const OUTBOX_CHANGED = 'rsvp-outbox'

/** The site replies within a few seconds, or says that it is busy. */
const TIMEOUT_MS = 30_000

/** A database of its own, because others of this browser may hold more than RSVPs. */
const outbox = createStore('rsvp-outbox', 'rsvps')

export async function keepRsvp(rsvp: KeptRsvp): Promise<void> {
  await set(rsvp.key, rsvp, outbox)
  tell()
}

/** Rejects where the browser keeps nothing. */
export async function listKeptRsvps(): Promise<KeptRsvp[]> {
  return await values(outbox)
}

/**
 * Forgets one that the visitor has seen as it is, after `first`. One that is being sent may be stored by then: it stays,
 * and the visitor is told.
 */
export async function forgetRsvp({ key, state }: KeptRsvp, first = () => {}): Promise<void> {
  await alone(async () => {
    const current = await get<KeptRsvp>(key, outbox)
    if (current?.state === 'stored' && state !== 'stored') return
    first()
    await del(key, outbox)
  })
  tell()
}

/**
 * Sends those that wait, one after the other, and never two at a time: the page and the worker may both try.
 * Rejects while some wait on: a browser that woke the worker up for them then does so again.
 */
export async function sendKeptRsvps(): Promise<void> {
  await alone(async () => {
    for (const kept of await listKeptRsvps()) if (kept.state === 'waiting') await sendRsvp(kept)
  })
  const kept = await listKeptRsvps()
  if (kept.some(({ state }) => state === 'waiting')) throw new Error('The site cannot take the RSVP at the moment.')
}

/** Browsers know no locks on plain http addresses. They run no worker there either. */
async function alone(act: () => Promise<void>): Promise<void> {
  await (navigator.locks ? navigator.locks.request(OUTBOX_CHANGED, act) : act())
}

/** What the site cannot take at the moment, e.g. because it is busy, waits on. */
async function sendRsvp({ key, body, formAge }: KeptRsvp): Promise<void> {
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': key, 'Form-Age': formAge }
  // One that hangs would keep all others waiting. Older browsers know no such signal.
  const signal = AbortSignal.timeout?.(TIMEOUT_MS) ?? null
  const reply = await fetch('/api/rsvp', { method: 'POST', credentials: 'include', headers, body, signal })
  const outcome = reply.ok ? await stored(reply) : await refused(reply)
  const kept = outcome && (await get<KeptRsvp>(key, outbox))
  if (kept) await keepRsvp({ ...kept, ...outcome, recorded: { ...kept.recorded, ...outcome.recorded } })
}

type Outcome = Pick<KeptRsvp, 'state'> &
  Partial<Pick<KeptRsvp, 'reason' | 'body' | 'draft'>> & { recorded?: Pick<Recorded, 'link'> }

/**
 * The site replies in JSON; what else says so is e.g. the sign-in page of a network. Where the rest of the reply is lost, the
 * RSVP is stored all the same, and what was written in it need not stay on the device.
 */
async function stored(reply: Response): Promise<Outcome | undefined> {
  if (!reply.headers.get('content-type')?.startsWith('application/json')) return undefined
  const { link } = await reply.json().catch(() => ({}))
  return { state: 'stored', body: '', draft: '', recorded: { link } }
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
