import { expect, it } from 'vitest'
import { testEvent } from '#db/fixtures.ts'
import { ask, describeSiteOnBothDatabases, expectProblem } from '#site/scenarios/fixtures.ts'

const SPANISH = '/api/event/translations/es'
const empty = {
  title: '',
  subtitle: '',
  eventTitle: '',
  description: '',
  date: '',
  time: '',
  location: '',
  contact: '',
  whatToExpect: '',
  roles: {},
}

describeSiteOnBothDatabases('the event in other languages', (site) => {
  const put = (json: unknown, headers = {}) => ask(site(), `PUT ${SPANISH}`, { json, headers })
  const languages = async () => JSON.parse((await ask(site(), 'GET /api/event/translations')).body)

  it('are those into which it is translated; the event itself is as it was', async () => {
    await ask(site(), 'POST /api/event', { json: testEvent() })
    expectProblem(await ask(site(), `GET ${SPANISH}`), 404)
    const stored = await put({ title: ' Culto ' }, { 'if-none-match': '*' })
    expect([stored.status, JSON.parse(stored.body)]).toEqual([200, { ...empty, title: 'Culto' }])
    const read = await ask(site(), `GET ${SPANISH}`)
    expect([read.body, read.headers.etag]).toEqual([stored.body, stored.headers.etag])
    expect(await languages()).toEqual({ language: 'en', translations: ['es'] })
    expect(JSON.parse((await ask(site(), 'GET /api/event')).body)).toEqual(testEvent())
  })

  it('are replaced only by who saw what is stored, where that is asked', async () => {
    const { headers } = await ask(site(), `GET ${SPANISH}`)
    const seen = { 'if-match': String(headers.etag) }
    expectProblem(await put({ title: 'Otro' }, { 'if-none-match': '*' }), 412)
    expect((await put({ date: 'Cada sábado' }, seen)).status).toBe(200)
    expectProblem(await put({ title: 'Otro' }, seen), 412)
    expect(JSON.parse((await ask(site(), `GET ${SPANISH}`)).body)).toEqual({ ...empty, date: 'Cada sábado' })
  })

  it('are removed', async () => {
    expect((await ask(site(), `DELETE ${SPANISH}`)).status).toBe(204)
    expectProblem(await ask(site(), `DELETE ${SPANISH}`), 404)
    expect(await languages()).toEqual({ language: 'en', translations: [] })
  })

  it('do not include the language of the event itself, which can be another one', async () => {
    const change = (language: unknown) => ask(site(), 'PATCH /api/event/translations', { json: { language } })
    expectProblem(await change('tlh'), 400)
    expect(JSON.parse((await change('es')).body)).toEqual({ language: 'es', translations: [] })
    expectProblem(await put({ title: 'Culto' }), 400)
    await ask(site(), 'PUT /api/event/translations/en', { json: { title: 'Service' } })
    expectProblem(await change('en'), 400)
  })

  it.each([
    ['no text', {}],
    ['a text that is none', { title: 7 }],
    ['a text that is too long', { title: 'x'.repeat(2001) }],
    ['a list', []],
  ])('refuse %s', async (_, json) => {
    expectProblem(await ask(site(), 'PUT /api/event/translations/de', { json }), 400)
  })

  it('refuse what is too large, what is no JSON, and a language that the site does not speak', async () => {
    const german = 'PUT /api/event/translations/de'
    expectProblem(await ask(site(), german, { json: { title: 'x'.repeat(70_000) } }), 413)
    expectProblem(await ask(site(), german, { body: 'title=x', headers: { 'content-type': 'text/plain' } }), 415)
    expectProblem(await ask(site(), 'PUT /api/event/translations/tlh', { json: { title: 'x' } }), 400)
    expectProblem(await ask(site(), 'GET /api/event/translations/tlh'), 400)
  })
})
