import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { testEvent, testRsvp } from '#db/fixtures.ts'
import { ask, expectNothingRevealed, type Site } from '#site/scenarios/fixtures.ts'
import { inSiteDatabase } from '#site/scenarios/guarded-fixtures.ts'
import { asVisitor, describeInBothModes } from '#site/scenarios/guarded-fixtures.ts'
import { withOverrides } from '../../../scripts/testing/overrides.mjs'

const lockScript = join(import.meta.dirname, '../../../scripts/testing/lock-database.mjs')
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const fields = { name: 'Canary Name', email: 'canary@b.example', phone: 'Canary Phone', message: 'Canary Message' }
const response = () => testRsvp({ ...fields, familyMembers: [{ name: 'Canary Member' }], volunteerRoles: [1] })

/** Makes the database fail from now on; returns a function that ends this, where that is possible. */
type Failure = (site: Site) => unknown

const failures: Record<string, Failure> = {
  'is locked by another process': async ({ folder }) => {
    const holder = spawn(process.execPath, [lockScript, join(folder, 'rsvp.db'), '60000', '60000'])
    await once(holder.stdout, 'data')
    return () => holder.kill('SIGKILL')
  },
  'has been removed': ({ folder }) => rmSync(join(folder, 'rsvp.db')),
  'is another file': ({ folder }) => writeFileSync(join(folder, 'rsvp.db'), 'Canary text '.repeat(2000)),
  'has lost its tables': (site) =>
    inSiteDatabase(site, (database) => {
      for (const table of ['rsvps', 'events', 'volunteer_roles', 'settings', 'sign_in_attempts', 'allowances'])
        database.exec(`ALTER TABLE ${table} RENAME TO lost_${table}`)
    }),
}

describe.each(Object.entries(failures))('while the database %s', (_, fail) => {
  describeInBothModes(
    'neither the log nor a reply',
    (site) => {
      it('holds what a visitor sent', async () => {
        expect((await ask(asVisitor(site()), 'POST /api/rsvp', { json: response() })).status).toBe(201)
        expect((await ask(site(), 'POST /api/event', { json: testEvent({ title: 'Canary Title' }) })).status).toBe(200)
        const restore = await fail(site())
        try {
          const attempts: [Site, string, Parameters<typeof ask>[2]?][] = [
            [asVisitor(site()), 'POST /api/rsvp', { json: response(), headers: { 'idempotency-key': 'canary-key' } }],
            [site(), 'POST /api/event', { json: testEvent({ title: 'Canary Title' }) }],
            [site(), 'POST /api/volunteer-roles', { json: { name: 'Canary Role' } }],
            [site(), 'PATCH /api/settings', { json: { publicNames: 'full' } }],
            [site(), 'DELETE /api/rsvps/1?name=canary'],
            [site(), 'GET /api/rsvps?email=canary@b.example'],
            [site(), 'GET /api/rsvps/download'],
            [asVisitor(site()), 'POST /api/session', { json: { password: 'Canary Password' } }],
            [asVisitor(site()), 'POST /api/session', { headers: form, body: 'password=Canary+Password' }],
            [asVisitor(site()), 'GET /share', { headers: { cookie: 'rsvp-session=canary' } }],
          ]
          // The form comes back with what was typed: to the one who typed it.
          const typed = { headers: form, body: String(new URLSearchParams({ ...fields, attending: 'true' })) }
          const asked = attempts.map((attempt) => ask(...attempt))
          expect((await ask(asVisitor(site()), 'POST /api/rsvp', typed)).status).toBeGreaterThanOrEqual(500)
          const replies = await Promise.all(asked)
          expect(replies.filter(({ status }) => status >= 500).length).toBeGreaterThan(4)
          for (const { status, body, headers } of replies) {
            if (status < 400) continue
            // A page may still show the event, which is for all to read.
            const shown = body.replaceAll('Canary Title', '')
            expect(shown + JSON.stringify(headers)).not.toMatch(/canary/i)
            expectNothingRevealed(body.startsWith('<') ? '' : body)
          }
        } finally {
          if (typeof restore === 'function') restore()
        }
        expect(site().output()).toContain('"status":50')
        expect(site().output()).not.toMatch(/canary/i)
      })
    },
    { LOG_LEVEL: 'trace', ...withOverrides({ REQUEST_DEADLINE_MS: 1500 }) },
  )
})
