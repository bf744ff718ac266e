import { describe, expect, it } from 'vitest'
import type { StoredRsvp } from '#db/values/rsvp.ts'
import { ask, type Sent, storedRsvps } from '#site/scenarios/fixtures.ts'
import { administeredSite, asVisitor } from '#site/scenarios/guarded-fixtures.ts'
import { testRsvp } from '#testing/database-fixtures.ts'

/** What is sent, by the form in the browser or by a script. */
const rows: [suspicion: StoredRsvp['suspicion'], sent: Sent][] = [
  [null, { json: testRsvp() }],
  ['hidden-field', { json: testRsvp({ website: 'https://spam.example' }) }],
  ['too-fast', { json: testRsvp(), headers: { 'form-age': '1999' } }],
]

describe('an RSVP that may be spam', () => {
  const site = administeredSite()

  it('is never refused, and marked for the administrator alone', async () => {
    for (const [, sent] of rows) expect((await ask(site(), 'POST /api/rsvp', sent)).status).toBe(201)
    // Without JavaScript the form says when it was drawn: here, in a minute.
    const drawn = { name: 'Ana Cole', email: 'ana@cole.example', attending: 'true', drawnAt: `${Date.now() + 60_000}` }
    expect((await ask(site(), 'POST /api/rsvp', { form: drawn })).status).toBe(303)
    const stored = await storedRsvps(site())
    const expected = [...rows.map(([suspicion]) => suspicion), 'too-fast']
    expect(stored.map(({ suspicion }) => suspicion).toReversed()).toEqual(expected)
    const marks = /suspic|hidden-field|too-fast|spam/i
    for (const path of ['/api/rsvps', '/', '/share', '/?before=5', '/api/rsvps?limit=2'])
      expect((await ask(asVisitor(site()), `GET ${path}`)).body).not.toMatch(marks)
    expect((await ask(site(), 'GET /admin')).body).toMatch(marks)
  })
})
