import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { testPicture } from '#db/church/picture-fixtures.ts'
import { testEvent } from '#testing/database-fixtures.ts'
import { ask, type Site } from './fixtures.ts'
import { administeredSite, asVisitor } from './guarded-fixtures.ts'

/** What a chat reads of a page. */
async function tagsOf(site: Site, path = '/share') {
  const { status, body: html } = await ask(site, `GET ${path}`)
  expect(status).toBe(200)
  const metas = html.matchAll(/<meta (?:property|name)="([^"]+)" content="([^"]*)"/g)
  const tags = Object.fromEntries(Array.from(metas, ([, name = '', content = '']) => [name, unescaped(content)]))
  return { html, tags }
}

/** Of an attribute, as Astro writes it. */
function unescaped(content: string): string {
  return content.replaceAll('&quot;', '"').replaceAll('&amp;', '&')
}

/** Changes what the site shows, as an administrator does. */
async function change(site: Site, call: string, json: unknown): Promise<void> {
  expect(await ask(site, call, { json })).toMatchObject({ status: 200 })
}

describe('what a chat reads of the link', () => {
  const site = administeredSite()

  it.each(['/', '/share'])('on %s is the invitation, with the address of the share page', async (path) => {
    const origin = new URL(site().url).origin
    const { tags, html } = await tagsOf(asVisitor(site()), path)
    expect(tags).toMatchObject({
      'og:title': 'Sabbath Worship Service',
      'og:description': expect.stringMatching(
        /^Every Sabbath · 10:00 AM · 123 Main Street, Springfield · Join us in worship and fellowship · Come as you/,
      ),
      'og:url': `${origin}/share`,
      'og:type': 'website',
      'og:site_name': 'Sabbath Worship Service',
      'og:locale': 'en_US',
      'og:image': `${origin}/preview.jpg`,
      'og:image:type': 'image/jpeg',
      'og:image:width': '1200',
      'og:image:height': '630',
      'og:image:alt': 'Sabbath Worship Service',
      'twitter:card': 'summary_large_image',
    })
    expect(html).toContain(`<link rel="canonical" href="${origin}/share">`)
  })

  it('is at the beginning of the page, of which Slack reads 32 kB', async () => {
    const { html } = await tagsOf(asVisitor(site()))
    expect(html.lastIndexOf('<meta property="og:')).toBeLessThan(16_000)
  })

  it('names the next service and the church, once they are known', async () => {
    await change(site(), 'PATCH /api/schedule', { weekday: 0, startTime: '18:30', timeZone: 'America/Chicago' })
    await change(site(), 'PATCH /api/church', { name: 'Grace & Truth' })
    const { tags } = await tagsOf(asVisitor(site()))
    expect(tags).toMatchObject({
      'og:title': 'Sabbath Worship Service · Grace & Truth',
      'og:site_name': 'Grace & Truth',
      'og:description': expect.stringMatching(/^Sunday, [A-Z][a-z]+ \d+, 6:30 PM · 123 Main Street/),
    })
    await change(site(), 'POST /api/event', testEvent({ description: 'Come. '.repeat(50) }))
    const { 'og:description': description = '' } = (await tagsOf(asVisitor(site()))).tags
    expect(description).toMatch(/^Sunday, [A-Z][a-z]+ \d+, 6:30 PM · .+…$/)
    expect(description.length).toBeLessThanOrEqual(200)
  })
})

describe('the picture that chats show', () => {
  const site = administeredSite()

  /** As every network takes it, also within pages of others. */
  async function seePreview(): Promise<string> {
    const { tags } = await tagsOf(asVisitor(site()))
    const { pathname } = new URL(tags['og:image'] ?? '')
    const { status, headers, bytes } = await ask(asVisitor(site()), `GET ${pathname}`)
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'image/jpeg',
      // Signal shows none without it.
      'content-length': String(bytes.length),
      'cross-origin-resource-policy': 'cross-origin',
    })
    const { width, height } = await sharp(bytes).metadata()
    expect([tags['og:image:width'], tags['og:image:height']]).toEqual([`${width}`, `${height}`])
    return pathname
  }

  it("is ours, or the church's, with another address for another picture", async () => {
    expect(await seePreview()).toBe('/preview.jpg')
    const headers = { 'content-type': 'image/jpeg' }
    const seen = []
    for (const width of [2000, 1000]) {
      const body = await testPicture({ width, height: 1200 })
      expect(await ask(site(), 'PUT /api/church/picture', { body, headers })).toMatchObject({ status: 200 })
      seen.push(await seePreview())
    }
    expect(seen).toEqual([expect.stringMatching(/-1600\.jpg$/), expect.stringMatching(/-1000\.jpg$/)])
  })
})
