import { describe, expect, it } from 'vitest'
import { refusal } from './guard.ts'

describe('refusal', () => {
  const own = { host: 'localhost:4321' }
  const rules = { onlyThisComputer: true, publicUrl: undefined }

  it.each<[string, string | undefined, string, Record<string, string>]>([
    ['a page', undefined, 'GET /share', {}],
    ['an address typed by hand', undefined, 'GET /admin', { 'sec-fetch-site': 'none' }],
    [
      'our own page',
      undefined,
      'DELETE /api/rsvps/1',
      { origin: 'http://localhost:4321', referer: 'http://localhost:4321/admin' },
    ],
    ['our own page under another port', 'forbidden', 'DELETE /api/rsvps/1', { origin: 'http://localhost:4322' }],
    ['a link from elsewhere', 'misdirected', 'GET /share', { referer: 'https://evil.example/' }],
    ['a proxy', 'misdirected', 'GET /share', { via: '1.1 proxy' }],
    ['a foreign Host with a proxy', 'misdirected', 'POST /api/rsvp', { host: 'evil.example', via: '1.1 proxy' }],
    ['a doubled slash', 'invalid', 'GET //admin', {}],
    ['a query with odd signs', undefined, 'GET /share?a=//..%2f', {}],
    ['a long address', 'address-too-long', `GET /${'a'.repeat(2048)}`, {}],
  ])('of %s is %s', (_, code, call, headers) => {
    const [method, url] = call.split(' ')
    const sent = { ...own, ...headers }
    const request = { method, url, headers: sent, rawHeaders: Object.entries(sent).flat(), httpVersion: '1.1' }
    expect(refusal(request, rules)?.code).toBe(code)
  })
})
