import { describe, expect, it } from 'vitest'
import { isShareView, mailLink, placeLink, whatsAppLink } from './links.ts'

describe('an invitation', () => {
  const title = 'Christmas at Grace'

  it('is a draft of a mail with the title and the link, with spaces as %20', () => {
    expect(mailLink('https://rsvp.example.org', title)).toBe(
      'mailto:?subject=Join%20us%20for%20Christmas%20at%20Grace!&body=https%3A%2F%2Frsvp.example.org%2Fshare',
    )
  })

  it('is a message in WhatsApp with the title and the link', () => {
    expect(whatsAppLink('http://localhost:4321', title)).toBe(
      'https://wa.me/?text=Join%20us%20for%20Christmas%20at%20Grace!%20http%3A%2F%2Flocalhost%3A4321%2Fshare',
    )
  })
})

describe('a share view', () => {
  it.each(['/share', '/share/', '/a/share', '/share/x'])('is %s', (path) => expect(isShareView(path)).toBe(true))
  it.each(['/', '/shared', '/reshare', '/admin', '/Share'])('is not %s', (path) =>
    expect(isShareView(path)).toBe(false),
  )
})

describe('placeLink', () => {
  const map = 'https://www.google.com/maps/search/?api=1&query='
  it.each([
    ['123 Main Street & Co, Springfield', `${map}123%20Main%20Street%20%26%20Co%2C%20Springfield`],
    ['https://example.org/live?room=1', 'https://example.org/live?room=1'],
    ...['Fellowship Hall', '', 'At the river'].map((place) => [place, undefined]),
  ])('of %j is %s', (place = '', link) => expect(placeLink(place)).toBe(link))

  it.each([
    'javascript:alert',
    'https://',
    'https://bank.example@evil.example/1',
    'https:///1',
    'see https://example.org/1',
  ])('never leads to %s as an address', (place) => {
    expect(placeLink(place) ?? 'https://www.google.com/maps/').toMatch(/^https:\/\/www\.google\.com\/maps\//)
  })
})
