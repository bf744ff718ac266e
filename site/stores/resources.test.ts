import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
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

/** Reads again while the first reading is under way. */
function readTwice(tellFailure?: () => void) {
  const $query = createResource('/api/rsvps', tellFailure)
  $query.listen(() => {})
  $query.reload()
  expect(asked).toHaveLength(2)
  return $query
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

describe('a query that is read again', () => {
  it('shows what was asked for last, although an older reply comes later', async () => {
    const $query = readTwice()
    await reply(1, [2])
    await reply(0, [1])
    expect($query.get()).toEqual({ loading: false, data: [2] })
  })

  it('shows what the first reading brings where the second one fails', async () => {
    const $query = readTwice()
    await reply(0, [1])
    await reply(1)
    await vi.advanceTimersByTimeAsync(60_000)
    expect($query.get()).toEqual({ loading: false, data: [1] })
    expect(asked).toHaveLength(2)
  })

  it('says nothing of a failure while another reading is under way', async () => {
    const $query = readTwice()
    await reply(0)
    expect($query.get()).toEqual({ loading: true })
    await reply(1)
    expect($query.get()).toMatchObject({ loading: false, error: { status: 503 } })
  })

  it('is tried again by itself once, however often the button is pressed as well', async () => {
    const $query = createResource('/api/rsvps?down')
    $query.listen(() => {})
    await reply(0)
    for (const place of [1, 2, 3]) {
      $query.reload()
      await reply(place)
    }
    await vi.advanceTimersByTimeAsync(60_000)
    expect(asked).toHaveLength(5)
    await reply(4, [1])
    await vi.advanceTimersByTimeAsync(60_000)
    expect($query.get()).toEqual({ loading: false, data: [1] })
    expect(asked).toHaveLength(5)
  })
})
