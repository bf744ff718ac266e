import { expect, it } from 'vitest'
import { testEvent } from '#db/fixtures.ts'
import { ask, describeSiteOnBothDatabases, expectProblem, type Site } from '#site/scenarios/fixtures.ts'

const change = (site: Site, ifMatch: string, json: unknown) =>
  ask(site, 'POST /api/event', { json, headers: { 'if-match': ifMatch } })

describeSiteOnBothDatabases('two people who edit the event', (site) => {
  const tag = async () => String((await ask(site(), 'GET /api/event')).headers.etag)
  const stored = async () => JSON.parse((await ask(site(), 'GET /api/event')).body)

  it('get no tag while nothing is stored, and can change nothing by one', async () => {
    for (const method of ['GET', 'HEAD']) {
      const reply = await ask(site(), `${method} /api/event`)
      expect([reply.status, reply.headers.etag]).toEqual([200, undefined])
    }
    for (const ifMatch of ['*', '"1"']) expectProblem(await change(site(), ifMatch, testEvent()), 412)
    expect(await stored()).toBeNull()
  })

  it('are told the revision with the event, and with each change of it', async () => {
    const first = await ask(site(), 'POST /api/event', { json: testEvent(), headers: { 'if-none-match': '*' } })
    expect(first.headers.etag).toMatch(/^"\d+"$/)
    for (const method of ['GET', 'HEAD'])
      expect((await ask(site(), `${method} /api/event`)).headers.etag).toBe(first.headers.etag)
    const second = await ask(site(), 'POST /api/event', { json: testEvent({ time: '9 AM' }) })
    expect(second.headers.etag).not.toBe(first.headers.etag)
    expect(await tag()).toBe(second.headers.etag)
  })

  it('change only what they send, and only what they saw', async () => {
    await ask(site(), 'POST /api/event', { json: testEvent() })
    const seen = await tag()
    const first = await change(site(), seen, { time: '9 AM' })
    expect([first.status, JSON.parse(first.body)]).toEqual([200, testEvent({ time: '9 AM' })])
    expectProblem(await change(site(), seen, { location: 'By the lake' }), 412)
    expect(await stored()).toEqual(testEvent({ time: '9 AM' }))
    expect((await change(site(), String(first.headers.etag), { location: 'By the lake' })).status).toBe(200)
    expect(await stored()).toEqual(testEvent({ time: '9 AM', location: 'By the lake' }))
  })

  it('overwrite each other without If-Match, as specified: the last one wins', async () => {
    await ask(site(), 'POST /api/event', { json: testEvent({ time: '9 AM' }) })
    await ask(site(), 'POST /api/event', { json: testEvent({ location: 'By the lake' }) })
    expect(await stored()).toEqual(testEvent({ location: 'By the lake' }))
    // As few texts as one likes is for those who say what they saw.
    expectProblem(await ask(site(), 'POST /api/event', { json: { time: '9 AM' } }), 400)
  })

  it('win once, however many they are: the others get 412', async () => {
    const seen = await tag()
    const texts = Array.from({ length: 50 }, (_, number) => `${number} o'clock`)
    const replies = await Promise.all(texts.map((time) => change(site(), seen, { time })))
    expect(replies.filter(({ status }) => status === 412)).toHaveLength(49)
    const [won] = replies.filter(({ status }) => status === 200)
    expect(await stored()).toEqual(JSON.parse(won?.body ?? ''))
    expect(await tag()).toBe(won?.headers.etag)
  })

  it.each([
    ['as it is', (tag: string) => tag, 200],
    ['as nginx hands it on', (tag: string) => `W/${tag}`, 200],
    ['as Caddy hands it on', (tag: string) => tag.replace(/"$/, '-gzip"'), 200],
    ['among others', (tag: string) => `"1", ${tag}`, 200],
    ['as any', () => '*', 200],
    ['as a wrong one', (tag: string) => tag.replace('"', '"1'), 412],
    ['as no tag at all', () => 'yes', 412],
    ['as nothing', () => '', 412],
    ['as a very long number', () => `"${'9'.repeat(400)}"`, 412],
  ])('name what they saw %s', async (_, written, status) => {
    expect((await change(site(), written(await tag()), { time: '8 AM' })).status).toBe(status)
  })

  it.each([[{}], [{ time: 7 }], [{ time: 'x'.repeat(2001) }], [null], [[]]])(
    'are refused %j, whatever they saw',
    async (json) => {
      expectProblem(await change(site(), await tag(), json), 400)
    },
  )
})
