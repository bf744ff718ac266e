import { describe, expect, it } from 'vitest'
import { visitorsRsvp } from './visitors-rsvp.ts'

const sent = { method: 'POST', url: '/api/rsvp', headers: { 'content-type': 'application/json' } }
const form = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' }

/** Of a site that is known to be guarded, or may be open. */
const isAsked = (request: typeof sent & { headers: { cookie?: string } }, guarded = true) =>
  visitorsRsvp.isAskedBy(request, {
    isKnownGuarded: () => guarded,
    isOpen: async () => !guarded,
    isStillOpen: async () => !guarded,
  })

describe('the front server', () => {
  it('replies to an RSVP of a visitor itself', () => {
    expect(isAsked(sent)).toBe(true)
    expect(isAsked({ ...sent, headers: { ...sent.headers, cookie: 'rsvp-device=x; theme=dark' } })).toBe(true)
  })

  it.each([
    ['a form', { ...sent, headers: form }],
    ['another method', { ...sent, method: 'OPTIONS' }],
    ['a query', { ...sent, url: '/api/rsvp?a=b' }],
    ['another address', { ...sent, url: '/api/rsvps' }],
    ['the same address with a slash', { ...sent, url: '/api/rsvp/' }],
    ['a session', { ...sent, headers: { ...sent.headers, cookie: 'theme=dark; rsvp-session=x' } }],
    ['a session over https', { ...sent, headers: { ...sent.headers, cookie: '__Host-rsvp-session=x' } }],
  ])('leaves %s to Astro', (_, request) => {
    expect(isAsked(request)).toBe(false)
  })

  it('leaves all to Astro while the site may be open: then a visitor is an administrator', () => {
    expect(isAsked(sent, false)).toBe(false)
  })
})
