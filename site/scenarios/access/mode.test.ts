import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { eventually } from '#site/scenarios/faults/fixtures.ts'
import { ask, ownSite, runRsvp, type Site, spawnServer, storedRsvps } from '#site/scenarios/fixtures.ts'
import { inSiteDatabase, PASSWORD, signIn } from '#site/scenarios/guarded-fixtures.ts'
import { testRsvp } from '#testing/database-fixtures.ts'

const modeOf = async (site: Site) => JSON.parse((await ask(site, 'GET /api/session')).body).mode

describe('a server that runs in open mode', () => {
  const site = ownSite()

  // Which addresses others can reach is decided in db/access, whose test has them all.
  it('does not start where others can reach it', async () => {
    const missing = join(site().folder, 'never', 'rsvp.db')
    const { ended, printed } = spawnServer({ HOST: '0.0.0.0', PORT: '0', DATABASE_URL: `file:${missing}` })
    expect(await ended).toEqual({ code: 78 })
    expect(printed).toEqual({
      stdout: '',
      stderr:
        'HOST=0.0.0.0 can be reached from other machines, and no admin password is set. Set one with `npx rsvp password`,\n' +
        'or set RSVP_ACCESS=open if everyone who can reach this address may administer the site.\n',
    })
    expect(existsSync(join(site().folder, 'never'))).toBe(false)
  })

  it('is guarded once a password is set, serves the network, and stays so whatever becomes of it', async () => {
    await ask(site(), 'POST /api/rsvp', { json: testRsvp() })
    expect(await modeOf(site())).toBe('open')
    expect(await storedRsvps(site())).toMatchObject([{ email: 'ana@cole.example' }])
    const remote = { headers: { host: 'church.local', 'x-forwarded-for': '192.168.1.9' } }
    expect((await ask(site(), 'GET /share', remote)).status).toBe(421)
    await runRsvp(site(), ['password'], PASSWORD)
    const expectGuarded = async () => {
      expect((await ask(site(), 'GET /api/rsvps')).body).not.toContain('ana@cole.example')
      for (const call of ['GET /admin', 'DELETE /api/rsvps/1']) expect((await ask(site(), call)).status).toBe(401)
      expect(await modeOf(site())).toBe('guarded')
    }
    await expectGuarded()
    // A busy database delays no page: the mode that the server reads applies to the next request.
    await eventually(async () => expect((await ask(site(), 'GET /share', remote)).status).toBe(200))
    const cookie = await signIn(site())
    expect(await storedRsvps(site(), { cookie })).toHaveLength(1)

    inSiteDatabase(site(), (database) => database.exec('DELETE FROM administrators'))
    // Longer than the result of a lookup is cached.
    await wait(1100)
    await expectGuarded()
    expect(await storedRsvps(site(), { cookie })).toHaveLength(1)
  })
})
