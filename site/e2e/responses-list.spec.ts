import { dayOf, expect, fillForm, open, readRsvps, storeManyRsvps, storeRsvps, test, testRsvps } from './fixtures.ts'

// A zone and a language other than the server's, and one that the site does not have: the browser must still write the same days as the server.
test.use({ timezoneId: 'Pacific/Kiritimati', locale: 'ja-JP' })

test.describe('the responses list', () => {
  test('shows the last five on a share view, with name, status and date', async ({ page, site }) => {
    await storeRsvps(site, testRsvps(7))
    await open(page, '/share')
    const list = page.getByRole('region', { name: "Who's Coming?" })
    await expect(list.getByRole('columnheader')).toHaveText(['Name', 'Status', 'Date'])
    await expect(list.getByRole('row').getByRole('rowheader')).toHaveText(
      [7, 6, 5, 4, 3].map((number) => `Visitor ${number}`),
    )
    const [{ createdAt }] = await readRsvps(site)
    expect(dayOf(createdAt)).toMatch(/^[A-Z][a-z]{2} \d{1,2}, \d{4}$/)
    await expect(list.getByRole('row').nth(1).getByRole('cell').last()).toHaveText(dayOf(createdAt))
    await expect(list.getByRole('link')).toHaveCount(0)
    const leftOf = (name: 'columnheader' | 'cell' | 'rowheader', place = 0) =>
      list
        .getByRole(name)
        .nth(place)
        .evaluate((each) => Math.round(each.getBoundingClientRect().x))
    for (const width of [768, 1040, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      const headings = [await leftOf('columnheader'), await leftOf('columnheader', 1), await leftOf('columnheader', 2)]
      const below = [await leftOf('rowheader'), await leftOf('cell'), await leftOf('cell', 1)]
      expect([width, headings]).toEqual([width, below])
      expect((await list.getByRole('columnheader').first().boundingBox())?.height).toBeGreaterThan(10)
    }
  })

  test('distinguishes attending from not attending by word, icon and color', async ({ page, site }) => {
    await storeRsvps(site, testRsvps(3))
    await open(page, '/share')
    const status = (name: string) => page.getByRole('row').filter({ hasText: name }).getByRole('cell').first()
    await expect(status('Visitor 1')).toHaveText('Attending')
    await expect(status('Visitor 3')).toHaveText('Not Attending')
    await expect(status('Visitor 1').locator('svg')).toHaveCount(1)
    await expect(status('Visitor 3').locator('svg')).toHaveCount(1)
    const iconOf = (name: string) => status(name).locator('svg').innerHTML()
    expect(await iconOf('Visitor 1')).not.toBe(await iconOf('Visitor 3'))
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      const [green, red] = await Promise.all(
        ['Visitor 1', 'Visitor 3'].map((name) =>
          status(name)
            .locator('*')
            .first()
            .evaluate((mark) => {
              const pixel = new OffscreenCanvas(1, 1).getContext('2d')
              if (!pixel) throw new Error('There is no canvas.')
              pixel.fillStyle = getComputedStyle(mark).color
              pixel.fillRect(0, 0, 1, 1)
              const [r = 0, g = 0] = pixel.getImageData(0, 0, 1, 1).data
              return r - g
            }),
        ),
      )
      expect(green).toBeLessThan(-20)
      expect(red).toBeGreaterThan(20)
    }
  })

  test('shows a page on the main page, a link to the older ones, and links to the administration', async ({
    page,
    site,
  }) => {
    await storeManyRsvps(site, 205)
    const calls: string[] = []
    page.on('request', (request) => request.url().includes('/api/rsvps') && calls.push(request.url()))
    await open(page, '/')
    const list = page.getByRole('region', { name: 'Recent Responses' })
    const pages = page.getByRole('navigation', { name: 'Pages of responses' })
    await list.scrollIntoViewIfNeeded()
    await expect(list.getByRole('row')).toHaveCount(101)
    await expect(pages.getByRole('link')).toHaveText(['Older'])
    await pages.getByRole('link', { name: 'Older' }).click()
    await expect(list.getByRole('row').nth(1)).toContainText('Visitor 105')
    await expect(pages.getByRole('link')).toHaveText(['Newest', 'Older'])
    await pages.getByRole('link', { name: 'Older' }).click()
    await expect(list.getByRole('row')).toHaveCount(6)
    await expect(list.getByRole('rowheader', { name: 'Visitor 1', exact: true })).toHaveCount(1)
    await expect(pages.getByRole('link')).toHaveText(['Newest'])
    await page.goBack()
    await expect(list.getByRole('row').nth(1)).toContainText('Visitor 105')
    await pages.getByRole('link', { name: 'Newest' }).click()
    await expect(list.getByRole('row').nth(1)).toContainText('Visitor 205')
    expect(calls).toEqual([])
    await list.getByRole('link', { name: 'View All Responses' }).click()
    await expect(page).toHaveURL('/admin?week=all')
    await expect(page.getByRole('row')).toHaveCount(101)
  })

  test("shows the visitor's own RSVP only where the newest are", async ({ page, site }) => {
    await storeManyRsvps(site, 105)
    await open(page, '/?before=6')
    await fillForm(page)
    await page.getByRole('button', { name: 'Submit RSVP' }).click()
    await expect(page.getByText('Thank you, Ana Cole')).toBeVisible()
    await expect(page.getByRole('rowheader', { name: 'Ana Cole' })).toHaveCount(0)
    await expect(page.getByRole('row')).toHaveCount(6)
  })

  test("shows the visitor's own RSVP at once, without another request", async ({ page, site }) => {
    await storeRsvps(site, testRsvps(5))
    const requests: string[] = []
    page.on('request', (request) => requests.push(new URL(request.url()).pathname))
    await open(page, '/share')
    await fillForm(page)
    await page.getByRole('button', { name: 'Submit RSVP' }).click()
    const list = page.getByRole('region', { name: "Who's Coming?" })
    await expect(list.getByRole('row').getByRole('rowheader')).toHaveText([
      'Ana Cole',
      'Visitor 5',
      'Visitor 4',
      'Visitor 3',
      'Visitor 2',
    ])
    const stored = await readRsvps(site)
    await expect(list.getByRole('row').nth(1)).toHaveText(`Ana ColeAttending${dayOf(stored[0].createdAt)}`)
    expect(requests).not.toContain('/api/rsvps')
    expect(stored).toHaveLength(6)
  })

  test("shows the visitor's own RSVP also where it is out of sight", async ({ page, site }) => {
    await storeRsvps(site, testRsvps(1))
    await page.setViewportSize({ width: 375, height: 667 })
    await open(page, '/share')
    await fillForm(page)
    await page.getByRole('button', { name: 'Submit RSVP' }).click()
    await expect(page.getByText('Thank you, Ana Cole')).toBeVisible()
    await page.mouse.wheel(0, 10_000)
    await expect(page.getByRole('rowheader', { name: 'Ana Cole' })).toBeVisible()
    await expect(page.getByRole('row')).toHaveCount(3)
  })

  test('says so where there are no responses yet', async ({ page }) => {
    await open(page, '/share')
    await expect(page.getByText('No responses yet. Be the first!')).toBeVisible()
    await expect(page.getByRole('columnheader')).toHaveText(['Name', 'Status', 'Date'])
    await fillForm(page)
    await page.getByRole('button', { name: 'Submit RSVP' }).click()
    await expect(page.getByRole('rowheader', { name: 'Ana Cole' })).toBeVisible()
    await expect(page.getByText('No responses yet. Be the first!')).toHaveCount(0)
  })
})
