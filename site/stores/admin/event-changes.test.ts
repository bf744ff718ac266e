// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { defaultEvent } from '#db/event/default-event.ts'
import { $event, type EventStore, showEvent } from '#site/stores/event.ts'
import { changeEvent, resolveTabs } from './event-changes.ts'

const known = { content: defaultEvent, revision: 7 }
const atEleven = { ...defaultEvent, time: '11 AM' }
const byTheLake = { ...defaultEvent, location: 'By the lake' }

/** Sends the reply to the change that is being sent. */
let reply: (status: number) => void

beforeEach(() => {
  $event.set({ content: null, hydrated: false, unsent: false })
  vi.stubGlobal('fetch', () => {
    const { promise, resolve } = Promise.withResolvers<Response>()
    reply = (status) => resolve(new Response('', { status, headers: { ETag: '"8"' } }))
    return promise
  })
  vi.spyOn(console, 'error').mockImplementation(() => {})
  reply = () => {
    throw new Error('Nothing is being sent.')
  }
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** Another tab has written it, and the storage event has not arrived yet. */
function writeElsewhere(store: EventStore): void {
  localStorage['event-store'] = JSON.stringify(store)
}

const inBrowser = (): EventStore => JSON.parse(localStorage['event-store'])

describe('what another tab has written just before', () => {
  it('is not lost when the reply to a change arrives', async () => {
    showEvent(known)
    const sending = changeEvent(atEleven)
    await vi.waitFor(() => reply(200))
    writeElsewhere({ content: byTheLake, hydrated: true, unsent: true, known, others: [atEleven] })
    await sending
    expect(inBrowser()).toEqual({ content: byTheLake, hydrated: true, unsent: true, known, others: [] })
    expect($event.get()).toEqual(inBrowser())
  })

  it('is kept beside a change that was not made of it', () => {
    showEvent(known)
    writeElsewhere({ content: byTheLake, hydrated: true, unsent: true, known })
    changeEvent(atEleven, { content: defaultEvent, hydrated: true, unsent: false, known })
    expect(inBrowser()).toMatchObject({ content: atEleven, unsent: true, others: [byTheLake] })
  })

  it('is not lost when a choice ends', () => {
    $event.set({ content: atEleven, hydrated: true, unsent: true, known, others: [defaultEvent] })
    writeElsewhere({ content: atEleven, hydrated: true, unsent: true, known, others: [defaultEvent, byTheLake] })
    resolveTabs(atEleven, defaultEvent)
    expect(inBrowser()).toMatchObject({ content: atEleven, unsent: true, others: [byTheLake] })
  })

  it.each(['no JSON', undefined])('is ignored where it cannot be read: %s', async (left) => {
    showEvent(known)
    const sending = changeEvent(atEleven)
    await vi.waitFor(() => reply(200))
    if (left === undefined) localStorage.clear()
    else localStorage['event-store'] = left
    await sending
    expect(inBrowser()).toMatchObject({ content: atEleven, unsent: false, known: { revision: 8 } })
  })
})
