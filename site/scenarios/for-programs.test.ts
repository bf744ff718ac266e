import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { readCalendar } from '#db/calendar/calendar-fixtures.ts'
import { testPicture } from '#db/church-fixtures.ts'
import { testEvent } from '#testing/database-fixtures.ts'
import { ask, expectProblem } from './fixtures.ts'
import { administeredSite, asVisitor } from './guarded-fixtures.ts'

const site = administeredSite()
const see = (path: string) => ask(asVisitor(site()), `GET ${path}`)

/** Changes what the site shows, as an administrator does. */
async function change(call: string, json: unknown): Promise<void> {
  expect(await ask(site(), call, { json })).toMatchObject({ status: 200 })
}

/** What a chat reads of a page. */
async function tagsOf(path: string) {
  const { status, body: html } = await see(path)
  expect(status).toBe(200)
  const metas = html.matchAll(/<meta (?:property|name)="([^"]+)" content="([^"]*)"/g)
  const tags = Object.fromEntries(Array.from(metas, ([, name = '', content = '']) => [name, unescaped(content)]))
  return { html, tags }
}

/** Of an attribute, as Astro writes it. */
function unescaped(content: string): string {
  return content.replaceAll('&quot;', '"').replaceAll('&amp;', '&')
}

describe('what a chat reads of the link', () => {
  it.each(['/', '/share'])('on %s is the invitation, with the address of the share page', async (path) => {
    const origin = new URL(site().url).origin
    const { tags, html } = await tagsOf(path)
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
    // Slack reads the first 32 kB.
    expect(html.lastIndexOf('<meta property="og:')).toBeLessThan(16_000)
  })

  it('names the next service and the church, once they are known', async () => {
    await change('PATCH /api/schedule', { weekday: 0, startTime: '18:30', timeZone: 'America/Chicago' })
    await change('PATCH /api/church', { name: 'Grace & Truth' })
    expect((await tagsOf('/share')).tags).toMatchObject({
      'og:title': 'Sabbath Worship Service · Grace & Truth',
      'og:site_name': 'Grace & Truth',
      'og:description': expect.stringMatching(/^Sunday, [A-Z][a-z]+ \d+, 6:30 PM · 123 Main Street/),
    })
    await change('POST /api/event', testEvent({ description: 'Come. '.repeat(50) }))
    const { 'og:description': description = '' } = (await tagsOf('/share')).tags
    expect(description).toMatch(/^Sunday, [A-Z][a-z]+ \d+, 6:30 PM · .+…$/)
    expect(description.length).toBeLessThanOrEqual(200)
  })
})

describe('the picture that chats show', () => {
  /** As every network takes it, also within pages of others. */
  async function seePreview(): Promise<string> {
    const { tags } = await tagsOf('/share')
    const { pathname } = new URL(tags['og:image'] ?? '')
    const { status, headers, bytes } = await see(pathname)
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

describe('the share page', () => {
  /** The longest rule that fits decides, as RFC 9309 has it. */
  function mayVisit(robots: string, path: string): boolean {
    const rules = Array.from(robots.matchAll(/^(Allow|Disallow): (.+)$/gm), ([, kind, prefix = '']) => ({
      kind,
      prefix,
    }))
    const [rule] = rules
      .filter(({ prefix }) => path.startsWith(prefix))
      .sort((one, other) => other.prefix.length - one.prefix.length)
    return rule?.kind !== 'Disallow'
  }

  it('may be visited by robots with everything that it needs to be drawn, and nothing else', async () => {
    const { body: page } = await see('/share')
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
    const name = 'Zion Chapel Springfield'
    await change('PATCH /api/church', { name })
    expect((await see('/share')).body).toContain('<link rel="manifest" href="/manifest.webmanifest">')
    const { headers, body } = await see('/manifest.webmanifest')
    expect(headers['content-type']).toBe('application/manifest+json')
    const manifest = JSON.parse(body)
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

describe('the calendar', () => {
  const FILE = '/calendar.ics'

  it('is a file that phones open, with the link to the share page, and one day of it where that is asked for', async () => {
    await change('POST /api/event', testEvent({ date: 'Every Sunday', eventTitle: 'Songs; and, prayers' }))
    await change('PATCH /api/schedule', { weekday: 0, startTime: '10:00', timeZone: 'America/Chicago' })
    const reply = await see(FILE)
    expect(reply.status).toBe(200)
    expect(reply.headers).toMatchObject({
      'content-type': 'text/calendar; charset=utf-8',
      'content-disposition': 'inline; filename="service.ics"',
      'cache-control': 'private, no-cache',
    })
    const { event, text } = readCalendar(reply.body)
    const summary = 'Songs; and, prayers, Zion Chapel Springfield'
    expect([event.summary, text('url')]).toEqual([summary, `${site().url}/share`])

    const [, , { date }] = JSON.parse((await see('/api/schedule')).body).services
    const { event: day } = readCalendar((await see(`${FILE}?date=${date}`)).body)
    expect([day.isRecurring(), day.startDate.toString()]).toEqual([false, `${date}T10:00:00`])
    const toGoogle = await see(`${FILE}?date=${date}&to=google`)
    expect(toGoogle.status).toBe(303)
    expect(toGoogle.headers.location).toContain(`dates=${date.replaceAll('-', '')}T100000%2F`)
    expectProblem(await see(`${FILE}?date=2026-11-21`), 404)
    expectProblem(await see(`${FILE}?date=x`), 400)
  })
})
