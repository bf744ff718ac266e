import { describe, expect, it } from 'vitest'
import { testEvent } from '#db/fixtures.ts'
import { attackingTexts } from '#site/e2e/attacking-texts.ts'
import { ask, testSite } from '#site/scenarios/fixtures.ts'
import { administeredSite, asVisitor } from '#site/scenarios/guarded-fixtures.ts'
import { change, tagsOf } from './fixtures.ts'

/** The elements in the head of a page, without what stands in their attributes. */
function elementsOfHead(html: string): string[] {
  const [, head = ''] = /<head>(.*)<\/head>/s.exec(html.replace(/<noscript>.*?<\/noscript>/s, '')) ?? []
  const withoutTexts = head.replaceAll(/"[^"]*"/g, '')
  return Array.from(new Set(Array.from(withoutTexts.matchAll(/<[^/ >]+/g), ([element]) => element))).sort()
}

describe('what a chat reads of the link', () => {
  const site = administeredSite()

  it.each(['/', '/share'])('on %s is the invitation, with the address of the share page', async (path) => {
    const origin = new URL(site().url).origin
    const tags = await tagsOf(asVisitor(site()), path)
    expect(tags).toMatchObject({
      ogTitle: 'Sabbath Worship Service',
      ogDescription: expect.stringMatching(
        /^Every Sabbath · 10:00 AM · 123 Main Street, Springfield\. Come as you are/,
      ),
      ogUrl: `${origin}/share`,
      ogType: 'website',
      ogSiteName: 'Sabbath Worship Service',
      ogLocale: 'en_US',
      twitterCard: 'summary_large_image',
    })
    expect(tags.image).toEqual({
      url: expect.stringMatching(new RegExp(`^${origin}/preview/[0-9a-f]{16}\\.jpg$`)),
      type: 'image/jpeg',
      width: '1200',
      height: '630',
      alt: 'Sabbath Worship Service. Every Sabbath · 10:00 AM · 123 Main Street, Springfield',
    })
    expect(tags.html).toContain(`<link rel="canonical" href="${origin}/share">`)
  })

  it('is at the beginning of the page, of which Slack reads 32 kB, and says no moment of which no one is sure', async () => {
    const { html, markup } = await tagsOf(asVisitor(site()))
    expect(html.lastIndexOf('<meta property="og:')).toBeLessThan(16_000)
    expect(markup).toBeUndefined()
  })

  it('names the next service and the church, once they are known', async () => {
    await change(site(), 'PATCH /api/schedule', { weekday: 0, startTime: '18:30', timeZone: 'America/Chicago' })
    await change(site(), 'PATCH /api/church', { name: 'Grace & Truth' })
    const { services } = JSON.parse((await ask(asVisitor(site()), 'GET /api/schedule')).body)
    const tags = await tagsOf(asVisitor(site()))
    expect(tags.ogSiteName).toBe('Grace & Truth')
    expect(tags.ogDescription).toMatch(/^Sunday, [A-Z][a-z]+ \d+, 6:30 PM · 123 Main Street/)
    const { markup } = tags
    expect(markup).toMatchObject({
      '@type': 'Event',
      name: 'Sabbath Worship Service',
      location: { '@type': 'Place', address: '123 Main Street, Springfield' },
      eventStatus: 'https://schema.org/EventScheduled',
      organizer: { '@type': 'Organization', name: 'Grace & Truth' },
      image: [tags.image?.url],
    })
    expect(markup?.startDate).toMatch(/^\d{4}-\d\d-\d\dT18:30:00-0[56]:00$/)
    expect(markup?.endDate).toMatch(/^\d{4}-\d\d-\d\dT20:30:00-0[56]:00$/)
    expect(new Date(markup?.startDate ?? '').toISOString()).toBe(services[0].startsAt)
  })
})

describe('what a chat reads of the link to any event', () => {
  const site = testSite()

  it('stays a text, whatever an event says', async () => {
    await change(site(), 'PATCH /api/schedule', { weekday: 6 })
    for (let first = 0; first < attackingTexts.length; first += 3) {
      const [title = '', location = '', description = ''] = attackingTexts.slice(first)
      await change(site(), 'POST /api/event', testEvent({ title, location, description }))
      const { html, ...tags } = await tagsOf(site())
      expect(tags.ogTitle).toBe(title)
      expect(tags.markup).toMatchObject({ name: title, description, location: { name: location } })
      expect(elementsOfHead(html)).toEqual(['<link', '<meta', '<script', '<title'])
    }
  })
})
