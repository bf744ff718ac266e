import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { testEvent, testRsvp } from '#db/fixtures.ts'
import { ask } from '#site/scenarios/fixtures.ts'
import { guardedSite, signIn } from '#site/scenarios/guarded-fixtures.ts'

// Looked for on the whole machine, so it is like nothing else there.
const mark = `Canary${process.pid}x${Date.now()}`
const password = `${mark} as a password`

describe('what people send to a guarded site', () => {
  const home = mkdtempSync(join(tmpdir(), 'rsvp-home-'))
  afterAll(() => rmSync(home, { recursive: true, force: true }))
  const site = guardedSite({ ADMIN_PASSWORD: password, LOG_LEVEL: 'trace', HOME: home, TMPDIR: home })

  it('is stored in the database, the password and the cookie in no readable form', async () => {
    const cookie = await signIn(site(), { password })
    const json = testRsvp({
      name: `${mark} Name`,
      email: `${mark}@b.example`,
      phone: `${mark}1`,
      message: `${mark} Text`,
      familyMembers: [{ name: `${mark} Member` }],
    })
    const headers = { cookie, 'user-agent': mark, referer: `${site().url}/${mark}`, 'idempotency-key': mark }
    expect((await ask(site(), 'POST /api/rsvp', { json, headers })).status).toBe(201)
    expect((await ask(site(), 'POST /api/event', { json: testEvent({ title: mark }), headers })).status).toBe(200)
    expect((await ask(site(), 'POST /api/volunteer-roles', { json: { name: mark }, headers })).status).toBe(201)
    expect((await ask(site(), `GET /api/rsvps?email=${mark}@b.example`, { headers })).status).toBe(200)
    expect((await ask(site(), 'GET /api/rsvps/download', { headers })).status).toBe(200)
    expect((await ask(site(), 'DELETE /api/rsvps/1', { headers })).status).toBe(204)
    const wrong = { password: `${mark} not the right one` }
    expect((await ask(site(), 'POST /api/session', { json: wrong })).status).toBe(401)

    const database = filesOf(site().folder).find(({ path }) => path.endsWith('rsvp.db'))?.content ?? ''
    expect(database).toContain(`${mark} Name`)
    for (const secret of [password, wrong.password, cookie.slice(cookie.indexOf('=') + 1)])
      expect(database).not.toContain(secret)
  })

  it('is in no other file, not in the log, and not in the list of processes', () => {
    const others = [...filesOf(site().folder), ...filesOf(home)].filter(({ path }) => !path.endsWith('rsvp.db'))
    expect(others.filter(({ path, content }) => (path + content).includes(mark))).toEqual([])
    expect(site().output()).toContain('"route":"/api/session","status":204')
    expect(site().output()).not.toContain(mark)
    expect(commandLines().length).toBeGreaterThan(2)
    expect(commandLines().filter((line) => line.includes(mark))).toEqual([])
  })
})

function filesOf(folder: string): { path: string; content: string }[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  return paths.map((path) => ({ path, content: readFileSync(path, 'latin1') }))
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
