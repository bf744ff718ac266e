import { describe, expect, it } from 'vitest'
import type { CallDescription } from '#site/call-description.ts'
import { calls } from '#site/calls.ts'
import { ask, expectNothingRevealed, expectUnharmed } from '#site/scenarios/fixtures.ts'
import { administeredSite } from '#site/scenarios/guarded-fixtures.ts'

const JSON_TYPE = 'application/json'
const everyCall = Object.entries<CallDescription>(calls)
const written = everyCall.filter(([name, { input }]) => input !== undefined && !name.startsWith('GET '))
const nested = (open: string, close: string) => `${open.repeat(3000)}null${close.repeat(3000)}`

describe('whatever any call is sent', () => {
  const site = administeredSite()

  /** Each reply has a sentence and a 4xx. */
  async function expectRefused(names: string[], sent: Parameters<typeof ask>[2]): Promise<void> {
    for (const name of names) {
      const { status, body } = await ask(site(), name.replaceAll(/\[\w+\]/g, '1'), sent)
      expect({ name, isRefused: status >= 400 && status < 500, body }).toMatchObject({ name, isRefused: true })
      expect(JSON.parse(body)).toMatchObject({ status, detail: expect.stringMatching(/\.$/) })
      expectNothingRevealed(body)
    }
  }

  it.each<[string, string | Buffer, string]>([
    ['half an object', '{"name":', JSON_TYPE],
    ['an object and more', '{}{}', JSON_TYPE],
    ['a number that is none', '{"name":NaN}', JSON_TYPE],
    ['a list', '[]', JSON_TYPE],
    ['a text', '"__proto__"', JSON_TYPE],
    ['null', 'null', JSON_TYPE],
    ['lists 3,000 deep', nested('[', ']'), JSON_TYPE],
    ['what is no UTF-8', Buffer.from('{"name":"Zo\xeb"}', 'latin1'), JSON_TYPE],
    ['70 kB', JSON.stringify({ name: 'x'.repeat(70_000) }), JSON_TYPE],
    ['plain text', '{}', 'text/plain'],
    ['what begins like JSON', '{}', 'application/jsonp'],
    ['no type at all', '{}', ''],
  ])('is refused as %s', async (_what, body, type) => {
    const headers = { 'content-type': type }
    await expectRefused(
      written.map(([name]) => name),
      { body, headers },
    )
  })

  it.each([
    ['the prototype', '{"__proto__":{"role":"owner"},"constructor":{"prototype":1}}'],
    ['objects 3,000 deep', nested('{"__proto__":', '}')],
    ['objects that look like texts and lists', '{"name":{"length":1e999},"email":{"toString":1},"ids":{"length":-1}}'],
    ['huge numbers', '{"id":1e999,"needed":-1e999,"retentionDays":9007199254740993,"limit":1.5}'],
    ['half characters', '{"name":"\\ud83d","title":"\\udc00\\ud800","password":"\\u0000"}'],
    ['the same name twice', '{"name":"a","name":["b"],"email":"a@b.co","email":{}}'],
  ])('is no error of the server with %s', async (_what, body) => {
    const sent = { body, headers: { 'content-type': JSON_TYPE } }
    // Without a mail server the test of it is a 503, whatever it is sent.
    for (const [name] of written.filter(([name]) => name !== 'POST /api/mail/test')) {
      const { status } = await ask(site(), name.replaceAll(/\[\w+\]/g, '1'), sent)
      expect({ name, isError: status >= 500 }).toEqual({ name, isError: false })
    }
  })

  it('is refused with a method that no call has, and at an address that none has', async () => {
    const paths = new Set(everyCall.map(([name]) => name.split(' ')[1]))
    await expectRefused(
      Array.from(paths, (path) => `PROPFIND ${path}`),
      {},
    )
    await expectRefused(['GET /api/none', 'POST /api/rsvps/1/none', 'GET /api/%00', 'GET /api/__proto__'], {})
  })

  it('leaves the site as it was', () => expectUnharmed(site(), 0, site().headers))
})
