import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { eventually } from '#site/scenarios/faults/fixtures.ts'
import { ask, expectProblem } from '#site/scenarios/fixtures.ts'
import { guardedSite, inSiteDatabase, signIn } from '#site/scenarios/guarded-fixtures.ts'

describe('the public address in the settings', () => {
  const site = guardedSite()
  const change = async (publicUrl: string | null, headers: Record<string, string>) =>
    ask(site(), 'PATCH /api/settings', { json: { publicUrl }, headers })

  /** The site looks its address up once a second. */
  const isKnown = (address: string) =>
    eventually(async () => expect((await ask(site(), 'GET /share')).body).toContain(`content="${address}/share"`))

  it('is refused unless it leads to this very site', async () => {
    const headers = { cookie: await signIn(site()) }
    const other = createServer((_request, reply) => reply.end('another site')).listen(0, '127.0.0.1')
    await new Promise((resolve) => other.once('listening', resolve))
    const { port } = other.address() as AddressInfo
    // As a proxy does for http: with that address no browser could change anything, because it is at another one.
    const passing = createServer((_request, reply) => reply.writeHead(308, { location: site().url }).end())
    await new Promise((resolve) => passing.listen(0, '127.0.0.1', () => resolve(undefined)))
    const refused: [string, RegExp][] = [
      [`http://127.0.0.1:${port}`, /does not lead to this site \(another site replied\)/],
      [`http://127.0.0.1:${(passing.address() as AddressInfo).port}`, /does not lead to this site/],
      ['http://127.0.0.1:9', /does not lead to this site \(\w+\)/],
      ['https://rsvp.example.org/share', /Give scheme and host only/],
      ['javascript:alert(1)', /Give scheme and host only/],
    ]
    for (const [address, reason] of refused) {
      const reply = await change(address, headers)
      expectProblem(reply, 400)
      const message = expect.stringMatching(reason)
      expect(JSON.parse(reply.body)).toMatchObject({ errors: [{ path: 'publicUrl', message }] })
    }
    other.close()
    passing.close()
    const { body } = await ask(site(), 'GET /api/settings', { headers })
    expect(JSON.parse(body)).toMatchObject({ publicUrl: null })
  })

  it('is used from then on: for links, for the name of the site, and for where a request may come from', async () => {
    const headers = { cookie: await signIn(site()) }
    const { port } = new URL(site().url)
    // Another name that leads here.
    const address = `http://localhost:${port}`
    expect(await change(address, headers)).toMatchObject({ status: 200 })
    await isKnown(address)
    const from = (origin: string) => ask(site(), 'PATCH /api/features', { json: {}, headers: { ...headers, origin } })
    expect((await from(`http://127.0.0.1:${port}`)).status).toBe(403)
    // Without it the site would refuse what a browser at this address sends.
    const unknown = await change(null, { ...headers, origin: address })
    expectProblem(unknown, 400)
    expect(JSON.parse(unknown.body)).toMatchObject({ errors: [{ path: 'publicUrl' }] })
    expect((await change(null, headers)).status).toBe(200)
    await isKnown(site().url)
  })

  it('is changed by no one who could then no longer sign in, because passkeys belong to an address', async () => {
    const headers = { cookie: await signIn(site()) }
    inSiteDatabase(site(), (database) => database.exec('UPDATE administrators SET password_hash = NULL'))
    const reply = await change(site().url, headers)
    expectProblem(reply, 400)
    expect(JSON.parse(reply.body)).toMatchObject({
      errors: [{ message: expect.stringContaining('Choose a password') }],
    })
  })
})
