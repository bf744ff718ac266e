import { beforeAll, describe, expect, it } from 'vitest'
import { ask } from '#site/scenarios/fixtures.ts'
import { guardedSite, inSiteDatabase } from '#site/scenarios/guarded-fixtures.ts'

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
    const name = 'Zion Chapel Springfield'
    expect(manifest).toMatchObject({ name, short_name: name, start_url: '/share' })
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
