import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, open, roles, send, storeRsvps, test, testRsvps } from './fixtures.ts'

const event = {
  title: 'Harvest Festival',
  subtitle: 'Bring bread',
  description: 'We give thanks.',
  date: 'October 4',
  time: '11:15 AM',
  location: '7 Mill Lane',
}

test.describe('a page', () => {
  test('is rendered by the server with its event, form and responses', async ({ site }) => {
    await send(site, 'POST', '/api/event', event)
    await storeRsvps(site, testRsvps(7))
    const [main, share, admin] = await Promise.all(
      ['/', '/share', '/admin'].map(async (path) => (await fetch(site.url + path)).text()),
    )
    for (const html of [main, share]) {
      for (const text of [...Object.values(event), 'Add Family Member', 'Usher', 'iCal', 'Submit RSVP', 'Visitor 7'])
        expect(html).toContain(text)
    }
    expect(main).toContain('>Visitor 1<')
    expect(share).toContain('>Visitor 3<')
    expect(share).not.toContain('Visitor 2')
    for (const text of ['RSVP Responses', 'Download CSV', 'Delete Selected', '>Visitor 1<', 'ana@cole.example'])
      expect(admin).toContain(text)
    for (const html of [main, share, admin]) expect(html).not.toContain('Loading')
  })

  for (const path of ['/', '/share', '/admin']) {
    test(`shifts no layout and changes no heading while it loads: ${path}`, async ({ page, site }) => {
      await send(site, 'POST', '/api/event', event)
      await storeRsvps(site, testRsvps(20))
      await page.addInitScript(() => {
        const stale = { content: { pageTitle: 'Last year' }, hydrated: true, unsent: false }
        localStorage.setItem('event-store', JSON.stringify(stale))
        const seen = { shifted: 0, places: [] as string[], headings: new Set<string>() }
        Object.assign(window, { seen })
        new PerformanceObserver((list) => {
          for (const shift of list.getEntries()) {
            const { value, sources } = Object(shift)
            seen.shifted += value
            for (const { node } of sources) seen.places.push((node?.outerHTML ?? node?.data ?? '').slice(0, 80))
          }
        }).observe({ type: 'layout-shift', buffered: true })
        new MutationObserver(() => {
          for (const heading of document.querySelectorAll('h1')) seen.headings.add(heading.textContent)
        }).observe(document, { subtree: true, childList: true, characterData: true })
      })
      await open(page, path)
      await page.waitForLoadState('networkidle')
      const seen = await page.evaluate(async () => {
        await document.fonts.ready
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
        const { shifted, places, headings } = Object(window).seen
        return { shifted, places, headings: [...headings] }
      })
      expect(seen.headings).toEqual([path === '/admin' ? 'Administration' : 'Harvest Festival'])
      expect(seen.shifted, seen.places.join('\n')).toBeLessThan(0.01)
    })
  }

  test.describe('of which only a part has arrived', () => {
    test.use({ javaScriptEnabled: false })

    for (const { path, end, rest } of [
      { path: '/admin', end: '<div class="counts"', rest: '.counts' },
      { path: '/admin?tab=settings', end: ' id="church"', rest: '#church' },
    ]) {
      test(`has its beginning where it stays: ${path}`, async ({ page }) => {
        const head = page.locator('.tabs__panel .panel__head').first()
        await page.goto(path)
        const whole = await head.boundingBox()
        await page.route(path, async (route) => {
          const response = await route.fetch()
          const [body] = (await response.text()).split(end)
          await route.fulfill({ response, body })
        })
        await page.reload()
        await expect(page.locator(rest)).toHaveCount(0)
        expect(await head.boundingBox()).toEqual(whole)
      })
    }
  })

  test.describe('while the database cannot be read', () => {
    test.use({ ownSite: true, expectedErrors: /status of 503/ })

    test('says Loading... and shows the rest as soon as it can be read', async ({ page, site }) => {
      await send(site, 'POST', '/api/event', event)
      await storeRsvps(site, testRsvps(2))
      const other = new DatabaseSync(join(site.folder, 'rsvp.db'))
      other.exec('BEGIN EXCLUSIVE')
      const reply = await page.goto('/')
      expect(reply?.status()).toBe(503)
      expect(await reply?.headerValue('retry-after')).toBe('5')
      await expect(page.getByText('Loading...', { exact: true })).toBeVisible()
      await expect(page.getByText('Loading responses...', { exact: true })).toBeVisible()
      await expect(page.getByRole('button', { name: 'Submit RSVP' })).toBeVisible()

      other.exec('ROLLBACK')
      other.close()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Harvest Festival')
      await expect(page.getByRole('rowheader', { name: 'Visitor 2' })).toBeVisible()
      await expect(page.getByRole('group', { name: 'Family Members' })).toBeVisible()
      await expect(roles(page)).toBeVisible()
      await expect(page.getByRole('radio', { name: 'iCal' })).toBeVisible()
      await expect(page.getByText(/^Loading/)).toHaveCount(0)
    })
  })
})
