// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { defaultEvent } from '#db/event/content.ts'
import { toPayload } from '#db/event/payload.ts'

/** A network on which each answer comes when the test says so. */
type Pending = { method: string; body: unknown; answer: (json: unknown) => void; fail: () => void }
let pending: Pending[]
let stored: unknown

beforeEach(() => {
  vi.resetModules()
  localStorage.clear()
  pending = []
  stored = toPayload(defaultEvent)
  vi.stubGlobal('fetch', (_path: string, { method = 'GET', body }: RequestInit) => {
    const { promise, resolve, reject } = Promise.withResolvers<Response>()
    pending.push({
      method,
      body: typeof body === 'string' ? JSON.parse(body) : undefined,
      answer: (json) => resolve(new Response(JSON.stringify(json))),
      fail: () => reject(new TypeError('Failed to fetch')),
    })
    return promise
  })
})
afterEach(() => vi.unstubAllGlobals())

const at = (time: string) => ({ ...defaultEvent, time })

/** Answers what was asked, as a server that stores what is posted. */
async function answerNext(): Promise<string> {
  await vi.waitFor(() => expect(pending.length).toBeGreaterThan(0))
  const next = pending.shift()
  if (next?.method === 'POST') stored = next.body
  next?.answer(next.method === 'POST' ? next.body : stored)
  return next?.method ?? ''
}

describe('the event store', () => {
  it('stores the last of two quick edits last', async () => {
    const { $event, changeEvent } = await import('./event.ts')
    const edits = [changeEvent(at('9 AM'))]
    await vi.waitFor(() => expect(pending).toHaveLength(1))
    edits.push(changeEvent(at('11 AM')))
    expect(pending).toHaveLength(1)
    await answerNext()
    await answerNext()
    await Promise.all(edits)
    expect(stored).toMatchObject({ time: '11 AM' })
    expect($event.get()).toMatchObject({ content: { time: '11 AM' }, unsent: false })
    expect(pending).toEqual([])
  })

  it('does not let a slow first reading take an edit back', async () => {
    const { $event, changeEvent, initializeEvent } = await import('./event.ts')
    const starting = initializeEvent(defaultEvent, true)
    await vi.waitFor(() => expect(pending).toHaveLength(1))
    const [reading] = pending.splice(0)
    const editing = changeEvent(at('11 AM'))
    await answerNext()
    await editing
    reading?.answer(toPayload(defaultEvent))
    await starting
    expect($event.get()).toMatchObject({ content: { time: '11 AM' }, unsent: false })
  })

  it('keeps an edit that could not be sent, and sends it at the next start', async () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {})
    const first = await import('./event.ts')
    const editing = first.changeEvent(at('11 AM'))
    await vi.waitFor(() => expect(pending).toHaveLength(1))
    pending.shift()?.fail()
    await editing
    expect(error).toHaveBeenCalledWith('Failed to sync event details', expect.any(TypeError))
    error.mockRestore()
    expect(JSON.parse(localStorage['event-store'])).toMatchObject({ unsent: true, content: { time: '11 AM' } })

    vi.resetModules()
    const next = await import('./event.ts')
    const starting = next.initializeEvent(defaultEvent, true)
    expect(await answerNext()).toBe('POST')
    await starting
    expect(stored).toMatchObject({ time: '11 AM' })
    expect(next.$event.get()).toMatchObject({ unsent: false, hydrated: true })
  })

  it.each([
    '{"unsent":true}',
    'null',
    'no JSON',
    '{"state":{},"version":0}',
    '{"content":{"pageTitle":7},"unsent":true}',
  ])('takes what others left under its key for nothing: %s', async (left) => {
    localStorage['event-store'] = left
    const { $event, initializeEvent } = await import('./event.ts')
    const starting = initializeEvent(null, true)
    expect($event.get().content).toBeNull()
    expect(await answerNext()).toBe('GET')
    await starting
    expect($event.get()).toEqual({ content: defaultEvent, hydrated: true, unsent: false })
  })
})

describe('the feature switches', () => {
  it('keep both of two that are pressed one after the other, whichever is answered first', async () => {
    const { $features, changeFeature } = await import('./features.ts')
    const allOn = { calendarIntegration: true, familyRsvp: true, volunteerSignup: true }
    const changes = [changeFeature(allOn, 'familyRsvp', false)]
    const afterFirst = $features.get() ?? allOn
    changes.push(changeFeature(afterFirst, 'volunteerSignup', false))
    await vi.waitFor(() => expect(pending).toHaveLength(2))
    const [first, second] = pending
    second?.answer({ calendarIntegration: true, familyRsvp: false, volunteerSignup: false })
    first?.answer({ calendarIntegration: true, familyRsvp: false, volunteerSignup: true })
    await Promise.all(changes)
    expect($features.get()).toEqual({ calendarIntegration: true, familyRsvp: false, volunteerSignup: false })
  })
})
