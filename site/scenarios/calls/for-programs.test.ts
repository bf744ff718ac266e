import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { eventually, siteOn, testPlace } from '#site/scenarios/faults/fixtures.ts'
import { ask, expectProblem } from '#site/scenarios/fixtures.ts'
import { guardedSite, inSiteDatabase } from '#site/scenarios/guarded-fixtures.ts'

const SECURITY = '/.well-known/security.txt'
const contact = { SECURITY_CONTACT: 'webmaster@example.org, https://example.org/report' }
const site = guardedSite()
const see = (path: string) => ask(site(), `GET ${path}`)

/** The longest rule that fits decides, as RFC 9309 has it. */
function mayVisit(robots: string, path: string): boolean {
  const rules = Array.from(robots.matchAll(/^(Allow|Disallow): (.+)$/gm), ([, kind, prefix = '']) => ({ kind, prefix }))
  const [rule] = rules
    .filter(({ prefix }) => path.startsWith(prefix))
    .sort((one, other) => other.prefix.length - one.prefix.length)
  return rule?.kind !== 'Disallow'
}

describe('the share page', () => {
  let page: string
  beforeAll(async () => {
    page = (await see('/share')).body
  })

  it('may be visited by robots with everything that it needs to be drawn, and nothing else', async () => {
    const { body: robots } = await see('/robots.txt')
    const needed = Array.from(
      page.matchAll(/<(?:link|script|img)[^>]*? (?:href|src)="(\/[^"]+)"|-url="(\/[^"]+)"/g),
      (found) => found[1] ?? found[2] ?? '',
    )
    expect(needed.length).toBeGreaterThan(5)
    expect(needed.filter((path) => !mayVisit(robots, path))).toEqual([])
    for (const path of ['/', '/admin', '/api/rsvps', '/unknown'])
      expect([path, mayVisit(robots, path)]).toEqual([path, false])
    for (const path of ['/', '/share', '/privacy'])
      expect((await see(path)).body).toMatch(/<meta name="description" content="[^"]{10,}">/)
  })

  it('may be installed under the name of the church, with icons that are there', async () => {
    expect(page).toContain('<link rel="manifest" href="/manifest.webmanifest">')
    inSiteDatabase(site(), (database) =>
      database.exec("INSERT INTO churches (name) VALUES ('Zion Chapel Springfield')"),
    )
    const { headers, body } = await see('/manifest.webmanifest')
    expect(headers['content-type']).toBe('application/manifest+json')
    const manifest = JSON.parse(body)
    expect(manifest).toMatchObject({ name: 'Zion Chapel Springfield', short_name: 'Worship', start_url: '/share' })
    for (const { src, type } of manifest.icons)
      expect(await see(src)).toMatchObject({ status: 200, headers: { 'content-type': type } })
  })

  it('has a worker that may load from this site and nothing else', async () => {
    const { status, headers } = await see('/worker.js')
    expect(status).toBe(200)
    expect(headers['content-type']).toMatch(/javascript/)
    expect(headers['content-security-policy']).toBe("default-src 'none';connect-src 'self'")
    expect(headers['cache-control']).not.toContain('immutable')
    expect((await see('/share')).headers['content-security-policy']).toContain("worker-src 'self'")
  })
})

describe('security.txt', () => {
  const told = guardedSite({ ...contact, PUBLIC_URL: 'https://rsvp.example.org' })

  it('says whom to tell of a weakness, as plain text that caches may keep', async () => {
    const reply = await ask(told(), `GET ${SECURITY}`, { headers: { host: 'rsvp.example.org' } })
    expect(reply).toMatchObject({
      status: 200,
      headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=86400' },
      body: expect.stringMatching(
        /^Contact: mailto:webmaster@example\.org\nContact: https:[^ ]+report\nExpires: [^ ]+\nPreferred-Languages: en\nCanonical: https:\/\/rsvp\.example\.org\/\.well-known\/security\.txt\n$/,
      ),
    })
    expect(await ask(told(), `HEAD ${SECURITY}`)).toMatchObject({ status: 200, body: '' })
    const short = await ask(told(), 'GET /security.txt', { headers: { host: 'rsvp.example.org' } })
    expect(short).toMatchObject({ status: 301, headers: { location: SECURITY } })
  })

  it('does not exist without a contact', async () => {
    for (const path of [SECURITY, '/security.txt']) expectProblem(await see(path), 404)
  })

  it('still says whom to tell while the database is away', async () => {
    const folder = testPlace()
    const away = await siteOn(join(folder, 'rsvp.db'), { variables: contact })
    renameSync(join(folder, 'rsvp.db'), join(folder, 'away.db'))
    await eventually(async () => expect((await ask(away, 'GET /api/event')).status).toBe(503))
    expect(await ask(away, `GET ${SECURITY}`)).toMatchObject({
      status: 200,
      body: expect.stringContaining('Contact: mailto:webmaster@example.org\n'),
    })
  })
})
