import { describe, expect, it } from 'vitest'
import { placeLink } from './place-link.ts'

describe('placeLink', () => {
  it('leads to a map where the place has a number', () => {
    expect(placeLink('123 Main Street & Co, Springfield')).toBe(
      'https://www.google.com/maps/search/?api=1&query=123%20Main%20Street%20%26%20Co%2C%20Springfield',
    )
  })

  it('leads to an address on the web itself', () => {
    expect(placeLink('https://example.org/live?room=1')).toBe('https://example.org/live?room=1')
  })

  it.each(['javascript:alert', 'https://', 'https:///1', 'see https://example.org/1'])(
    'never leads to %s as an address',
    (place) => {
      expect(placeLink(place) ?? 'https://www.google.com/maps/').toMatch(/^https:\/\/www\.google\.com\/maps\//)
    },
  )

  it.each(['Fellowship Hall', '', 'At the river'])('makes no link of %o', (place) => {
    expect(placeLink(place)).toBeUndefined()
  })
})
