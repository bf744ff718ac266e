import { describe, expect, it } from 'vitest'
import { contactParts } from './contact-parts.ts'

const linksIn = (text: string) => contactParts(text).flatMap(({ href }) => href ?? [])

describe('an address in a text', () => {
  it.each([
    ['ana@church.example', ['mailto:ana@church.example']],
    ['Ana, (030) 555-0100 or <ana@church.example>.', ['tel:0305550100', 'mailto:ana@church.example']],
    ['Pfarrer.Müller@gmx.example', ['mailto:Pfarrer.Müller@gmx.example']],
    ['tom&anna@church.example', ['mailto:tom&anna@church.example']],
    ["Call o'brien@church.example!", ["mailto:o'brien@church.example"]],
    ['o’brien@church.example', []],
    ['anna@münchen.example', ['mailto:anna@münchen.example']],
    ['名前@例え.jp', ['mailto:名前@例え.jp']],
    ['иван2@почта.рф', ['mailto:иван2@почта.рф']],
    ['a+b@c.example。次', ['mailto:a+b@c.example']],
    ['（ana@b.example）、»ana@b.example«', ['mailto:ana@b.example', 'mailto:ana@b.example']],
    ['ana@b.example؟', ['mailto:ana@b.example']],
    ['ana@b.example।', ['mailto:ana@b.example']],
    ['Mail:ana@b.example, ben@b.example;', ['mailto:ana@b.example', 'mailto:ben@b.example']],
    ['\u200fana@b.example\u200f', ['mailto:ana@b.example']],
    ['E-Mail:ana@b.example', ['mailto:ana@b.example']],
    ['[Ana](mailto:ana@b.example)', ['mailto:ana@b.example']],
    ['ana%1@church.example', ['mailto:ana%251@church.example']],
    ['javascript:ana@x.example', ['mailto:ana@x.example']],
    ['https://x.example:8080/a_(b)?c=d@e.example.', ['https://x.example:8080/a_(b)?c=d@e.example']],
    ['https://de.example/Kirche_(Bau)', ['https://de.example/Kirche_(Bau)']],
    ['(https://例え.jp/パス)', ['https://例え.jp/パス']],
  ])('%s leads to %j, and the text stays', (text, links) => {
    expect(linksIn(text)).toEqual(links)
    expect(
      contactParts(text)
        .map((part) => part.text)
        .join(''),
    ).toBe(text)
  })

  it.each([
    ['quoted or with a comment', '"ana"@b.example (a)b@c.example'],
    ['with something invisible inside', 'an\u200bna@b.example ana@b\u200b.example'],
    [
      'with another one beside it',
      'ana@b.example,ben@b.example ana@b.example/x a@b.example@c.example 030/ana@b.example ana?bcc=all@b.example https://a.example,https://b.example',
    ],
    ['in a text without blanks', 'メールはana@b.example ana@b.exampleまで https://b.exampleで見る aл@b.example'],
    ['with dots of another script', 'ana@b.co。jp ana@x.paral·lel.example'],
    ['of one word', 'ana@church ana@localhost ana@b.1 ana@b.example- ana@-b.example church.example www.church.example'],
    ['that shows another host', 'https://bank.example@evil.example https://bank:1@evil.example/x'],
    ['that has no clear end', 'https://x.example"b mailto:ana@b.example?subject=x'],
    ['of another kind', 'javascript:alert(1) ftp://x.example //x.example'],
  ])('%s has no link', (_, text) => expect(linksIn(text)).toEqual([]))
})

describe('a number in a text', () => {
  it.each([
    ['+1 (217) 555-0100', 'tel:+12175550100'],
    ['+44 (0)20 7946 0018', 'tel:+442079460018'],
    ['0044 (0)20 7946 0018', 'tel:00442079460018'],
    ['(+49) (0)30 1234567', 'tel:+49301234567'],
    ['+39 (0)6 1234567', 'tel:+39061234567'],
    ['(0)20 7946 0018', 'tel:02079460018'],
    ['+1 217-555-0100/01', 'tel:+12175550100'],
    ['030 1234567/68', 'tel:0301234567'],
    ['030 1234567 (10-12 Uhr)', 'tel:0301234567'],
    ['0303 5550100 9-17', 'tel:03035550100'],
    ['+49 30 1234567 10.00 Uhr', 'tel:+49301234567'],
    ['1 (217) 555-0100', 'tel:12175550100'],
    ['0303 12 2034', 'tel:0303122034'],
    ['(030 1234567)', 'tel:0301234567'],
    ['Tel.030/1234567.', 'tel:0301234567'],
    ['01.23.45.67.89', 'tel:0123456789'],
    ['(555) 123-4567', 'tel:5551234567'],
    ['1-555-123-4567', 'tel:15551234567'],
    ['030 1234567 ext. 12', 'tel:0301234567;ext=12'],
    ['+1 217 555 0100 x12', 'tel:+12175550100;ext=12'],
    ['030 123456, Durchwahl -12', 'tel:030123456;ext=12'],
    ['هاتف ٠٣٠١٢٣٤٥٦٧', 'tel:0301234567'],
    ['+۴۹ ۳۰ ۱۲۳۴۵۶۷', 'tel:+49301234567'],
    ['०११ २३४५ ६७८९', 'tel:01123456789'],
    ['＋４９（０）３０１２３４５６７', 'tel:+49301234567'],
    ['電話は03−1234−5678です', 'tel:0312345678'],
  ])('%s dials %s', (text, link) => expect(linksIn(text)).toEqual([link]))

  it('is told from the next one', () => {
    expect(linksIn('030 1234567 / 0170 1234567, 10.00-12.30')).toEqual(['tel:0301234567', 'tel:01701234567'])
  })

  it.each([
    ['hours', '(0930-1100), 10.00-12.30, 09.30 – 11.00, 09:30-11:00, 0800-1000'],
    [
      'days',
      '2026-12-05, 05.12.2026, (05.12.2026), 05.12.-12.12.2026, 05/12/2026, 05 12 2026, 05.12. 10.00, 05/2026 - 06/2026',
    ],
    ['rooms, songs and passages', 'Raum 0201-0204, 012 034 056, Ps 119:105-112, 1 Kor 13,4-7'],
    [
      'accounts',
      'DE89 3704 0044 0532 0130 00, NL91 ABNA 0417 1643 00, Konto-Nr. 0532013000, Ref: 0123456, Routing number: 021000021, PIX 012.345.678-90, CCP 01-23456-7, (2024) 2025-2026',
    ],
    ['postal codes', '01067 Dresden, 060-0001, 01310-100, 62704'],
    ['decimals and parts of something longer', '0.1276474, 0,1276474, INV-0123456, x.example/0123456789, 0123456a'],
    ['too short or too long', '555-0100, 012345, 0123456789012345, +49 1'],
  ])('is none in %s', (_, text) => expect(linksIn(text)).toEqual([]))
})
