import { describe, expect, it } from 'vitest'
import { ask, expectProblem, type Site } from '#site/scenarios/fixtures.ts'
import { guardedSite, inSiteDatabase } from '#site/scenarios/guarded-fixtures.ts'
import { asVisitor } from '#site/scenarios/guarded-fixtures.ts'
import { accentColors } from '#site/server/church/church.ts'

describe('the accent', () => {
  const site = guardedSite()

  it('is on every page as a style sheet that never changes, and on none without one', async () => {
    const visitor = asVisitor(site())
    const pages = ['/', '/share', '/privacy', '/answer', '/nope', '/admin']
    for (const path of pages) expect([path, await stylesOf(visitor, path)]).toEqual([path, undefined])
    inSiteDatabase(site(), (database) => database.exec("INSERT INTO churches (accent) VALUES ('#0b5d66')"))
    const [address = ''] = await Promise.all(pages.map((path) => stylesOf(visitor, path)))
    for (const path of pages) expect([path, await stylesOf(visitor, path)]).toEqual([path, address])

    const { status, headers, body } = await ask(visitor, `GET ${address}`)
    expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type: 'text/css; charset=utf-8' })
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(body).toContain(`--accent:${accentColors('#0b5d66').dark.accent};`)
    const again = { headers: { 'if-none-match': String(headers.etag) } }
    expect(await ask(visitor, `GET ${address}`, again)).toMatchObject({ status: 304, body: '' })
    const other = address.replace('0b5d66', '0b5d67')
    for (const path of [other, '/church/0b5d66.css', '/church/x-y.css'])
      expectProblem(await ask(visitor, `GET ${path}`), 404)
  })
})

/** The address of the style sheet that a page has beside those that were built. */
async function stylesOf(site: Site, path: string): Promise<string | undefined> {
  const { body } = await ask(site, `GET ${path}`)
  expect(body).toContain('</html>')
  return /<link rel="stylesheet" href="(\/church\/[^"]+)">/.exec(body)?.[1]
}
