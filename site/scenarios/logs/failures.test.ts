import { describe, expect, it } from 'vitest'
import { testEvent, testRsvp } from '#db/fixtures.ts'
import { ask, expectNothingRevealed, type Sent, type Site } from '#site/scenarios/fixtures.ts'
import { administeredSite, asVisitor, inSiteDatabase } from '#site/scenarios/guarded-fixtures.ts'

const fields = { name: 'Canary Name', email: 'canary@b.example', phone: 'Canary Phone', message: 'Canary Message' }
const response = () => testRsvp({ ...fields, familyMembers: [{ name: 'Canary Member' }], volunteerRoles: [1] })

/** Makes the database fail from now on, as by a bug. Outages are in ../faults. */
function loseTables(site: Site): void {
  inSiteDatabase(site, (database) => {
    for (const table of ['rsvps', 'events', 'volunteer_roles', 'settings', 'allowances'])
      database.exec(`ALTER TABLE ${table} RENAME TO lost_${table}`)
  })
}

describe('while the database has lost its tables', () => {
  const site = administeredSite({ LOG_LEVEL: 'trace' })

  it('neither the log nor a reply holds what a visitor sent', async () => {
    const visitor = asVisitor(site())
    expect((await ask(visitor, 'POST /api/rsvp', { json: response() })).status).toBe(201)
    expect((await ask(site(), 'POST /api/event', { json: testEvent({ title: 'Canary Title' }) })).status).toBe(200)
    loseTables(site())
    const attempts: [Site, string, Sent?][] = [
      [visitor, 'POST /api/rsvp', { json: response(), headers: { 'idempotency-key': 'canary-key' } }],
      [site(), 'POST /api/event', { json: testEvent({ title: 'Canary Title' }) }],
      [site(), 'POST /api/volunteer-roles', { json: { name: 'Canary Role' } }],
      [site(), 'DELETE /api/rsvps/1?name=canary'],
      [site(), 'GET /api/rsvps?email=canary@b.example'],
      [site(), 'GET /api/rsvps/download'],
      [visitor, 'POST /api/session', { json: { password: 'Canary Password' } }],
      [visitor, 'POST /api/session', { form: { password: 'Canary Password' } }],
      [visitor, 'GET /share', { headers: { cookie: 'rsvp-session=canary' } }],
    ]
    const asked = attempts.map((attempt) => ask(...attempt))
    // The form comes back with what was typed: to the one who typed it.
    const typed = await ask(visitor, 'POST /api/rsvp', { form: { ...fields, attending: 'true' } })
    expect(typed.status).toBeGreaterThanOrEqual(500)
    const refused = (await Promise.all(asked)).filter(({ status }) => status >= 400)
    expect(refused.filter(({ status }) => status >= 500).length).toBeGreaterThan(4)
    for (const { body, headers } of refused) {
      // A page may still show the event, which is for all to read.
      expect(body.replaceAll('Canary Title', '') + JSON.stringify(headers)).not.toMatch(/canary/i)
      expectNothingRevealed(body.startsWith('<') ? '' : body)
    }
    expect(site().output()).toContain('"status":50')
    expect(site().output()).not.toMatch(/canary/i)
  })
})
