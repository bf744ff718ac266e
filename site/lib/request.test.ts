import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { request } from './request.ts'

type Received = { method: string | undefined; headers: IncomingMessage['headers']; body: string }

const received: Received[] = []
let server: Server

/** A real server, which replies with the status and the body that the query names. */
beforeAll(async () => {
  server = createServer(async (incoming, reply) => {
    let body = ''
    for await (const chunk of incoming) body += chunk
    received.push({ method: incoming.method, headers: incoming.headers, body })
    const query = incoming.url?.split('?')[1] ?? ''
    const status = Number(query.slice(0, 3))
    reply.writeHead(status, { 'content-type': 'application/json' }).end(decodeURIComponent(query.slice(4)))
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
  it('sends cookies, and without a body no content type', async () => {
    await request('GET /api/rsvps?200/ok')
    expect(fetch).toHaveBeenLastCalledWith('/api/rsvps?200/ok', expect.objectContaining({ credentials: 'include' }))
    expect(received.at(-1)).toMatchObject({ method: 'GET', body: '' })
    expect(received.at(-1)?.headers['content-type']).toBeUndefined()
  })

  it('sends a body as JSON', async () => {
    await request('POST /api/volunteer-roles?200/ok', { body: { name: 'Ana' } })
    expect(received.at(-1)).toMatchObject({ method: 'POST', body: '{"name":"Ana"}' })
    expect(received.at(-1)?.headers['content-type']).toBe('application/json')
  })

  it.each([
    ['500/broken', '500: broken'],
    ['404/', '404: Not Found'],
    ['401/', '401: Unauthorized'],
  ])('throws the status with the body, or with the status text if the body is empty: %s', async (query, message) => {
    await expect(request(`GET /api/rsvps?${query}`)).rejects.toMatchObject({
      name: 'ResponseError',
      message,
      fields: [],
    })
  })

  it('throws an error with the messages of the fields', async () => {
    const errors = [{ path: 'name', message: 'Name is required' }]
    const refused = request(`GET /api/rsvps?400/${encodeURIComponent(JSON.stringify({ errors }))}`)
    await expect(refused).rejects.toMatchObject({ status: 400, fields: errors })
  })
})
