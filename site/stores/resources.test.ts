import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createResource } from './resources.ts'

/** The requests of the page, as functions that send the replies. */
let requests: ((reply: Response) => void)[]

beforeEach(() => {
  requests = []
  vi.useFakeTimers()
  vi.stubGlobal('fetch', () => new Promise((resolve) => requests.push(resolve)))
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Sends the reply to a request, and waits until it is handled. */
async function reply(position: number, json?: unknown, status = 503): Promise<void> {
  requests[position]?.(json === undefined ? new Response('busy', { status }) : Response.json(json))
  await vi.advanceTimersByTimeAsync(0)
}

describe('a resource', () => {
  it('is loaded once for all listeners until it is reloaded, and a reported failure is not retried', async () => {
    const reportFailure = vi.fn()
    const $resource = createResource('/api/rsvps', reportFailure)
    $resource.listen(() => {})
    await reply(0)
    expect($resource.get()).toMatchObject({ loading: false, error: { message: '503: busy' } })
    expect(reportFailure).toHaveBeenCalledTimes(1)
    $resource.listen(() => {})
    await vi.advanceTimersByTimeAsync(60_000)
    expect(requests).toHaveLength(1)
    $resource.reload()
    await reply(1, [1])
    expect($resource.get()).toEqual({ loading: false, data: [1] })
  })

  it.each([
    ['throw', 401, { loading: false, error: { status: 401 } }],
    ['null', 401, { loading: false, data: null }],
    ['null', 500, { loading: false, error: { status: 500 } }],
  ] as const)('with %s for a 401 gets a %i', async (on401, status, result) => {
    const $resource = createResource('/api/rsvps', () => {}, on401)
    $resource.listen(() => {})
    await reply(0, undefined, status)
    expect($resource.get()).toMatchObject(result)
  })

  it('that could not be read is retried automatically, and by the button only once at a time', async () => {
    const $query = createResource('/api/rsvps?down')
    $query.listen(() => {})
    $query.reload()
    await reply(0)
    $query.reload()
    $query.reload()
    await reply(1)
    expect($query.get()).toMatchObject({ loading: false, error: { status: 503 } })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(requests).toHaveLength(3)
    await reply(2, [1])
    await vi.advanceTimersByTimeAsync(60_000)
    expect($query.get()).toEqual({ loading: false, data: [1] })
    expect(requests).toHaveLength(3)
  })
})
