import { describe, expect, it } from 'vitest'
import { contactParts } from './contact-link.ts'

describe('contactParts', () => {
  it.each([
    ['ana@church.example', ['mailto:ana@church.example']],
    ['ana.maria+sabbath@mail.church.example', ['mailto:ana.maria+sabbath@mail.church.example']],
    ['ana?bcc=all@church.example', ['mailto:all@church.example']],
    ['555-0100', ['tel:5550100']],
    ['+1 (217) 555-0100', ['tel:+12175550100']],
    ['217.555.0100', ['tel:2175550100']],
    ['123456', ['tel:123456']],
    ['Ana Cole, 555-0100', ['tel:5550100']],
    ['The office, ana@church.example.', ['mailto:ana@church.example']],
    ['Ana (217) 555-0100 or <ana@church.example>', ['tel:2175550100', 'mailto:ana@church.example']],
    ['ana@church.example, bo@church.example', ['mailto:ana@church.example', 'mailto:bo@church.example']],
    ['The office, Springfield 62704, from 9-12', []],
    ['ana@church', []],
    ['javascript:alert(1)', []],
    ['javascript:ana@x.example', ['mailto:ana@x.example']],
    ['https://church.example', []],
    ['12345', []],
    ['(---)', []],
    ['', []],
  ])('of “%s” lead to %j and keep the text', (contact, links) => {
    const parts = contactParts(contact)
    expect(parts.flatMap(({ href }) => href ?? [])).toEqual(links)
    expect(parts.map(({ text }) => text).join('')).toBe(contact)
  })
})
