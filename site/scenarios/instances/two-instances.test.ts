import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { lengthenWaits } from '#db/access/wait-fixtures.ts'
import { testRsvp } from '#db/fixtures.ts'
import { ask, type Site, storedRsvps } from '#site/scenarios/fixtures.ts'
import { PASSWORD, signIn } from '#site/scenarios/guarded-fixtures.ts'
import { setPasswordAt, twoSites } from './fixtures.ts'

const CLIENTS = 64
const EACH = 3
const form = { 'content-type': 'application/x-www-form-urlencoded' }

/** The other of two. */
const otherOf = ({ sites: [one, two] }: ReturnType<ReturnType<typeof twoSites>>, site: Site): Site =>
  site === one ? two : one

describe('two instances in open mode', () => {
  const place = twoSites()

  it('store every RSVP of sixty-four clients exactly once, though a third is sent to both', async () => {
    const { sites } = place()
    const ids = new Map<string, number[]>()
    async function send(site: Site, name: string): Promise<void> {
      const json = testRsvp({ name, familyMembers: [{ name: `${name} Junior` }], volunteerRoles: [1, 2] })
      const headers = { 'idempotency-key': `key ${name}`.replaceAll(' ', '-') }
      const { status, body } = await ask(site, 'POST /api/rsvp', { json, headers })
      // On a busy machine a client may have to retry, as the reply says: with the same key.
      if (status === 503) return send(site, name)
      expect([name, status]).toEqual([name, 201])
      ids.set(name, [...(ids.get(name) ?? []), JSON.parse(body).id])
    }
    async function client(number: number): Promise<void> {
      for (let sent = 0; sent < EACH; sent++) {
        const name = `Visitor ${number} ${sent}`
        const site = sites[(number + sent) % 2] ?? sites[0]
        const other = otherOf(place(), site)
        // Before the reply to the first, as after a lost connection, or after it.
        const isAtOnce = number % 4 < 2
        if (sent === 1 && isAtOnce) await Promise.all([send(site, name), send(other, name)])
        else await send(site, name)
        if (sent === 1 && !isAtOnce) await send(other, name)
      }
    }
    await Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)))

    expect(ids.size).toBe(CLIENTS * EACH)
    expect([...ids.values()].flat()).toHaveLength(CLIENTS * (EACH + 1))
    for (const [name, received] of ids) expect([name, new Set(received).size]).toEqual([name, 1])
    const [here, there] = await Promise.all(sites.map((site) => storedRsvps(site)))
    expect(there).toEqual(here)
    expect(new Map(here?.map(({ name, id }) => [name, id]))).toEqual(
      new Map([...ids].map(([name, [id]]) => [name, id])),
    )
    expect(here).toHaveLength(CLIENTS * EACH)
    for (const { name, familyMembers, volunteerSignups } of here ?? []) {
      expect([familyMembers.map((member) => member.name), volunteerSignups.length]).toEqual([[`${name} Junior`], 2])
    }
    for (const site of sites) expect(site.output()).not.toContain('unexpected error')
  })

  it('give the last place in a role to one of forty who ask both of them at once', async () => {
    const { sites } = place()
    const role = 3
    expect((await ask(sites[0], `PATCH /api/volunteer-roles/${role}`, { json: { needed: 1 } })).status).toBe(200)
    const { services } = JSON.parse((await ask(sites[0], 'GET /api/schedule')).body)
    const serviceDate = services[1].date
    async function request(number: number): Promise<number> {
      const json = testRsvp({ name: `Musician ${number}`, volunteerRoles: [role], serviceDate })
      const headers = { 'idempotency-key': `music-${number}` }
      const { status } = await ask(sites[number % 2] ?? sites[0], 'POST /api/rsvp', { json, headers })
      // On a busy machine.
      return status === 503 ? request(number) : status
    }
    const statuses = await Promise.all(Array.from({ length: 40 }, (_, number) => request(number)))
    expect(statuses.toSorted()).toEqual([201, ...Array(39).fill(400)])
    for (const stored of await Promise.all(sites.map((site) => storedRsvps(site))))
      expect(stored.filter(({ name }) => name.startsWith('Musician'))).toHaveLength(1)
  })

  it('store one RSVP when a form without JavaScript is submitted to each of them', async () => {
    const { sites } = place()
    const before = (await storedRsvps(sites[0])).length
    for (const [round, drawnBy] of [...sites, ...sites].entries()) {
      const page = (await ask(drawnBy, 'GET /share')).body
      const [, formKey = ''] = /name="formKey" value="([\w-]{36})"/.exec(page) ?? []
      expect(formKey).not.toBe('')
      const typed = { page: '/share', attending: 'true', name: 'Ana Cole', email: 'ana@cole.example', formKey }
      const press = (site: Site) =>
        ask(site, 'POST /api/rsvp', { body: String(new URLSearchParams(typed)), headers: form })
      const replies = round < 2 ? await Promise.all(sites.map(press)) : [await press(sites[0]), await press(sites[1])]
      expect(replies.map(({ status }) => status)).toEqual([303, 303])
      for (const site of sites) expect(await storedRsvps(site)).toHaveLength(before + round + 1)
    }
  })

  it('are both guarded within a second after a password is set', async () => {
    const { url, sites } = place()
    for (const site of sites) expect((await ask(site, 'GET /admin')).status).toBe(200)
    await setPasswordAt(url, PASSWORD)
    await wait(1000)
    for (const site of sites) {
      expect((await ask(site, 'GET /admin')).status).toBe(401)
      expect((await ask(site, 'GET /api/rsvps/download')).status).toBe(401)
      expect((await ask(site, 'DELETE /api/rsvps/1')).status).toBe(401)
    }
    const cookie = await signIn(sites[0])
    for (const site of sites) expect((await ask(site, 'GET /admin', { headers: { cookie } })).status).toBe(200)
  })
})

