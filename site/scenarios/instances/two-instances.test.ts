import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testRsvp } from '#db/fixtures.ts'
import { eventually } from '#site/scenarios/faults/fixtures.ts'
import { ask, type Reply, runRsvp, type Site, storedRsvps } from '#site/scenarios/fixtures.ts'
import { PASSWORD, signIn } from '#site/scenarios/guarded-fixtures.ts'
import { startBuiltServer } from '../../../scripts/testing/built-server.mjs'
import { startLibsqlServer } from '../../../scripts/testing/libsql-server.mjs'

const CLIENTS = 8
const EACH = 3
/** For so long an instance may show what was before another one wrote, in ms. */
const READ_TTL_MS = 1000

let one: Site
let two: Site
let sites: Site[]
let url: string
const stops: (() => unknown)[] = []

/** Two servers on one libSQL server of their own, for the tests of a block. */
function startTwo(variables: Record<string, string> = {}): void {
  beforeAll(async () => {
    const database = await startLibsqlServer()
    stops.push(database.stop)
    url = database.url
    const settings = { DATABASE_URL: url, RSVP_POST_LIMIT: 'off', ...variables }
    // At once, as behind a load balancer: both find an empty database.
    ;[one, two] = await Promise.all([startBuiltServer(settings), startBuiltServer(settings)])
    sites = [one, two]
    stops.push(one.stop, two.stop)
  })
  afterAll(async () => {
    for (const stop of stops.splice(0).toReversed()) await stop()
  })
}

/** On a busy machine a client may have to retry, as the reply says: with the same key. */
async function insist(site: Site, json: unknown, key: string): Promise<Reply> {
  const reply = await ask(site, 'POST /api/rsvp', { json, headers: { 'idempotency-key': key } })
  return reply.status === 503 ? insist(site, json, key) : reply
}

describe('two instances in open mode', () => {
  startTwo()

  it('store every RSVP of many clients exactly once, though a third is sent to both', async () => {
    const ids = new Map<string, number[]>()
    async function send(site: Site, name: string): Promise<void> {
      const json = testRsvp({ name, familyMembers: [{ name: `${name} Junior` }], volunteerRoles: [1, 2] })
      const { status, body } = await insist(site, json, name.replaceAll(' ', '-'))
      expect([name, status]).toEqual([name, 201])
      ids.set(name, [...(ids.get(name) ?? []), JSON.parse(body).id])
    }
    async function client(number: number): Promise<void> {
      for (let sent = 0; sent < EACH; sent++) {
        const name = `Visitor ${number} ${sent}`
        const [site, other] = (number + sent) % 2 === 0 ? [one, two] : [two, one]
        // Before the reply to the first, as after a lost connection, or after it.
        const isAtOnce = number % 4 < 2
        if (sent === 1 && isAtOnce) await Promise.all([send(site, name), send(other, name)])
        else await send(site, name)
        if (sent === 1 && !isAtOnce) await send(other, name)
      }
    }
    await Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)))

    expect([...ids.values()].flat()).toHaveLength(CLIENTS * (EACH + 1))
    for (const [name, received] of ids) expect([name, new Set(received).size]).toEqual([name, 1])
    const [here, there] = await Promise.all(sites.map((site) => storedRsvps(site)))
    expect(there).toEqual(here)
    expect(here?.map(({ name, id }) => [name, id]).toSorted()).toEqual(
      [...ids].map(([name, [id]]) => [name, id]).toSorted(),
    )
    for (const { name, familyMembers, volunteerSignups } of here ?? [])
      expect([familyMembers.map((member) => member.name), volunteerSignups.length]).toEqual([[`${name} Junior`], 2])
    for (const site of sites) expect(site.output()).not.toContain('unexpected error')
  })

  it('are both guarded within a second after a password is set', async () => {
    for (const site of sites) expect((await ask(site, 'GET /admin')).status).toBe(200)
    await runRsvp(url, ['password'], PASSWORD)
    await wait(1000)
    for (const site of sites)
      for (const call of ['GET /admin', 'GET /api/rsvps/download', 'DELETE /api/rsvps/1'])
        expect((await ask(site, call)).status).toBe(401)
    const cookie = await signIn(one)
    for (const site of sites)
      await eventually(async () => expect((await ask(site, 'GET /admin', { headers: { cookie } })).status).toBe(200))
  })
})

describe('two guarded instances', () => {
  startTwo({ ADMIN_PASSWORD: PASSWORD, RSVP_POST_LIMIT: '20/1' })
  let cookie: string

  beforeAll(async () => {
    cookie = await signIn(one)
  })

  it('show a write at once where it was made, and within a second on the kept pages of the other', async () => {
    await ask(one, 'PATCH /api/settings', { json: { publicNames: 'full' }, headers: { cookie } })
    const shown = async (site: Site) => (await ask(site, 'GET /')).body
    for (const [here, there, name] of [[one, two, 'Cornelius'] as const, [two, one, 'Dorothea'] as const]) {
      for (const site of [...sites, ...sites]) await shown(site)
      expect((await ask(here, 'POST /api/rsvp', { json: testRsvp({ name }) })).status).toBe(201)
      expect(await shown(here)).toContain(name)
      // What is not kept shows it at its next load.
      expect((await ask(there, 'GET /admin', { headers: { cookie } })).body).toContain(name)
      await wait(READ_TTL_MS)
      expect(await shown(there)).toContain(name)
    }
  })
})
