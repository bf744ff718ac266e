import { expect, it } from 'vitest'
import { testRsvp } from '#db/fixtures.ts'
import { ask, type Reply } from '#site/scenarios/fixtures.ts'
import { guardedSite } from '#site/scenarios/guarded-fixtures.ts'

const site = guardedSite()
const json = { 'content-type': 'application/json' }
const body = JSON.stringify(testRsvp())

it.each<[string, { headers?: Record<string, string>; body?: string | Buffer }]>([
  ['an RSVP', { headers: json, body }],
  ['one with a key', { headers: { ...json, 'idempotency-key': 'once', 'form-age': '30000' }, body }],
  [
    'the same with another body',
    { headers: { ...json, 'idempotency-key': 'once' }, body: body.replace('{', '{"phone":"1",') },
  ],
  ['a key that is none', { headers: { ...json, 'idempotency-key': 'two words' }, body }],
  ['an empty key', { headers: { ...json, 'idempotency-key': '' }, body }],
  ['an age that is none', { headers: { ...json, 'form-age': 'old' }, body }],
  ['a media type with parameters', { headers: { 'content-type': 'Application/JSON; charset=utf-8' }, body }],
  ['another media type', { headers: { 'content-type': 'text/plain' }, body }],
  ['no media type', { body }],
  ['nothing', {}],
  ['an empty body', { headers: json, body: '' }],
  ['a list', { headers: json, body: '[]' }],
  ['half of it', { headers: json, body: body.slice(0, 20) }],
  ['other bytes than UTF-8', { headers: json, body: Buffer.from('{"name":"Zoë"}', 'latin1') }],
  [
    'fields that do not fit',
    { headers: json, body: JSON.stringify({ ...testRsvp(), name: '', familyMembers: Array(40).fill({}) }) },
  ],
  ['a cookie of another site', { headers: { ...json, cookie: 'theme=dark' }, body }],
])('%s gets the same reply from the front server as from Astro', async (_, sent) => {
  const fromFront = await ask(site(), 'POST /api/rsvp', sent)
  // A query makes no difference to the call, but leaves the reply to Astro.
  const fromAstro = await ask(site(), 'POST /api/rsvp?from=mail', sent)
  expect(comparable(fromFront)).toEqual(comparable(fromAstro))
})

/** Without the moment, and without the id and the link that each RSVP has of its own. */
function comparable({ status, headers, body }: Reply) {
  const own = status === 201 ? { date: '', 'content-length': '' } : { date: '' }
  return {
    status,
    headers: { ...headers, ...own },
    body: body.replace(/"id":\d+/, '"id":0').replace(/key=[\w-]{22}"/, 'key="'),
  }
}
