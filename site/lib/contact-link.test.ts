import { describe, expect, it } from 'vitest'
import { contactLink } from './contact-link.ts'

describe('contactLink', () => {
  it.each([
    ['ana@church.example', 'mailto:ana@church.example'],
    ['ana.maria+sabbath@mail.church.example', 'mailto:ana.maria%2Bsabbath@mail.church.example'],
    ['ana?bcc=all@church.example', 'mailto:ana%3Fbcc%3Dall@church.example'],
    ['555-0100', 'tel:5550100'],
    ['+1 (217) 555-0100', 'tel:+12175550100'],
    ['217.555.0100', 'tel:2175550100'],
    ['Ana Cole, 555-0100', undefined],
    ['The office, ana@church.example', undefined],
    ['ana@church', undefined],
    ['javascript:alert(1)', undefined],
    ['javascript:alert(1)@x.example', 'mailto:javascript%3Aalert(1)@x.example'],
    ['https://church.example', undefined],
    ['1234', undefined],
    ['(---)', undefined],
    ['', undefined],
  ])('of “%s” is %s', (contact, link) => {
    expect(contactLink(contact)).toBe(link)
  })
})
