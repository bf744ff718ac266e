import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { PhoneLink } from './StoredRsvpRow.tsx'

describe('PhoneLink', () => {
  it.each([
    ['555-0100', 'tel:5550100'],
    ['(217) 555-0100 ext. 12', 'tel:2175550100'],
    ['\u202a+49 30 1234567\u202c', 'tel:+49301234567'],
    ['0301234567 after 6 pm', 'tel:0301234567'],
    ['030 1234567 / 0170 1234567', 'tel:0301234567'],
    ['none', undefined],
    ['12', undefined],
    ['x123', undefined],
  ])('of %s leads to %s', (phone, link) => {
    const shown = renderToStaticMarkup(<PhoneLink phone={phone} />)
    expect(shown).toBe(link ? `<a href="${link}"><bdi dir="ltr">${phone}</bdi></a>` : `<bdi>${phone}</bdi>`)
  })
})
