import { describe, expect, it } from 'vitest'
import type { CallDescription } from '#site/call-description.ts'
import { calls } from '#site/calls.ts'
import { ask, expectProblem, expectUnharmed, storedRsvps } from '#site/scenarios/fixtures.ts'
import { administeredSite, asVisitor } from '#site/scenarios/guarded-fixtures.ts'
import { testRsvp } from '#testing/database-fixtures.ts'

const JSON_TYPE = 'application/json'
const written = Object.entries<CallDescription>(calls)
  .filter(([name, { input }]) => input !== undefined && !name.startsWith('GET '))
  .map(([name]) => name.replaceAll(/\[\w+\]/g, '1'))
const nested = (open: string, close: string) => `${open.repeat(3000)}null${close.repeat(3000)}`

describe('whatever a call is sent', () => {
  const site = administeredSite()

  // One reader of bodies is behind every call; what fits none of them is sent to all in access/roles.test.ts.
  it.each<[number, string, string | Buffer, string]>([
    [400, 'half an object', '{"name":', JSON_TYPE],
    [400, 'an object and more', '{}{}', JSON_TYPE],
    [400, 'a number that is none', '{"name":NaN}', JSON_TYPE],
    [400, 'a text', '"__proto__"', JSON_TYPE],
    [400, 'null', 'null', JSON_TYPE],
    [400, 'lists 3,000 deep', nested('[', ']'), JSON_TYPE],
    [400, 'objects 3,000 deep', nested('{"__proto__":', '}'), JSON_TYPE],
    [400, 'half characters', '{"name":"\\ud83d"}', JSON_TYPE],
    [400, 'what is no UTF-8', Buffer.from('{"name":"Zo\xeb"}', 'latin1'), JSON_TYPE],
    [413, '70 kB', JSON.stringify({ name: 'x'.repeat(70_000) }), JSON_TYPE],
    [415, 'plain text', '{}', 'text/plain'],
    [415, 'what begins like JSON', '{}', 'application/jsonp'],
    [400, 'no type at all', '{}', ''],
  ])('is a %i in a sentence for %s', async (status, _what, body, type) => {
    expectProblem(await ask(site(), 'POST /api/volunteer-roles', { body, headers: { 'content-type': type } }), status)
  })

  it('is no error of the server, whichever call it is', async () => {
    const odd = '"__proto__":{"role":"owner"},"name":{"length":1e999},"email":{"toString":1},"id":1e999,"limit":1.5'
    const sent = { body: `{${odd},"name":["b"]}`, headers: { 'content-type': JSON_TYPE } }
    // Without a mail server the test of it is a 503, whatever it is sent.
    for (const name of written.filter((name) => name !== 'POST /api/mail/test'))
      expect([name, (await ask(site(), name, sent)).status]).toEqual([name, expect.toSatisfy((status) => status < 500)])
    await expectUnharmed(site(), 0, site().headers)
  })

  it('sets nothing of an RSVP that only headers may set', async () => {
    const json = testRsvp({ idempotencyKey: 'sample 1', formAge: 1, flooded: true })
    expect((await ask(asVisitor(site()), 'POST /api/rsvp', { json })).status).toBe(201)
    expect(await storedRsvps(site())).toMatchObject([{ suspicion: null }])
  })
})
