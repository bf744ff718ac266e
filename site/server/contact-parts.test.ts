import { describe, expect, it } from 'vitest'
import { contactParts } from './contact-parts.ts'

const linksIn = (text: string) => contactParts(text).flatMap(({ href }) => href ?? [])

describe('an address in a text', () => {
  it.each([
    ['ana@church.example', ['mailto:ana@church.example']],
    ['Ana, (030) 5550-1002 or <ana@church.example>.', ['tel:03055501002', 'mailto:ana@church.example']],
    ['Pfarrer.Müller@gmx.example', ['mailto:Pfarrer.Müller@gmx.example']],
    ["Call o'brien@church.example!", ["mailto:o'brien@church.example"]],
    ['иван2@почта.рф', ['mailto:иван2@почта.рф']],
    ['Mail:ana@b.example, ben@b.example;', ['mailto:ana@b.example', 'mailto:ben@b.example']],
    ['(https://de.example/Kirche?c=d@e.example).', ['https://de.example/Kirche?c=d@e.example']],
  ])('%s leads to %j, and the text stays', (text, links) => {
    const parts = contactParts(text).map((part) => part.text)
    expect([linksIn(text), parts.join('')]).toEqual([links, text])
  })

  it.each([
    ['with a mark that it does not know', 'o’brien@church.example an\u200bna@b.example "ana"@b.example'],
    ['with another one beside it', 'ana@b.example,ben@b.example ana@b.example/x 030/ana@b.example'],
    ['of one word', 'ana@church ana@localhost church.example www.church.example'],
    ['that shows another host', 'https://bank.example@evil.example https://bank:1@evil.example/x'],
    ['of another kind', 'javascript:alert(1) ftp://x.example //x.example'],
  ])('%s has no link', (_, text) => expect(linksIn(text)).toEqual([]))
})

describe('a number in a text', () => {
  it.each([
    ['+1 (217) 555-0100', ['tel:+12175550100']],
    ['+44 (0)20 7946 0018', ['tel:+442079460018']],
    ['Tel. 030/1234567.', ['tel:0301234567']],
    ['01.23.45.67.89', ['tel:0123456789']],
    ['(555) 123-4567 ext. 12', ['tel:5551234567']],
    ['هاتف ٠٣٠١٢٣٤٥٦٧', ['tel:0301234567']],
    ['030 1234567 / 0170 1234567, 10.00-12.30', ['tel:0301234567', 'tel:01701234567']],
  ])('%s dials %j', (text, links) => expect(linksIn(text)).toEqual(links))

  it.each([
    ['hours', '10.00-12.30, 09:30-11:00, 0800-1000'],
    ['days', '2026-12-05, 05.12.2026, 05.12.-12.12.2026, 05/12/2026, 2026-12-05 10:00, 05.12. 10.00-12.30'],
    ['songs, accounts, postal codes and parts of words', '012 034, DE89370400440532, 01067 Dresden, a0123456789'],
  ])('is none in %s', (_, text) => expect(linksIn(text)).toEqual([]))
})
