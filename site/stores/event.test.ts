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
  const [event, start, changes] = await Promise.all([
    import('./event.ts'),
    import('./event-start.ts'),
    import('./admin/event-changes.ts'),
  ])
  return { ...event, ...start, ...changes }
}

/** Sends the reply to the oldest request; returns that request. */
async function replyToNext(): Promise<Pending> {
  await vi.waitFor(() => expect(pending.length).toBeGreaterThan(0))
  const next = pending.shift()
  if (next === undefined) throw new Error('Nothing was asked.')
  next.reply()
  return next
}

async function failNext(): Promise<void> {
  await vi.waitFor(() => expect(pending).toHaveLength(1))
  pending.shift()?.fail()
}

describe('the event store', () => {
  const withContact = { ...defaultEvent, contact: '555-0100', whatToExpect: 'Coffee first.' }

  it.each([
    { what: 'only what was changed', known: atSeven, change: { time: '9 AM' }, body: { time: '9 AM' }, match: '"7"' },
    { what: 'all of it, where nothing was changed', known: atSeven, change: {}, match: '"7"' },
    { what: 'all of it, where nothing is stored', known: undefined, change: { time: '9 AM' }, noneMatch: '*' },
    {
      what: 'all of it, where no revision is told',
      known: { content: withContact, revision: undefined },
      change: { contact: ' ' },
      body: { ...toPayload(withContact), contact: '' },
    },
    {
      what: 'an optional text that was removed as an empty one',
      known: { content: withContact, revision: 7 },
      change: { contact: ' ' },
      body: { contact: '' },
      match: '"7"',
    },
    {
      what: 'no optional text that was never given',
      known: { content: defaultEvent, revision: undefined },
      change: { mapLink: '' },
      body: toPayload(defaultEvent),
    },
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
    const first = await loadStore()
    first.showEvent(atSeven)
    const editing = first.changeEvent(at('11 AM'))
    await failNext()
    await editing
    expect(console.error).toHaveBeenCalledWith('Failed to sync event details', expect.any(TypeError))
    expect(first.$eventSync.get()).toBe('unsent')
    expect(JSON.parse(localStorage['event-store'])).toMatchObject({ unsent: true, content: { time: '11 AM' } })

    vi.resetModules()
    const next = await loadStore()
    const starting = next.initializeEvent({ content: defaultEvent, revision }, true)
    expect((await replyToNext()).method).toBe('POST')
    await starting
    expect(stored).toMatchObject({ time: '11 AM' })
    expect(next.$event.get()).toMatchObject({ unsent: false, hydrated: true })
  })

  it.each([true, false])(
    'finds at the next start that someone else has changed the event, with the reply lost: %s',
    async (lost) => {
      const first = await loadStore()
      first.showEvent(atSeven)
      const editing = first.changeEvent(at('11 AM'))
      await failNext()
      await editing
      changeElsewhere(lost ? { time: '11 AM' } : { location: 'By the lake' })

      vi.resetModules()
      const next = await loadStore()
      const starting = next.initializeEvent(null, true)
      expect((await replyToNext()).headers.get('If-Match')).toBe('"7"')
      expect((await replyToNext()).method).toBe('GET')
      await starting
      if (lost) {
        expect(next.$eventSync.get()).toBe('idle')
        expect(next.$event.get()).toMatchObject({ unsent: false, known: { revision: 8 } })
        return
      }
      const theirs = { content: { ...defaultEvent, location: 'By the lake' }, revision: 8 }
      expect(stored).toMatchObject({ time: defaultEvent.time })
      expect(next.$event.get()).toMatchObject({ unsent: false, content: theirs.content })

      const { texts, begun } = next.beginDraft() ?? {}
      expect(texts).toEqual(at('11 AM'))
      const resolving = next.changeEvent({ ...theirs.content, time: texts?.time ?? '' }, begun)
      expect((await replyToNext()).body).toEqual({ time: '11 AM' })
      await resolving
      expect(stored).toMatchObject({ time: '11 AM', location: 'By the lake' })
      expect(next.$eventSync.get()).toBe('idle')
    },
  )

  it('keeps a refused change on the page', async () => {
    const first = await loadStore()
    first.showEvent(atSeven)
    changeElsewhere({ location: 'By the lake' })
    const editing = first.changeEvent(at('11 AM'))
    expect((await replyToNext()).headers.get('If-Match')).toBe('"7"')
    await replyToNext()
    await editing
    expect(first.$eventSync.get()).toBe('conflict')
    expect(first.$event.get()).toMatchObject({ unsent: true, content: at('11 AM') })
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
