import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { testRsvp } from '#db/fixtures.ts'
import { eventually } from '#site/scenarios/faults/fixtures.ts'
import { ask, type Site, spawnServer, storedRsvps, testSite } from '#site/scenarios/fixtures.ts'
import { inSiteDatabase, PASSWORD, setPassword, signIn } from '#site/scenarios/guarded-fixtures.ts'
import { startBuiltServer } from '../../../scripts/testing/built-server.mjs'
import { freePort } from '../../../scripts/testing/free-port.mjs'

const folder = mkdtempSync(join(tmpdir(), 'rsvp-mode-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function modeOf(site: Site, headers: Record<string, string> = {}): Promise<string> {
  const { body } = await ask(site, 'GET /api/session', { headers })
  return JSON.parse(body).mode
}

describe('a server that runs in open mode', () => {
  const site = testSite()

  it('is guarded within a second after a password is set, and stays so whatever becomes of it', async () => {
    await ask(site(), 'POST /api/rsvp', { json: testRsvp() })
    expect(await modeOf(site())).toBe('open')
    expect(await storedRsvps(site())).toMatchObject([{ email: 'ana@cole.example' }])
    await setPassword(site(), PASSWORD)
    await wait(1000)
    for (let asked = 0; asked < 20; asked += 1) {
      expect((await ask(site(), 'GET /api/rsvps')).body).not.toContain('ana@cole.example')
      expect((await ask(site(), 'GET /admin')).status).toBe(401)
      expect((await ask(site(), 'DELETE /api/rsvps/1')).status).toBe(401)
    }
    expect(await modeOf(site())).toBe('guarded')
    const cookie = await signIn(site())
    expect(await storedRsvps(site(), { cookie })).toHaveLength(1)

    inSiteDatabase(site(), (database) => database.exec('DELETE FROM passwords'))
    await wait(1100)
    expect(await modeOf(site())).toBe('guarded')
    expect((await ask(site(), 'GET /admin')).status).toBe(401)
    expect((await ask(site(), 'DELETE /api/rsvps/1')).status).toBe(401)
    expect(await storedRsvps(site(), { cookie })).toHaveLength(1)
  })
})

describe('a server that runs in open mode, with a name of its own', () => {
  const site = testSite({ PUBLIC_URL: 'http://localhost:8080' })

  it('serves the network a second after a password is set', async () => {
    const remote = { host: 'church.local', 'x-forwarded-for': '192.168.1.9' }
    expect((await ask(site(), 'GET /share', { headers: remote })).status).toBe(421)
    await setPassword(site(), PASSWORD)
    await wait(1100)
    // A busy database delays no page: the mode that the server reads applies to the next request.
    await eventually(async () => expect((await ask(site(), 'GET /share', { headers: remote })).status).toBe(200))
    expect(await modeOf(site(), { host: 'localhost:8080' })).toBe('guarded')
    expect((await ask(site(), 'GET /admin', { headers: { host: 'localhost:8080' } })).status).toBe(401)
  })
})

describe('a server that listens on the whole network', () => {
  const site = testSite({ HOST: '0.0.0.0', RSVP_ACCESS: 'open', ADMIN_PASSWORD: PASSWORD })
  const open = testSite({ HOST: '0.0.0.0', RSVP_ACCESS: 'open' })

  it('is guarded all the same where a password is set', async () => {
    expect(await modeOf(site())).toBe('guarded')
    expect((await ask(site(), 'GET /admin')).status).toBe(401)
  })

  it('is guarded within a second after one is set', async () => {
    expect((await ask(open(), 'GET /admin', { headers: { host: 'church.local' } })).status).toBe(200)
    await setPassword(open(), PASSWORD)
    await wait(1000)
    expect((await ask(open(), 'GET /admin', { headers: { host: 'church.local' } })).status).toBe(401)
  })
})

describe('a server that others can reach', () => {
  const addresses: Record<string, string>[] = [
    { HOST: '0.0.0.0' },
    { PUBLIC_URL: 'https://rsvp.example.org' },
    { HOST: '::' },
  ]

  it.each(addresses)('does not start with %o without a password, and makes no database', async (address) => {
    const file = join(folder, 'never', 'rsvp.db')
    const { ended, printed } = spawnServer({ ...address, PORT: String(await freePort()), DATABASE_URL: `file:${file}` })
    expect(await ended).toEqual({ code: 78 })
    expect(printed.stdout).toBe('')
    expect(printed.stderr.split('\n')).toEqual([
      expect.stringContaining('no admin password is set. Set one with `npx rsvp password`,'),
      expect.stringMatching(/^or set RSVP_ACCESS=open .*\.$/),
      '',
    ])
    expect(existsSync(join(folder, 'never'))).toBe(false)
  })

  it('does not start with a database that has no password either', async () => {
    const site = await startBuiltServer()
    const DATABASE_URL = `file:${join(site.folder, 'rsvp.db')}`
    const { ended } = spawnServer({ HOST: '0.0.0.0', PORT: String(await freePort()), DATABASE_URL })
    expect(await ended).toEqual({ code: 78 })
    await setPassword(site, PASSWORD)
    const second = await startBuiltServer({ HOST: '0.0.0.0', DATABASE_URL })
    expect(await modeOf(second, { host: 'church.local' })).toBe('guarded')
    expect((await ask(second, 'GET /admin', { headers: { host: 'church.local' } })).status).toBe(401)
    await second.stop()
    await site.stop()
  })
})
