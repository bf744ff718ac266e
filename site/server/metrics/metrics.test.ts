import { describe, expect, it } from 'vitest'
import { openMetricsAccess } from './metrics.ts'

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
    [`Bearer ${TOKEN}`, true],
    [`bearer  ${TOKEN} `, true],
    [`Bearer ${TOKEN} x`, false],
    [`Bearer ${TOKEN.slice(1)}`, false],
    [`Basic ${TOKEN}`, false],
    [TOKEN, false],
    ['Bearer', false],
  ])('from elsewhere with %j is allowed: %s', (authorization, expected) => {
    expect(access(asked('203.0.113.7', { authorization }))).toBe(expected)
    expect(withoutToken(asked('203.0.113.7', { authorization }))).toBe(false)
  })
})
