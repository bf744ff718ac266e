import { describe, expect, it } from 'vitest'
import { isShareView, mailLink, placeLink, whatsAppLink } from './links.ts'

it('mailLink opens a draft with subject and link, with spaces as %20', () => {
  expect(mailLink('https://rsvp.example.org', 'Sabbath Worship Service')).toBe(
    'mailto:?subject=Join%20us%20for%20Sabbath%20Worship%20Service!&body=https%3A%2F%2Frsvp.example.org%2Fshare',
  )
})

it('whatsAppLink opens a message with subject and link', () => {
  expect(whatsAppLink('http://localhost:4321', 'Sabbath Worship Service')).toBe(
    'https://wa.me/?text=Join%20us%20for%20Sabbath%20Worship%20Service!%20http%3A%2F%2Flocalhost%3A4321%2Fshare',
  )
})

it('shareSubject names a page with a title of its own', () => {
  const title = 'Christmas at Grace'
  expect(mailLink('https://rsvp.example.org', title)).toContain('?subject=Join%20us%20for%20Christmas%20at%20Grace!&')
  expect(whatsAppLink('https://rsvp.example.org', title)).toContain('=Join%20us%20for%20Christmas%20at%20Grace!%20')
})

describe('a share view', () => {
  it.each(['/share', '/share/', '/a/share', '/share/x'])('is %s', (path) => expect(isShareView(path)).toBe(true))
  it.each(['/', '/shared', '/reshare', '/admin', '/Share'])('is not %s', (path) =>
    expect(isShareView(path)).toBe(false),
  )
})

describe('placeLink', () => {
  it('leads to a map if the place has a number', () => {
    expect(placeLink('123 Main Street & Co, Springfield')).toBe(
      'https://www.google.com/maps/search/?api=1&query=123%20Main%20Street%20%26%20Co%2C%20Springfield',
    )
  })

  it('leads to the place itself if it is a web address', () => {
    expect(placeLink('https://example.org/live?room=1')).toBe('https://example.org/live?room=1')
  })

  it.each([
    'javascript:alert',
    'https://',
    'https://bank.example@evil.example/1',
    'https:///1',
    'see https://example.org/1',
  ])('never leads to %s as an address', (place) => {
    expect(placeLink(place) ?? 'https://www.google.com/maps/').toMatch(/^https:\/\/www\.google\.com\/maps\//)
  })

  it.each(['Fellowship Hall', '', 'At the river'])('makes no link of %o', (place) => {
    expect(placeLink(place)).toBeUndefined()
  })
})
