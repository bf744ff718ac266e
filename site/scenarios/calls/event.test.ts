import { expect, it } from 'vitest'
import { testEvent } from '#db/fixtures.ts'
import { ask, expectProblem, testSite } from '#site/scenarios/fixtures.ts'

const site = testSite()
const tag = async () => String((await ask(site(), 'GET /api/event')).headers.etag)
const read = async (path: string) => JSON.parse((await ask(site(), `GET ${path}`)).body)
const change = (ifMatch: string, json: unknown) =>
  ask(site(), 'POST /api/event', { json, headers: { 'if-match': ifMatch } })

it('the revision comes with the event and with each change of it, and guards what others changed', async () => {
  const first = await ask(site(), 'POST /api/event', { json: testEvent(), headers: { 'if-none-match': '*' } })
  const seen = String(first.headers.etag)
  expect(seen).toMatch(/^"\d+"$/)
  for (const method of ['GET', 'HEAD']) expect((await ask(site(), `${method} /api/event`)).headers.etag).toBe(seen)
  const second = await change(seen, { time: '9 AM' })
  expect([second.status, JSON.parse(second.body)]).toEqual([200, testEvent({ time: '9 AM' })])
  expectProblem(await change(seen, { location: 'By the lake' }), 412)
  expect((await change(String(second.headers.etag), { location: 'By the lake' })).status).toBe(200)
  expect(await read('/api/event')).toEqual(testEvent({ time: '9 AM', location: 'By the lake' }))
})

it.each([
  ['as nginx hands it on', (seen: string) => `W/${seen}`, 200],
  ['as Caddy hands it on', (seen: string) => seen.replace(/"$/, '-gzip"'), 200],
  ['as any', () => '*', 200],
  ['as a wrong one', (seen: string) => seen.replace('"', '"1'), 412],
  ['as nothing', () => '', 412],
])('a revision is named %s', async (_, written, status) => {
  expect((await change(written(await tag()), { time: '8 AM' })).status).toBe(status)
})
