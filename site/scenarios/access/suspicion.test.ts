import { beforeAll, describe, expect, it } from 'vitest'
import { testRsvp } from '#db/fixtures.ts'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { ask, type Site, storedRsvps, testSite } from '#site/scenarios/fixtures.ts'
import { guardedSite, signIn } from '#site/scenarios/guarded-fixtures.ts'

type Row = [
  sent: string,
  suspicion: StoredRsvp['suspicion'],
  fields: Record<string, unknown>,
  headers?: Record<string, string>,
]

const byScript: Row[] = [
  ['nothing of the kind', null, {}],
  ['the hidden field empty', null, { website: '' }],
  ['the hidden field filled in', 'hidden-field', { website: 'https://spam.example' }],
  ['the hidden field with a blank', 'hidden-field', { website: ' ' }],
  ['the hidden field with more than fits anywhere', 'hidden-field', { website: 'x'.repeat(10_000) }],
  ['the hidden field of a wrong type', null, { website: { a: 1 } }],
  ['at once', 'too-fast', {}, { 'form-age': '0' }],
  ['a little too fast', 'too-fast', {}, { 'form-age': '1999' }],
  ['after two seconds', null, {}, { 'form-age': '2000' }],
  ['after a day', null, {}, { 'form-age': '86400000' }],
  ['with no number', null, {}, { 'form-age': 'soon' }],
  ['with a number below zero', null, {}, { 'form-age': '-1' }],
  ['both', 'hidden-field', { website: 'x' }, { 'form-age': '1' }],
]

/** As the form is posted without JavaScript, drawn so many ms ago. */
const byForm: Row[] = [
  ['after a minute', null, { drawnAt: 60_000 }],
  ['at once', 'too-fast', { drawnAt: 0 }],
  ['within two seconds', 'too-fast', { drawnAt: 1000 }],
  ['before it was drawn', 'too-fast', { drawnAt: -60_000 }],
  ['without saying when', null, {}],
  ['with the hidden field filled in', 'hidden-field', { drawnAt: 60_000, website: 'https://spam.example' }],
]

async function post(site: Site, [, , fields, headers = {}]: Row): Promise<number> {
  return (await ask(site, 'POST /api/rsvp', { json: testRsvp(fields), headers })).status
}

async function postForm(site: Site, [sent, , { drawnAt, ...fields }]: Row): Promise<number> {
  const body = new URLSearchParams({ name: sent, email: 'ana@cole.example', attending: 'true', ...fields })
  if (drawnAt !== undefined) body.set('drawnAt', String(Date.now() - Number(drawnAt)))
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return (await ask(site, 'POST /api/rsvp', { body: body.toString(), headers })).status
}

describe('an RSVP that may be spam', () => {
  const site = guardedSite()
  let cookie: string
  beforeAll(async () => {
    cookie = await signIn(site())
  })

  it.each(byScript)('is never refused and marked for the administrator: sent %s, %s', async (...row) => {
    expect(await post(site(), row)).toBe(201)
    expect((await storedRsvps(site(), { cookie }))[0]).toMatchObject({ name: 'Ana Cole', suspicion: row[1] })
  })

  it.each(byForm)('is so without JavaScript too: sent %s, %s', async (...row) => {
    expect(await postForm(site(), row)).toBe(303)
    expect((await storedRsvps(site(), { cookie }))[0]).toMatchObject({ name: row[0], suspicion: row[1] })
  })

  it('is marked for the administrator alone', async () => {
    const marks = /suspic|hidden-field|too-fast|spam/i
    for (const path of ['/api/rsvps', '/', '/share', '/?before=5', '/api/rsvps?limit=2'])
      expect((await ask(site(), `GET ${path}`)).body).not.toMatch(marks)
    expect(await storedRsvps(site())).toHaveLength(byScript.length + byForm.length)
    expect((await ask(site(), 'GET /admin', { headers: { cookie } })).body).toMatch(marks)
  })

  it('has a form that says when it was drawn, and a field that people do not see', async () => {
    for (const path of ['/', '/share']) {
      const { body } = await ask(site(), `GET ${path}`)
      const drawnAt = /name="drawnAt" value="(\d{13})"/.exec(body)?.[1]
      expect(Math.abs(Date.now() - Number(drawnAt))).toBeLessThan(30_000)
      expect(body).toMatch(/<input[^>]*name="website"/)
    }
  })
})

describe('an RSVP in open mode', () => {
  const site = testSite()

  it('is suspected of nothing', async () => {
    for (const row of byScript) expect(await post(site(), row)).toBe(201)
    for (const row of byForm) expect(await postForm(site(), row)).toBe(303)
    const stored = await storedRsvps(site())
    expect(stored).toHaveLength(byScript.length + byForm.length)
    expect(stored.filter(({ suspicion }) => suspicion !== null)).toEqual([])
  })
})
