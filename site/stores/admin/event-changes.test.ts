// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { defaultEvent } from '#db/event/default-event.ts'
import { toPayload } from '#db/event/payload.ts'
import { $event, $eventSync, type EventStore, showEvent } from '#site/stores/event.ts'
import { changeEvent } from './event-changes.ts'

const known = { content: defaultEvent, revision: 7 }
const atEleven = { ...defaultEvent, time: '11 AM' }
const byTheLake = { ...defaultEvent, location: 'By the lake' }

/** What is sent, and what sends the reply to it. */
let sent: unknown
let reply: (status: number, json?: unknown) => void

beforeEach(() => {
  $event.set({ content: null, hydrated: false, unsent: false })
  vi.stubGlobal(
    'fetch',
    vi.fn((_path: string, { body }: RequestInit) => {
      const { promise, resolve } = Promise.withResolvers<Response>()
      sent = body && JSON.parse(String(body))
      reply = (status, json = null) => resolve(new Response(JSON.stringify(json), { status, headers: { ETag: '"8"' } }))
      return promise
    }),
  )
  vi.spyOn(console, 'error').mockImplementation(() => {})
  reply = () => {
    throw new Error('Nothing is being sent.')
  }
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** Another tab writes its own over what this one has. */
function writeElsewhere(store: EventStore): void {
  localStorage['event-store'] = JSON.stringify(store)
  dispatchEvent(new StorageEvent('storage', { key: 'event-store', newValue: localStorage['event-store'] }))
}

const inBrowser = (): EventStore => JSON.parse(localStorage['event-store'])

describe('what another tab writes while a change is being sent', () => {
  const theirs = { content: byTheLake, hydrated: true, unsent: true, known }

  it('stays, to be sent for the revision that it was made of', async () => {
    showEvent(known)
    const sending = changeEvent(atEleven)
    await vi.waitFor(() => reply(200))
    writeElsewhere(theirs)
    await sending
    expect(inBrowser()).toEqual(theirs)
    expect($event.get()).toEqual(theirs)
  })

  it('does not take the place of a change that was refused', async () => {
    showEvent(known)
    const sending = changeEvent(atEleven)
    await vi.waitFor(() => expect(fetch).toHaveBeenCalledTimes(1))
    writeElsewhere({ ...theirs, unsent: false, known: { content: byTheLake, revision: 8 } })
    reply(412)
    await vi.waitFor(() => expect(fetch).toHaveBeenCalledTimes(2))
    reply(200, toPayload(byTheLake))
    await sending
    expect(inBrowser()).toEqual({ content: atEleven, hydrated: true, unsent: true, known })
    expect($eventSync.get()).toEqual({ state: 'conflict', theirs: { content: byTheLake, revision: 8 } })
  })
})

describe('a change', () => {
  const before = { ...defaultEvent, contact: '555-0100', whatToExpect: 'Coffee first.' }

  async function sentFor(content: typeof before | typeof defaultEvent, stored: EventStore['known']): Promise<unknown> {
    $event.set({ content: stored?.content ?? null, hydrated: true, unsent: false, known: stored })
    const changing = changeEvent(content)
    await vi.waitFor(() => reply(200))
    await changing
    return sent
  }

  it.each([
    [7, { contact: '' }],
    [undefined, { ...toPayload(defaultEvent), contact: '', whatToExpect: 'Coffee first.' }],
  ])('sends an optional text that was removed as an empty one, of revision %s', async (revision, body) => {
    expect(await sentFor({ ...before, contact: ' ' }, { content: before, revision })).toEqual(body)
  })

  it.each([
    ['is stored', { content: defaultEvent, revision: undefined }],
    ['is not stored', undefined],
  ])('sends no optional text that was never given, where the event %s', async (_, stored) => {
    expect(await sentFor({ ...defaultEvent, mapLink: '' } as typeof defaultEvent, stored)).toEqual(
      toPayload(defaultEvent),
    )
  })
})
