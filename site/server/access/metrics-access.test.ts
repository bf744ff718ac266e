import { describe, expect, it } from 'vitest'
import { openMetricsAccess } from './metrics-access.ts'

const TOKEN = 'twenty-characters-at-least'

function asked(remoteAddress: string | undefined, headers: Record<string, string> = {}) {
  const host = 'localhost:4321'
  const sent = { host, ...headers }
  const rawHeaders = Object.entries(sent).flat()
  return { method: 'GET', url: '/metrics', httpVersion: '1.1', headers: sent, rawHeaders, socket: { remoteAddress } }
}

describe('who may read the metrics', () => {
  const access = openMetricsAccess(TOKEN, 'https://rsvp.example.org')
  const withoutToken = openMetricsAccess(undefined, undefined)

  it.each([
    ['127.0.0.1', 'allowed'],
    ['127.0.0.53', 'allowed'],
    ['::1', 'allowed'],
    ['::ffff:127.0.0.1', 'allowed'],
    ['10.0.0.1', 'hidden'],
    ['192.168.1.20', 'hidden'],
    ['::ffff:10.0.0.1', 'hidden'],
    ['fe80::1', 'hidden'],
    ['', 'hidden'],
    [undefined, 'hidden'],
  ])('from %s, asking for localhost, is %s', (address, expected) => {
    expect(access(asked(address))).toBe(expected)
    expect(withoutToken(asked(address))).toBe(expected)
  })

  it.each([
    [`Bearer ${TOKEN}`, 'allowed'],
    [`bearer  ${TOKEN} `, 'allowed'],
    [`Bearer ${TOKEN} x`, 'hidden'],
    [`Bearer ${TOKEN.slice(1)}`, 'wrong-token'],
    [`Basic ${TOKEN}`, 'hidden'],
    [TOKEN, 'hidden'],
    ['Bearer', 'hidden'],
  ])('from elsewhere with %j is %s', (authorization, expected) => {
    expect(access(asked('203.0.113.7', { authorization }))).toBe(expected)
    expect(withoutToken(asked('203.0.113.7', { authorization }))).toBe('hidden')
  })
})
