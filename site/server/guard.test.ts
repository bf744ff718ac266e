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

  it.each([
    ['192.168.1.20:4321', undefined],
    ['[fe80::1]:4321', undefined],
    ['church-server', undefined],
    ['rsvp.local', undefined],
    ['rsvp.home.arpa:80', undefined],
    ['rsvp.example.org', undefined],
    ['evil.example', 'misdirected'],
    ['192.168.1.20.evil.example', 'misdirected'],
    ['local', undefined],
    ['rsvp.example.org.evil.example', 'misdirected'],
  ])('of the Host %s on a trusted network is %s', (host, code) => {
    const request = { method: 'GET', url: '/share', headers: { host }, rawHeaders: ['Host', host], httpVersion: '1.1' }
    const trusted = { onlyThisComputer: false, publicUrl: 'https://rsvp.example.org' }
    expect(refusal(request, trusted)?.code).toBe(code)
  })
})
