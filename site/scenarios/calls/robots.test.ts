import { describe, expect, it } from 'vitest'
import { ask, testSite } from '#site/scenarios/fixtures.ts'

const site = testSite()

/** The longest rule that fits decides, as RFC 9309 has it. */
function mayVisit(robots: string, path: string): boolean {
  const rules = Array.from(robots.matchAll(/^(Allow|Disallow): (.+)$/gm), ([, kind, prefix = '']) => ({ kind, prefix }))
  const [rule] = rules
    .filter(({ prefix }) => path.startsWith(prefix))
    .sort((one, other) => other.prefix.length - one.prefix.length)
  return rule?.kind !== 'Disallow'
}

describe('robots', () => {
  it('may visit /share with everything that it needs to be drawn, and nothing else', async () => {
    const { body: robots } = await ask(site(), 'GET /robots.txt')
    const { body: page } = await ask(site(), 'GET /share')
    const needed = Array.from(
      page.matchAll(/<(?:link|script|img)[^>]*? (?:href|src)="(\/[^"]+)"|-url="(\/[^"]+)"/g),
      (found) => found[1] ?? found[2] ?? '',
    )
    expect(needed.length).toBeGreaterThan(5)
    expect(needed.filter((path) => !mayVisit(robots, path))).toEqual([])
    for (const path of ['/', '/admin', '/api/rsvps', '/unknown'])
      expect([path, mayVisit(robots, path)]).toEqual([path, false])
  })

  it.each(['/', '/share', '/admin', '/privacy'])('are told what %s is about', async (path) => {
    const { body } = await ask(site(), `GET ${path}`)
    expect(body).toMatch(/<meta name="description" content="[^"]{10,}">/)
  })
})

describe('the font', () => {
  it('is asked for once: its name holds the hash of its content, and the page asks for it early', async () => {
    const { body } = await ask(site(), 'GET /share')
    const [, font = ''] = /<link rel="preload" href="(\/assets\/[\w.-]+\.woff2)"/.exec(body) ?? []
    const reply = await ask(site(), `GET ${font}`, { headers: { 'accept-encoding': 'br, gzip' } })
    expect(reply.status).toBe(200)
    expect(reply.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(reply.headers['content-encoding']).toBeUndefined()
    const sheets = Array.from(body.matchAll(/href="(\/assets\/[\w.-]+\.css)"/g), ([, path]) => path)
    const styles = await Promise.all(sheets.map(async (path) => (await ask(site(), `GET ${path}`)).body))
    expect(styles.join('')).toContain(`url(${font})`)
  })
})