describe('two guarded instances', () => {
  const place = twoSites({ ADMIN_PASSWORD: PASSWORD, RSVP_POST_LIMIT: '6/1' })
  const newPassword = 'five other words and not one'
  const post = async (site: Site) => (await ask(site, 'POST /api/rsvp', { json: testRsvp() })).status
  const isSignedIn = async (site: Site, cookie: string) =>
    (await ask(site, 'GET /admin', { headers: { cookie } })).status === 200

  it('share a session: it begins and ends at both', async () => {
    const { sites } = place()
    for (const site of sites) {
      const cookie = await signIn(site)
      const other = otherOf(place(), site)
      expect(await isSignedIn(other, cookie)).toBe(true)
      expect((await ask(other, 'DELETE /api/session', { headers: { cookie } })).status).toBe(204)
      for (const each of sites) {
        expect(await isSignedIn(each, cookie)).toBe(false)
        expect((await ask(each, 'GET /api/rsvps/download', { headers: { cookie } })).status).toBe(401)
      }
    }
  })

  it('end all sessions when the password is changed, and need the new one at both', async () => {
    const { url, sites } = place()
    const cookies = await Promise.all(sites.map((site) => signIn(site)))
    await setPasswordAt(url, newPassword)
    for (const site of sites) {
      for (const cookie of cookies) expect(await isSignedIn(site, cookie)).toBe(false)
      expect((await ask(site, 'POST /api/session', { json: { password: PASSWORD } })).status).toBe(401)
    }
    const cookie = await signIn(sites[0], { password: newPassword })
    for (const site of sites) expect(await isSignedIn(site, cookie)).toBe(true)
  })

  it('count the RSVPs from one network at both', async () => {
    const [one, two] = place().sites
    const statuses = []
    for (const site of [one, two, one, two, one, two, one, two]) statuses.push(await post(site))
    expect(statuses).toEqual([201, 201, 201, 201, 201, 201, 429, 429])
  })

  it('count wrong passwords at both', async () => {
    const { url, sites } = place()
    const [one, two] = sites
    const statuses = []
    for (const site of [one, two, one, two, one]) {
      statuses.push((await ask(site, 'POST /api/session', { json: { password: 'not the password' } })).status)
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401])
    // Now the right one has to wait too; here for longer than a busy machine may take.
    await lengthenWaits(url, 240_000)
    for (const site of [two, one]) {
      expect(await ask(site, 'POST /api/session', { json: { password: newPassword } })).toMatchObject({
        status: 429,
        headers: { 'retry-after': expect.stringMatching(/^(1\d|2[0-4])\d$/) },
      })
    }
  })
})
