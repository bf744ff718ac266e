import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { testEvent } from '#db/fixtures.ts'
import { eventually, siteOn, testPlace } from '#site/scenarios/faults/fixtures.ts'
import { ask, expectProblem, type Site } from '#site/scenarios/fixtures.ts'
import { administeredSite, asVisitor, describeInBothModes } from '#site/scenarios/mode-fixtures.ts'

const FILE = '/.well-known/security.txt'
const contact = { SECURITY_CONTACT: 'webmaster@example.org, https://example.org/report' }

describeInBothModes(
  'security.txt',
  (site) => {
    it('says whom to tell of a weakness, as plain text that caches may keep', async () => {
      const reply = await ask(asVisitor(site()), `GET ${FILE}`)
      expect(reply).toMatchObject({
        status: 200,
        headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=86400' },
        body: expect.stringMatching(
          /^Contact: mailto:webmaster@example\.org\nContact: https:\/\/example\.org\/report\nExpires: \d{4}-\d\d-01T00:00:00Z\nPreferred-Languages: en\n$/,
        ),
      })
      expect(reply.headers['set-cookie']).toBeUndefined()
      expect(await ask(asVisitor(site()), `HEAD ${FILE}`)).toMatchObject({ status: 200, body: '' })
    })

    it('is found at its former place too', async () => {
      for (const method of ['GET', 'HEAD']) {
        const reply = await ask(asVisitor(site()), `${method} /security.txt`)
        expect(reply).toMatchObject({ status: 301, headers: { location: FILE } })
      }
    })

    it.each(['/.well-known/security.txt/', '/.well-known', '/.well-known/x', '/.env', '/.git/config', '/security'])(
      'opens no other address: %s',
      async (path) => {
        const { status, body } = await ask(asVisitor(site()), `GET ${path}`)
        expect([301, 404]).toContain(status)
        expect(body).not.toContain('Contact:')
      },
    )

    it('names the language of the church beside English', async () => {
      await store(site(), 'POST /api/event', testEvent())
      await store(site(), 'PATCH /api/event/translations', { language: 'es' })
      expect((await ask(asVisitor(site()), `GET ${FILE}`)).body).toContain('\nPreferred-Languages: es, en\n')
    })
  },
  contact,
)

describe('security.txt of a site with a public address', () => {
  const site = administeredSite({ ...contact, PUBLIC_URL: 'https://rsvp.example.org' })

  it('says where it stands', async () => {
    const headers = { host: 'rsvp.example.org' }
    const { body } = await ask(asVisitor(site()), `GET ${FILE}`, { headers })
    expect(body).toContain('\nCanonical: https://rsvp.example.org/.well-known/security.txt\n')
  })
})

describe('security.txt of a site whose database is away', () => {
  it('still says whom to tell', async () => {
    const folder = testPlace()
    const site = await siteOn(join(folder, 'rsvp.db'), { variables: contact })
    renameSync(join(folder, 'rsvp.db'), join(folder, 'away.db'))
    await eventually(async () => expect((await ask(site, 'GET /api/event')).status).toBe(503))
    const { status, body } = await ask(site, `GET ${FILE}`)
    expect(status).toBe(200)
    expect(body).toContain('Contact: mailto:webmaster@example.org\n')
    expect(body).toContain('\nPreferred-Languages: en\n')
  })
})

describeInBothModes('without a contact', (site) => {
  it.each([FILE, '/security.txt'])('%s does not exist', async (path) => {
    const reply = await ask(asVisitor(site()), `GET ${path}`)
    expect(reply.headers['cache-control']).toBe('no-store')
    expectProblem(reply, 404)
    expect(await ask(asVisitor(site()), `HEAD ${path}`)).toMatchObject({ status: 404, body: '' })
  })
})

async function store(site: Site, call: string, json: unknown): Promise<void> {
  expect((await ask(site, call, { json })).status).toBe(200)
}
