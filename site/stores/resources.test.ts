import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createResource } from './resources.ts'

/** A real server, at the addresses that a page would ask; each reply comes when the test says so. */
let server: Server
let asked: ServerResponse[]

beforeAll(async () => {
  server = createServer(({ url }, reply) => (url === '/last' ? reply.end() : asked.push(reply)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const realFetch = fetch
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => realFetch(`http://127.0.0.1:${port}${path}`, init))
})
afterAll(() => {
  vi.unstubAllGlobals()
  server.close()
})
beforeEach(() => {
  asked = []
  vi.useFakeTimers({ toFake: ['setTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const succeed = (reply: ServerResponse | undefined, json: unknown) => reply?.end(JSON.stringify(json))
const fail = (reply: ServerResponse | undefined) => reply?.writeHead(503).end('busy')
const untilAsked = (times: number) => until(() => asked.length === times)

/** Reads again while the first reading is under way. */
async function readTwice(path: `/api/rsvps?${string}`, tellFailure?: () => void) {
  const $query = createResource(path, tellFailure)
  const stop = $query.listen(() => {})
  await untilAsked(1)
  const second = $query.reload()
  await untilAsked(2)
  const [first, last] = asked
  return { $query, second, first, last, stop }
}

describe('a query that is read again', () => {
  it('shows what was asked for last, although an older reply comes later', async () => {
    const { $query, second, first, last, stop } = await readTwice('/api/rsvps?slow')
    succeed(last, [2])
    await second
    succeed(first, [1])
    await arrived(first)
    expect($query.get()).toEqual({ loading: false, data: [2] })
    stop()
  })

  it('never shows a failure in the place of what has arrived', async () => {
    const tellFailure = vi.fn()
    const { $query, second, first, last, stop } = await readTwice('/api/rsvps?late-failure', tellFailure)
    succeed(last, [2])
    await second
    fail(first)
    await arrived(first)
    expect($query.get()).toEqual({ loading: false, data: [2] })
    expect(tellFailure).not.toHaveBeenCalled()
    stop()
  })

  it('shows what the first reading brings where the second one fails', async () => {
    const { $query, second, first, last, stop } = await readTwice('/api/rsvps?second-failure')
    succeed(first, [1])
    await until(() => $query.get().data !== undefined)
    fail(last)
    await second
    expect($query.get()).toEqual({ loading: false, data: [1] })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(asked).toHaveLength(2)
    stop()
  })

  it('says nothing of a failure while another reading is under way', async () => {
    const { $query, second, first, last, stop } = await readTwice('/api/rsvps?first-failure')
    fail(first)
    await arrived(first)
    expect($query.get()).toEqual({ loading: true })
    fail(last)
    await second
    expect($query.get()).toMatchObject({ loading: false, error: { status: 503 } })
    stop()
  })

  it('is tried again by itself once, however often the button is pressed as well', async () => {
    const $query = createResource('/api/rsvps?down')
    const stop = $query.listen(() => {})
    await untilAsked(1)
    fail(asked[0])
    await until(() => $query.get().error !== undefined)
    for (const times of [2, 3, 4]) {
      const trying = $query.reload()
      await untilAsked(times)
      fail(asked[times - 1])
      await trying
    }
    await vi.advanceTimersByTimeAsync(60_000)
    await arrived(asked[3])
    expect(asked).toHaveLength(5)
    succeed(asked[4], [1])
    await until(() => $query.get().data !== undefined)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(asked).toHaveLength(5)
    stop()
  })
})

/** vi.waitFor would move the clock of the test. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve))
}

/** Every reply sent so far has arrived: a whole round trip later. */
async function arrived(reply: ServerResponse | undefined): Promise<void> {
  await until(() => reply?.writableFinished === true)
  await (await fetch('/last')).text()
}
