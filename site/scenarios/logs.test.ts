import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import {
  ask,
  exchange,
  expectNothingRevealed,
  expectUnharmed,
  FORM,
  type Sent,
  type Site,
} from '#site/scenarios/fixtures.ts'
import { administeredSite, asVisitor, inSiteDatabase } from '#site/scenarios/guarded-fixtures.ts'
import { testEvent } from '#testing/database-fixtures.ts'

// No personal data belongs in a log: no name, address or message. Every text that is sent is a canary.
/** Looked for on the whole machine, so it is like nothing else there. */
const MARK = `Canary${process.pid}x${Date.now()}`
const NAMES = { name: `${MARK} Name`, email: `${MARK}@b.example`, phone: 'Canary Phone', message: `${MARK} Text` }
const RSVP = { ...NAMES, attending: true, familyMembers: [{ name: 'Canary Member' }], volunteerRoles: [1] }
const JSON_TYPE = { 'content-type': 'application/json' }
const FIELDS = ['name', 'familyMembers']

describe('the log at its most talkative', () => {
  const home = mkdtempSync(join(tmpdir(), 'rsvp-home-'))
  afterAll(() => rmSync(home, { recursive: true, force: true }))
  const site = administeredSite({ LOG_LEVEL: 'trace', HOME: home, TMPDIR: home })

  it.each<[number, string, Sent?]>([
    [
      201,
      'POST /api/rsvp',
      { json: RSVP, headers: { 'idempotency-key': 'Canary', 'user-agent': 'Canary', cookie: 'c=Canary' } },
    ],
    [400, 'POST /api/rsvp', { json: RSVP, headers: { 'idempotency-key': 'Canary x' } }],
    [303, 'POST /api/rsvp', { form: { ...NAMES, attending: 'true' } }],
    [400, 'POST /api/rsvp', { body: JSON.stringify(RSVP).slice(0, -5), headers: JSON_TYPE }],
    [415, 'POST /api/rsvp', { body: JSON.stringify(RSVP), headers: { 'content-type': 'text/plain' } }],
    [415, 'POST /api/rsvp', { json: RSVP, headers: { 'content-encoding': 'Canary' } }],
    [413, 'POST /api/rsvp', { json: { ...RSVP, filler: 'x'.repeat(70_000) } }],
    ...FIELDS.map((field): [number, string, Sent] => [
      400,
      'POST /api/rsvp',
      { json: { ...RSVP, [field]: [{ CanaryKey: 'Canary\0', name: 'Canary\0' }] } },
    ]),
    [403, 'POST /api/rsvp', { json: RSVP, headers: { origin: 'https://canary.example' } }],
    [400, 'POST /api/event', { json: testEvent({ title: 'Canary\0' }) }],
    [200, 'POST /api/event', { json: testEvent({ title: 'Canary' }) }],
    [201, 'POST /api/volunteer-roles', { json: { name: 'Canary' } }],
    [421, 'GET /share', { headers: { host: 'canary.example' } }],
    [200, 'GET /share', { headers: { 'x-forwarded-for': 'Canary' } }],
    [200, 'GET /share', { headers: { 'user-agent': 'Canary', cookie: 'rsvp-session=Canary' } }],
    [400, 'PATCH /api/settings', { json: { publicNames: 'Canary' } }],
    [401, 'POST /api/session', { json: { password: 'Canary Password' } }],
    [401, 'POST /api/session', { form: { password: 'Canary Password' } }],
    [400, 'POST /api/session', { body: '{"password":"Canary', headers: JSON_TYPE }],
    [415, 'POST /api/session?password=Canary'],
    [200, 'GET /api/rsvps?email=canary@b.example'],
    [404, 'GET /nope/Canary'],
    [301, 'GET /share/?Canary'],
    [400, 'DELETE /api/rsvps/Canary'],
    [303, 'GET /answer?key=Canary'],
    [400, 'GET //Canary'],
  ])('reveals nothing, nor does the reply: %i to %s with %.60j', async (status, call, sent) => {
    const reply = await ask(site(), call, sent)
    expect(reply.status).toBe(status)
    // Pages name their own address to themselves; the event and the role come back to the administrator who sent them.
    if (status >= 400) expect(reply.body + JSON.stringify(reply.headers)).not.toMatch(/canary/i)
    expect(site().output()).not.toMatch(/canary/i)
  })

  it.each([
    'GET /%zzCanary HTTP/1.1\r\nHost: HOST',
    'GET /Canary\0 HTTP/1.1\r\nHost: HOST',
    'CANARY / HTTP/1.1\r\nHost: HOST',
    'GET / HTTP/1.1\r\nHost: HOST\r\nX Canary: x',
    `GET / HTTP/1.1\r\nHost: HOST\r\nX-A: Canary${'a'.repeat(9000)}`,
  ])('reveals nothing of what is not a request, nor does the reply: %.25j', async (bytes) => {
    const request = bytes.replace('HOST', new URL(site().url).host)
    const { status, text } = await exchange(site(), `${request}\r\nConnection: close\r\n\r\n`)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(text + site().output()).not.toMatch(/canary/i)
  })

  it('reveals nothing of a form that comes back with everything still in it', async () => {
    const body = String(new URLSearchParams({ ...NAMES, email: 'Canary' }))
    const reply = await ask(site(), 'POST /api/rsvp', { body, headers: FORM })
    expect(reply.status).toBe(400)
    expect(reply.body.match(/Canary/g)?.length).toBeGreaterThan(2)
    expect(site().output()).not.toMatch(/canary/i)
  })

  it('says which page was read, also from memory', async () => {
    const served = () => site().output().split('"method":"GET","route":"/share","status":200').length
    const before = served()
    for (let asked = 0; asked < 3; asked += 1) await ask(asVisitor(site()), 'GET /share')
    // A line is written after its reply.
    await vi.waitFor(() => expect(served()).toBeGreaterThanOrEqual(before + 3))
  })

  it('did log what was called and how it went', async () => {
    await expectUnharmed(site(), 2)
    expect(site().output()).toMatch(/"method":"POST","route":"\/api\/rsvp","status":201/)
    expect(site().output()).toContain('"route":"404","status":404')
    expect(site().output()).not.toMatch(/canary/i)
  })

  it('and every file but the database are without what was sent, as is the list of processes', () => {
    expect(commandLines().length).toBeGreaterThan(2)
    const texts = [...textsIn(site().folder), ...textsIn(home), ...commandLines()]
    expect(texts.filter((text) => text.includes(MARK))).toEqual([])
  })
})

