import { describe, expect, it } from 'vitest'
import { ask } from '#site/scenarios/fixtures.ts'
import { guardedSite, inSiteDatabase } from '#site/scenarios/guarded-fixtures.ts'
import { asVisitor } from '#site/scenarios/mode-fixtures.ts'

describe('a page that opens offline', () => {
  const site = guardedSite()

  it('may be installed under the name of the church, with icons that are there', async () => {
    const visitor = asVisitor(site())
    const { body: page } = await ask(visitor, 'GET /share')
    expect(page).toContain('<link rel="manifest" href="/manifest.webmanifest">')
    inSiteDatabase(site(), (database) =>
      database.exec("INSERT INTO churches (name) VALUES ('Zion Chapel Springfield')"),
    )
    const { headers, body } = await ask(visitor, 'GET /manifest.webmanifest')
    expect(headers['content-type']).toBe('application/manifest+json')
    const manifest = JSON.parse(body)
    expect(manifest).toMatchObject({ name: 'Zion Chapel Springfield', short_name: 'Worship', start_url: '/share' })
    for (const { src, type } of manifest.icons)
      expect(await ask(visitor, `GET ${src}`)).toMatchObject({ status: 200, headers: { 'content-type': type } })
  })

  it('has a worker that may load from this site and nothing else', async () => {
    const { status, headers } = await ask(asVisitor(site()), 'GET /worker.js')
    expect(status).toBe(200)
    expect(headers['content-type']).toMatch(/javascript/)
    expect(headers['content-security-policy']).toBe("default-src 'none';connect-src 'self'")
    expect(headers['cache-control']).not.toContain('immutable')
    const { headers: ofPage } = await ask(asVisitor(site()), 'GET /share')
    expect(ofPage['content-security-policy']).toContain("worker-src 'self'")
  })
})
