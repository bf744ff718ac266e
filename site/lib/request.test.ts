import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createResource } from '#site/stores/resource.ts'
import { request } from './request.ts'

type Seen = { method: string | undefined; headers: IncomingMessage['headers']; body: string }

const seen: Seen[] = []
let server: Server

/** A real server, at the addresses that a page would ask. */
beforeAll(async () => {
  server = createServer(async (asked, answer) => {
    let body = ''
    for await (const chunk of asked) body += chunk
    seen.push({ method: asked.method, headers: asked.headers, body })
    const status = Number(asked.url?.slice(1, 4))
    answer.writeHead(status, { 'content-type': 'application/json' }).end(decodeURIComponent(asked.url?.slice(5) ?? ''))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const realFetch = fetch
  vi.stubGlobal(
    'fetch',
    vi.fn((path: string, init: RequestInit) => realFetch(`http://127.0.0.1:${port}${path}`, init)),
  )
})
afterAll(() => {
  vi.unstubAllGlobals()
  server.close()
})

describe('request', () => {
  it('sends cookies, and neither a body nor its type where there is none', async () => {
    await request('/200/ok')
    expect(fetch).toHaveBeenLastCalledWith('/200/ok', expect.objectContaining({ credentials: 'include' }))
    expect(seen.at(-1)).toMatchObject({ method: 'GET', body: '' })
    expect(seen.at(-1)?.headers['content-type']).toBeUndefined()
  })

  it('sends a body as JSON', async () => {
    await request('/200/ok', { method: 'POST', body: { name: 'Ana' } })
    expect(seen.at(-1)).toMatchObject({ method: 'POST', body: '{"name":"Ana"}' })
    expect(seen.at(-1)?.headers['content-type']).toBe('application/json')
  })

  it.each([
    ['/500/broken', '500: broken'],
    ['/404/', '404: Not Found'],
    ['/401/', '401: Unauthorized'],
  ])('raises the status with the body, or with the status text where it is empty: %s', async (path, message) => {
    await expect(request(path)).rejects.toMatchObject({ name: 'ResponseError', message, fields: [] })
  })

  it('brings the messages that belong beside a field', async () => {
    const errors = [{ path: 'name', message: 'Name is required' }]
    await expect(request(`/400/${JSON.stringify({ errors })}`)).rejects.toMatchObject({ status: 400, fields: errors })
  })
})

describe('a query', () => {
  async function answerOf($query: ReturnType<typeof createResource>) {
    const stop = $query.listen(() => {})
    await vi.waitFor(() => expect($query.get().loading).toBe(false))
    stop()
    return $query.get()
  }

  it('reads once, however often it is looked at, until it is told to read again', async () => {
    const $query = createResource('/200/[1,2]', 'Failed to load')
    const before = seen.length
    expect(await answerOf($query)).toEqual({ loading: false, data: [1, 2] })
    await answerOf($query)
    expect(seen.length).toBe(before + 1)
    await $query.reload()
    expect(seen.length).toBe(before + 2)
  })

  it('does not try again by itself after a failure', async () => {
    const $query = createResource('/503/busy', 'Failed to load')
    const before = seen.length
    expect(await answerOf($query)).toMatchObject({ error: { message: '503: busy' } })
    await answerOf($query)
    expect(seen.length).toBe(before + 1)
  })

  it('fails on a 401, unless that was asked to be null', async () => {
    expect(await answerOf(createResource('/401/no', 'Failed to load'))).toMatchObject({ error: { message: '401: no' } })
    expect(await answerOf(createResource('/401/no', 'Failed to load', 'null'))).toEqual({ loading: false, data: null })
    expect(await answerOf(createResource('/500/no', 'Failed to load', 'null'))).toMatchObject({
      error: { message: '500: no' },
    })
  })
})
