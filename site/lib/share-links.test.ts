import { expect, it } from 'vitest'
import { mailLink, whatsAppLink } from './share-links.ts'

it('links to a mail draft with subject and link, spaces as %20', () => {
  expect(mailLink('https://rsvp.example.org')).toBe(
    'mailto:?subject=Join%20us%20for%20Sabbath%20Worship%20Service!&body=https%3A%2F%2Frsvp.example.org%2Fshare',
  )
})

it('links to a message with subject and link', () => {
  expect(whatsAppLink('http://localhost:4321')).toBe(
    'https://wa.me/?text=Join%20us%20for%20Sabbath%20Worship%20Service!%20http%3A%2F%2Flocalhost%3A4321%2Fshare',
  )
})