/** What is in the files of a folder, with their paths, apart from the database. */
function textsIn(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  return paths.filter((path) => !path.endsWith('.db')).map((path) => path + readFileSync(path, 'latin1'))
}

function commandLines(): string[] {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return processes.flatMap((id) => {
    try {
      return [readFileSync(join('/proc', id, 'cmdline'), 'latin1')]
    } catch {
      // It has ended meanwhile.
      return []
    }
  })
}

describe('the log of a site whose database has lost its tables, as by a bug', () => {
  const site = administeredSite({ LOG_LEVEL: 'trace', TZ: 'UTC' })

  it('reveals nothing, nor do the replies', async () => {
    const visitor = asVisitor(site())
    inSiteDatabase(site(), (database) => {
      for (const table of ['rsvps', 'events', 'volunteer_roles', 'settings', 'allowances'])
        database.exec(`ALTER TABLE ${table} RENAME TO lost_${table}`)
    })
    const attempts: [Site, string, Sent?][] = [
      [visitor, 'POST /api/rsvp', { json: RSVP, headers: { 'idempotency-key': 'canary-key' } }],
      [site(), 'POST /api/event', { json: testEvent({ title: 'Canary Title' }) }],
      [site(), 'POST /api/volunteer-roles', { json: { name: 'Canary Role' } }],
      [site(), 'DELETE /api/rsvps/1?name=canary'],
      [site(), 'GET /api/rsvps?email=canary@b.example'],
      [site(), 'GET /api/rsvps/download'],
      [visitor, 'POST /api/session', { json: { password: 'Canary Password' } }],
    ]
    for (const { status, body, headers } of await Promise.all(attempts.map((attempt) => ask(...attempt)))) {
      expect(status).toBeGreaterThanOrEqual(400)
      expect(body + JSON.stringify(headers)).not.toMatch(/canary/i)
      expectNothingRevealed(body)
    }
    // The form comes back with what was typed: to the one who typed it.
    const typed = await ask(visitor, 'POST /api/rsvp', { form: { ...NAMES, attending: 'true' } })
    expect(typed.status).toBeGreaterThanOrEqual(500)
    expect(site().output()).toContain('"status":50')
    expect(site().output()).not.toMatch(/canary/i)
  })
})
