import { beforeAll, describe, expect, it } from 'vitest'
import type { StoredRsvp } from '#db/values/rsvp.ts'
import { ask, type Site, storedRsvps } from '#site/scenarios/fixtures.ts'
import { guardedSite, signIn } from '#site/scenarios/guarded-fixtures.ts'
import { testRsvp } from '#testing/database-fixtures.ts'

type Row = [sent: string, suspicion: StoredRsvp['suspicion'], fields: Record<string, unknown>, formAge?: string]

/** By the form in the browser, or by a script; without JavaScript the form says when it was drawn. */
const rows: Row[] = [
  ['nothing of the kind', null, {}],
  ['the hidden field filled in', 'hidden-field', { website: 'https://spam.example' }],
  ['a little too fast', 'too-fast', {}, '1999'],
  ['without JavaScript, before it was drawn', 'too-fast', { drawn: -60_000 }],
]

async function send(site: Site, [, , { drawn, ...fields }, formAge]: Row): Promise<number> {
  if (drawn === undefined) {
    const headers: Record<string, string> = formAge === undefined ? {} : { 'form-age': formAge }
    return (await ask(site, 'POST /api/rsvp', { json: testRsvp(fields), headers })).status
  }
  const drawnAt = String(Date.now() - Number(drawn))
  const form = { name: 'Ana Cole', email: 'ana@cole.example', attending: 'true', drawnAt, ...fields }
  return (await ask(site, 'POST /api/rsvp', { form })).status
}

describe('an RSVP that may be spam', () => {
  const site = guardedSite()
  let cookie: string
  beforeAll(async () => {
    cookie = await signIn(site())
  })

  it('is never refused, and marked for the administrator alone', async () => {
    for (const row of rows) expect([row[0], await send(site(), row)]).toEqual([row[0], row[2].drawn ? 303 : 201])
    const stored = await storedRsvps(site(), { cookie })
    expect(stored.map(({ suspicion }) => suspicion).toReversed()).toEqual(rows.map(([, suspicion]) => suspicion))
    const marks = /suspic|hidden-field|too-fast|spam/i
    for (const path of ['/api/rsvps', '/', '/share', '/?before=5', '/api/rsvps?limit=2'])
      expect((await ask(site(), `GET ${path}`)).body).not.toMatch(marks)
    expect((await ask(site(), 'GET /admin', { headers: { cookie } })).body).toMatch(marks)
  })
})
