import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { defaultEvent } from '#db/values/default-event.ts'
import type { EventPayload } from '#db/values/event.ts'
import { toPayload } from '#db/values/event-payload.ts'
import { stubBrowser } from './browser-fixtures.ts'

/** A server that stores an event as the site does, and replies when the test says so. */
type Pending = { method: string; body: Partial<EventPayload>; headers: Headers; reply: () => void; fail: () => void }
let pending: Pending[]
let stored: EventPayload | null
let revision: number

beforeEach(() => {
  vi.resetModules()
  stubBrowser()
  pending = []
  stored = toPayload(defaultEvent)
  revision = 7
  vi.stubGlobal('fetch', (_path: string, { method = 'GET', body, ...init }: RequestInit) => {
    const { promise, resolve, reject } = Promise.withResolvers<Response>()
    const headers = new Headers(init.headers)
    const sent = typeof body === 'string' ? JSON.parse(body) : {}
    pending.push({
      method,
      body: sent,
      headers,
      reply: () => resolve(method === 'POST' ? store(sent, headers) : eventResponse()),
      fail: () => reject(new TypeError('Failed to fetch')),
    })
    return promise
  })
  vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

function eventResponse(): Response {
  return Response.json(stored, stored === null ? {} : { headers: { ETag: `"${revision}"` } })
}

function store(sent: Partial<EventPayload>, headers: Headers): Response {
  const isLate = headers.has('If-Match') && headers.get('If-Match') !== `"${revision}"`
  const isSecond = headers.has('If-None-Match') && stored !== null
  if (isLate || isSecond) return new Response('changed meanwhile', { status: 412 })
  changeElsewhere(sent)
  return eventResponse()
}

/** Another administrator stores the event. */
function changeElsewhere(texts: Partial<EventPayload>): void {
  stored = { ...(stored ?? toPayload(defaultEvent)), ...texts }
  revision += 1
}

const at = (time: string) => ({ ...defaultEvent, time })
const atSeven = { content: defaultEvent, revision: 7 }

async function loadStore() {
  const [event, start] = await Promise.all([import('./event.ts'), import('./event-start.ts')])
  return { ...event, ...start, ...(await import('./admin/event-changes.ts')) }
}

/** Sends the reply to the oldest request; returns that request. */
async function replyToNext(): Promise<Pending> {
  await vi.waitFor(() => expect(pending.length).toBeGreaterThan(0))
  const next = pending.shift()
  if (next === undefined) throw new Error('Nothing was asked.')
  next.reply()
  return next
}

/** Loads the page, and makes an edit that cannot be sent. */
async function failToSend(): Promise<Awaited<ReturnType<typeof loadStore>>> {
  const store = await loadStore()
  store.showEvent(atSeven)
  const editing = store.changeEvent(at('11 AM'))
  await vi.waitFor(() => expect(pending).toHaveLength(1))
  pending.shift()?.fail()
  await editing
  return store
}

describe('the event store', () => {
  const withContact = { ...defaultEvent, contact: '555-0100', whatToExpect: 'Coffee first.' }
  const known = { content: withContact, revision: 7 }
  const withoutRevision = { content: withContact, revision: undefined }
  const unknown = { content: defaultEvent, revision: undefined }
  const removed = { contact: ' ' }
  const all = toPayload(defaultEvent)
  const allWithRemoved = { ...toPayload(withContact), contact: '' }

  it.each([
    { what: 'only what was changed', known: atSeven, change: { time: '9 AM' }, body: { time: '9 AM' }, match: '"7"' },
    { what: 'all of it, where nothing was changed', known: atSeven, change: {}, match: '"7"' },
    { what: 'all of it, where nothing is stored', known: undefined, change: { time: '9 AM' }, noneMatch: '*' },
    { what: 'all of it, where no revision is known', known: withoutRevision, change: removed, body: allWithRemoved },
    { what: 'a removed optional text as an empty one', known, change: removed, body: { contact: '' }, match: '"7"' },
    { what: 'no optional text that was never given', known: unknown, change: { mapLink: '' }, body: all },
  ])('sends $what', async ({ known, change, body, match = null, noneMatch = null }) => {
    const before = known?.content ?? defaultEvent
    stored = known ? toPayload(before) : null
    const { $event, changeEvent, showEvent } = await loadStore()
    showEvent(known, before)
    const editing = changeEvent({ ...before, ...change })
    const sent = await replyToNext()
    await editing
    expect(sent.body).toEqual(body ?? { ...toPayload(before), ...change })
    expect([sent.headers.get('If-Match'), sent.headers.get('If-None-Match')]).toEqual([match, noneMatch])
    expect($event.get()).toMatchObject({ hydrated: true, unsent: false, known: { revision: 8 } })
  })

  it('stores the last of two quick edits last', async () => {
    const { $event, changeEvent, showEvent } = await loadStore()
    showEvent(atSeven)
    const edits = [changeEvent(at('9 AM'))]
    await vi.waitFor(() => expect(pending).toHaveLength(1))
    edits.push(changeEvent(at('11 AM')))
    expect(pending).toHaveLength(1)
    await replyToNext()
    await replyToNext()
    await Promise.all(edits)
    expect(stored).toMatchObject({ time: '11 AM' })
    expect($event.get()).toMatchObject({ content: { time: '11 AM' }, unsent: false })
    expect(pending).toEqual([])
  })

  it('keeps an edit made during a slow first read', async () => {
    const { $event, changeEvent, initializeEvent } = await loadStore()
    const starting = initializeEvent(atSeven, true)
    await vi.waitFor(() => expect(pending).toHaveLength(1))
    const [reading] = pending.splice(0)
    const editing = changeEvent(at('11 AM'))
    await replyToNext()
    await editing
    stored = toPayload(defaultEvent)
    reading?.reply()
    await starting
    expect($event.get()).toMatchObject({ content: { time: '11 AM' }, unsent: false })
  })

  it('keeps an edit that could not be sent, and sends it at the next start', async () => {
    const { $eventSync } = await failToSend()
    expect(console.error).toHaveBeenCalledWith('Failed to sync event details', expect.any(TypeError))
    expect($eventSync.get()).toBe('unsent')
    expect(JSON.parse(localStorage['event-store'])).toMatchObject({ unsent: true, content: { time: '11 AM' } })

    vi.resetModules()
    const { $event, initializeEvent } = await loadStore()
    const starting = initializeEvent({ content: defaultEvent, revision }, true)
    expect((await replyToNext()).method).toBe('POST')
    await starting
    expect(stored).toMatchObject({ time: '11 AM' })
    expect($event.get()).toMatchObject({ unsent: false, hydrated: true })
  })

  it('finds at the next start that its edit was stored, and only the reply was lost', async () => {
    await failToSend()
    changeElsewhere({ time: '11 AM' })
    vi.resetModules()
    const { $event, $eventSync, initializeEvent } = await loadStore()
    const starting = initializeEvent(null, true)
    expect((await replyToNext()).headers.get('If-Match')).toBe('"7"')
    expect((await replyToNext()).method).toBe('GET')
    await starting
    expect($eventSync.get()).toBe('idle')
    expect($event.get()).toMatchObject({ unsent: false, known: { revision: 8 } })
  })

  it('keeps the changes that another tab made while a draft was typed', async () => {
    const { $event, changeEvent, showEvent } = await loadStore()
    showEvent(atSeven)
    const begun = $event.get()
    changeElsewhere({ location: 'By the lake' })
    showEvent({ content: { ...defaultEvent, location: 'By the lake' }, revision: 8 })
    const editing = changeEvent(at('11 AM'), begun)
    expect((await replyToNext()).headers.get('If-Match')).toBe('"7"')
    await replyToNext()
    await editing
    expect(stored).toMatchObject({ location: 'By the lake', time: defaultEvent.time })
  })

  it('does not send a change without a session, and shows that', async () => {
    localStorage['event-store'] = JSON.stringify({ content: at('11 AM'), hydrated: true, unsent: true, known: atSeven })
    const { $event, $eventSync, initializeEvent } = await loadStore()
    const starting = initializeEvent(atSeven, false)
    expect((await replyToNext()).method).toBe('GET')
    await starting
    expect($eventSync.get()).toBe('signed out')
    expect($event.get()).toMatchObject({ content: at('11 AM'), unsent: true, known: atSeven })
  })

  it.each(['null', 'no JSON', '{"unsent":true}', '{"content":{"pageTitle":7},"unsent":true}'])(
    'ignores what another program stored under its key: %s',
    async (left) => {
      localStorage['event-store'] = left
      const { $event, initializeEvent } = await loadStore()
      const starting = initializeEvent(null, true)
      expect($event.get().content).toBeNull()
      expect((await replyToNext()).method).toBe('GET')
      await starting
      expect($event.get()).toEqual({ content: defaultEvent, hydrated: true, unsent: false, known: atSeven })
    },
  )

  it('loads once the site replies again, if nothing was rendered', async () => {
    vi.useFakeTimers()
    const { $event, initializeEvent } = await loadStore()
    const starting = initializeEvent(null, false)
    pending.shift()?.fail()
    await vi.advanceTimersByTimeAsync(10_000)
    pending.shift()?.reply()
    await starting
    await vi.advanceTimersByTimeAsync(600_000)
    expect([pending.length, $event.get().content]).toEqual([0, defaultEvent])
  })
})
