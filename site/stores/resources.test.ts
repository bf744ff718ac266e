import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createResource } from './resources.ts'

/** What the page has asked for; each reply comes when the test says so. */
let asked: ((reply: Response) => void)[]

beforeEach(() => {
  asked = []
  vi.useFakeTimers()
  vi.stubGlobal('fetch', () => new Promise((resolve) => asked.push(resolve)))
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Sends the reply to one of them, and waits for what follows from it. */
async function reply(place: number, json?: unknown, status = 503): Promise<void> {
  asked[place]?.(json === undefined ? new Response('busy', { status }) : Response.json(json))
  await vi.advanceTimersByTimeAsync(0)
}

it('a resource loads once for all its listeners until it is reloaded, and a failure that is told is not tried again', async () => {
  const tellFailure = vi.fn()
  const $resource = createResource('/api/rsvps', tellFailure)
  $resource.listen(() => {})
  await reply(0)
  expect($resource.get()).toMatchObject({ loading: false, error: { message: '503: busy' } })
  expect(tellFailure).toHaveBeenCalledTimes(1)
  $resource.listen(() => {})
  await vi.advanceTimersByTimeAsync(60_000)
  expect(asked).toHaveLength(1)
  $resource.reload()
  await reply(1, [1])
  expect($resource.get()).toEqual({ loading: false, data: [1] })
})

it.each([
  ['throw', 401, { loading: false, error: { status: 401 } }],
  ['null', 401, { loading: false, data: null }],
  ['null', 500, { loading: false, error: { status: 500 } }],
] as const)('a 401 is a failure or means null: %s, %i', async (on401, status, result) => {
  const $resource = createResource('/api/rsvps', () => {}, on401)
  $resource.listen(() => {})
  await reply(0, undefined, status)
  expect($resource.get()).toMatchObject(result)
})

it('a failed read is tried again by itself, and once at a time, however often the button is pressed', async () => {
  const $query = createResource('/api/rsvps?down')
  $query.listen(() => {})
  $query.reload()
  await reply(0)
  $query.reload()
  $query.reload()
  await reply(1)
  expect($query.get()).toMatchObject({ loading: false, error: { status: 503 } })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(asked).toHaveLength(3)
  await reply(2, [1])
  await vi.advanceTimersByTimeAsync(60_000)
  expect($query.get()).toEqual({ loading: false, data: [1] })
  expect(asked).toHaveLength(3)
})
