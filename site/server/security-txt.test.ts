import { describe, expect, it } from 'vitest'
import { writeSecurityTxt } from './security-txt.ts'

const securityContacts = ['mailto:webmaster@example.org', 'tel:+1-555-0142']
const site = { securityContacts, publicUrl: undefined, languages: ['es', 'en'], now: new Date('2026-11-24T08:00:00Z') }

describe('writeSecurityTxt', () => {
  it('names contacts in their order, languages, and a day some months ahead', () => {
    expect(writeSecurityTxt(site).split('\n')).toEqual([
      'Contact: mailto:webmaster@example.org',
      'Contact: tel:+1-555-0142',
      'Expires: 2027-05-01T00:00:00Z',
      'Preferred-Languages: es, en',
      '',
    ])
  })

  it.each([
    ['https://rsvp.example.org', ['Canonical: https://rsvp.example.org/.well-known/security.txt']],
    ['http://rsvp.example.org', []],
  ])('says that it stands at %s if that is secure', (publicUrl, expected) => {
    const lines = writeSecurityTxt({ ...site, publicUrl }).split('\n')
    expect(lines.filter((line) => line.startsWith('Canonical'))).toEqual(expected)
  })

  it.each(['2026-01-01T00:00:00Z', '2026-07-31T23:59:59.999Z', '2028-02-29T12:00:00Z', '2026-12-31T23:59:59.999Z'])(
    'never expires within five months of %s, nor after more than six',
    (moment) => {
      const [, expires = ''] = /^Expires: (.+)$/m.exec(writeSecurityTxt({ ...site, now: new Date(moment) })) ?? []
      const days = (Date.parse(expires) - Date.parse(moment)) / 86_400_000
      expect(days).toBeGreaterThan(149)
      expect(days).toBeLessThanOrEqual(184)
    },
  )
})
