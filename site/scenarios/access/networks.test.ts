import { beforeEach, describe, expect, it } from 'vitest'
import { testRsvp } from '#db/fixtures.ts'
import { ask, expectProblem, type Site, storedRsvps, testSite } from '#site/scenarios/fixtures.ts'
import { guardedSite, inSiteDatabase, rowsByTable, signIn } from '#site/scenarios/guarded-fixtures.ts'

const RSVP_POST_LIMIT = '2/1'

/** Sends an RSVP from each of these addresses in turn, as the proxy reports them; returns the status of each reply. */
async function sent(site: Site, addresses: string[], header = 'x-forwarded-for'): Promise<number[]> {
  const statuses: number[] = []
  for (const address of addresses)
    statuses.push((await ask(site, 'POST /api/rsvp', { json: testRsvp(), headers: { [header]: address } })).status)
  return statuses
}

function namesOf(site: Site): unknown[] {
  return inSiteDatabase(site, (database) => database.prepare('SELECT name FROM allowances ORDER BY name').all()).map(
    ({ name }) => name,
  )
}

function forgetLimits(site: Site): void {
  inSiteDatabase(site, (database) => database.exec('DELETE FROM allowances'))
}

describe('behind a trusted proxy', () => {
  const site = guardedSite({ TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8', RSVP_POST_LIMIT })
  beforeEach(() => forgetLimits(site()))

  it.each<[string, string[], number[]]>([
    ['one address', ['198.51.100.1', '198.51.100.1', '198.51.100.1'], [201, 201, 429]],
    ['two addresses', ['198.51.100.1', '198.51.100.1', '198.51.100.2'], [201, 201, 201]],
    ['one home in IPv6', ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', '2001:DB8:1:2:0:0:0:1'], [201, 201, 429]],
    ['two homes in IPv6', ['2001:db8:1:2::1', '2001:db8:1:2::2', '2001:db8:1:3::1'], [201, 201, 201]],
    [
      'ten homes of one customer in IPv6',
      Array.from({ length: 10 }, (_, home) => `2001:db8:1:2${home}::1`),
      [201, 201, 201, 201, 201, 201, 201, 201, 429, 429],
    ],
    ['one address in both ways', ['198.51.100.1', '::ffff:198.51.100.1', '::ffff:c633:6401'], [201, 201, 429]],
    [
      'one address, with a port and without',
      ['198.51.100.1:4711', '198.51.100.1:4712', '198.51.100.1'],
      [201, 201, 429],
    ],
    ['two addresses with ports', ['198.51.100.1:4711', '198.51.100.1:4712', '198.51.100.2:4711'], [201, 201, 201]],
    [
      'two homes in IPv6 with ports',
      ['[2001:db8:1:2::1]:80', '[2001:db8:1:2::2]:81', '[2001:db8:1:3::1]:80'],
      [201, 201, 201],
    ],
    [
      'a second trusted proxy with a port',
      ['198.51.100.1, 10.1.2.3:80', '198.51.100.2, 10.1.2.3:81', '198.51.100.3, 10.1.2.3:82'],
      [201, 201, 201],
    ],
    ['a second trusted proxy', ['198.51.100.1, 10.1.2.3', '198.51.100.1, 10.9.9.9', '198.51.100.1'], [201, 201, 429]],
    [
      'a client that invents more addresses',
      ['1.1.1.1, 198.51.100.1', '2.2.2.2, 198.51.100.1', '3.3.3.3, 198.51.100.1'],
      [201, 201, 429],
    ],
    ['a client that sends no valid address', ['x', '', "'; DROP TABLE rsvps; --"], [201, 201, 429]],
  ])('RSVPs from %s count together or separately', async (_, addresses, statuses) => {
    expect(await sent(site(), addresses)).toEqual(statuses)
  })

  it('only the first half of an IPv6 address is stored, or less', async () => {
    await sent(site(), ['2001:db8:1:2:3:4:5:6'])
    expect(namesOf(site())).toEqual([
      'rsvp 2001:db8:1:0::/56',
      'rsvp 2001:db8:1:2::/64',
      'rsvp 2001:db8:1::/48',
      'rsvp from everywhere',
    ])
  })

  it('a flood from everywhere is stored, marked, and told to the administrator', async () => {
    const addresses = Array.from({ length: 22 }, (_, network) => `198.51.${network}.1`)
    expect(await sent(site(), addresses)).toEqual(addresses.map(() => 201))
    const headers = { cookie: await signIn(site()) }
    const suspicions = (await storedRsvps(site(), headers)).map(({ suspicion }) => suspicion)
    expect(suspicions.slice(0, 4)).toEqual(['flood', 'flood', null, null])
    const { body } = await ask(site(), 'GET /admin', { headers })
    expect(body).toContain('Unusually many responses came from many networks')
    expect(body).toContain('Perhaps spam: sent while very many were')
    expect((await ask(site(), 'GET /share')).body).not.toContain('Unusually many')
  })
})

describe.each<[string, Record<string, string>]>([
  ['no proxy', {}],
  ['another proxy', { TRUSTED_PROXIES: '10.0.0.0/8, 2001:db8::/32' }],
])('where %s is trusted', (_, variables) => {
  const site = guardedSite({ ...variables, RSVP_POST_LIMIT })
  beforeEach(() => forgetLimits(site()))

  it.each(['x-forwarded-for', 'forwarded', 'x-real-ip', 'cf-connecting-ip', 'true-client-ip', 'x-client-ip'])(
    'a client cannot choose its address with %s',
    async (header) => {
      const prefix = header === 'forwarded' ? 'for=' : ''
      const made = ['198.51.100.1', '198.51.100.2', '198.51.100.3'].map((address) => prefix + address)
      expect(await sent(site(), made, header)).toEqual([201, 201, 429])
      expect(namesOf(site())).toEqual(['rsvp 127.0.0.0/24', 'rsvp 127.0.0.1', 'rsvp from everywhere'])
    },
  )
})

describe('in open mode', () => {
  const site = testSite({ TRUSTED_PROXIES: '127.0.0.1' })

  it('nothing comes through a proxy, not even a trusted one', async () => {
    const headers = { 'x-forwarded-for': '127.0.0.1' }
    expectProblem(await ask(site(), 'POST /api/rsvp', { json: testRsvp(), headers }), 421)
    expect(rowsByTable(site()).rsvps).toEqual([])
  })
})
