// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { defaultEvent } from '#db/event/default-event.ts'
import { toPayload } from '#db/event/payload.ts'
import { postEvent } from './post-event.ts'

const before = { ...defaultEvent, contact: '555-0100', whatToExpect: 'Coffee first.' }
let sent: unknown

beforeEach(() => {
  vi.stubGlobal('fetch', async (_path: string, { body }: { body: string }) => {
    sent = JSON.parse(body)
    return new Response('{}', { headers: { ETag: '"8"' } })
  })
})
afterEach(() => vi.unstubAllGlobals())

describe('postEvent', () => {
  it.each([
    [7, { contact: '' }],
    [undefined, { ...toPayload(defaultEvent), contact: '', whatToExpect: 'Coffee first.' }],
  ])('sends an optional text that was removed as an empty one, of revision %s', async (revision, body) => {
    await postEvent({ ...before, contact: ' ' }, { content: before, revision })
    expect(sent).toEqual(body)
  })

  it.each([
    ['is stored', { content: defaultEvent, revision: undefined }],
    ['is not stored', undefined],
  ])('sends no optional text that was never given, where the event %s', async (_, known) => {
    await postEvent({ ...defaultEvent, mapLink: '' }, known)
    expect(sent).toEqual(toPayload(defaultEvent))
  })
})
