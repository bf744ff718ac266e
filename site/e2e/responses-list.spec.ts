import {
  dayOf,
  expect,
  fillForm,
  open,
  readRsvps,
  storeManyRsvps,
  storeRsvps,
  submit,
  test,
  testRsvps,
  thanked,
} from './fixtures.ts'

// A zone and a language other than the server's, and one that the site does not have: the browser must still write the
// same days as the server.
test.use({ timezoneId: 'Pacific/Kiritimati', locale: 'ja-JP' })

test.describe('the responses list', () => {
  test('shows the last five on a share view, and the visitor’s own RSVP at once, without another request', async ({
    page,
    site,
  }) => {
    const requests: string[] = []
    page.on('request', (request) => requests.push(new URL(request.url()).pathname))
    await open(page, '/share')
    await expect(page.getByText('No responses yet. Be the first!')).toBeVisible()
    await storeRsvps(site, testRsvps(7))
    await page.reload()
    const list = page.getByRole('region', { name: "Who's Coming?" })
    const names = list.getByRole('row').getByRole('rowheader')
    await expect(page.getByText('No responses yet. Be the first!')).toHaveCount(0)
    await expect(list.getByRole('columnheader')).toHaveText(['Name', 'Status', 'Date'])
    await expect(names).toHaveText([7, 6, 5, 4, 3].map((number) => `Visitor ${number}`))
    await expect(list.getByRole('link')).toHaveCount(0)
    const edges = (name: 'columnheader' | 'cell' | 'rowheader') =>
      list.getByRole(name).evaluateAll((all) => all.map((each) => Math.round(each.getBoundingClientRect().x)))
    for (const width of [768, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      const below = [(await edges('rowheader'))[0], ...(await edges('cell')).slice(0, 2)]
      expect(await edges('columnheader'), `${width} px`).toEqual(below)
    }

    await test.step('attending and not attending differ by word, icon and color', async () => {
      const status = (name: string) => page.getByRole('row').filter({ hasText: name }).getByRole('cell').first()
      await expect(status('Visitor 4')).toHaveText('Attending')
      await expect(status('Visitor 3')).toHaveText('Not Attending')
      const iconOf = (name: string) => status(name).locator('svg').innerHTML()
      expect(await iconOf('Visitor 4')).not.toBe(await iconOf('Visitor 3'))
      const rednessOf = (name: string) =>
        status(name)
          .locator('*')
          .first()
          .evaluate((mark) => {
            const pixel = new OffscreenCanvas(1, 1).getContext('2d')
            if (!pixel) throw new Error('There is no canvas.')
            pixel.fillStyle = getComputedStyle(mark).color
            pixel.fillRect(0, 0, 1, 1)
            const [red = 0, green = 0] = pixel.getImageData(0, 0, 1, 1).data
            return red - green
          })
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        expect(await rednessOf('Visitor 4')).toBeLessThan(-20)
        expect(await rednessOf('Visitor 3')).toBeGreaterThan(20)
      }
    })

    await fillForm(page)
    await submit(page).click()
    await expect(names).toHaveText(['Ana Cole', 'Visitor 7', 'Visitor 6', 'Visitor 5', 'Visitor 4'])
    const stored = await readRsvps(site)
    expect(dayOf(stored[0].createdAt)).toMatch(/^[A-Z][a-z]{2} \d{1,2}, \d{4}$/)
    await expect(list.getByRole('row').nth(1)).toHaveText(`Ana ColeAttending${dayOf(stored[0].createdAt)}`)
    expect(requests).not.toContain('/api/rsvps')
    expect(stored).toHaveLength(8)
  })

  test('shows a page on the main page, links to older ones, and the visitor’s own only where the newest are', async ({
    page,
    site,
  }) => {
    await storeManyRsvps(site, 205)
    await open(page, '/')
    const list = page.getByRole('region', { name: 'Recent Responses' })
    const pages = page.getByRole('navigation', { name: 'Pages of responses' })
    await expect(list.getByRole('row')).toHaveCount(101)
    await expect(pages.getByRole('link')).toHaveText(['Older'])
    await pages.getByRole('link', { name: 'Older' }).click()
    await expect(list.getByRole('row').nth(1)).toContainText('Visitor 105')
    await expect(pages.getByRole('link')).toHaveText(['Newest', 'Older'])
    await pages.getByRole('link', { name: 'Older' }).click()
    await expect(list.getByRole('row')).toHaveCount(6)
    await expect(pages.getByRole('link')).toHaveText(['Newest'])
    await page.goBack()
    await expect(list.getByRole('row').nth(1)).toContainText('Visitor 105')
    await open(page, '/?before=6')
    await fillForm(page)
    await submit(page).click()
    await expect(thanked(page)).toBeVisible()
    await expect(list.getByRole('rowheader', { name: 'Ana Cole' })).toHaveCount(0)
    await expect(list.getByRole('row')).toHaveCount(6)
    await list.getByRole('link', { name: 'View All Responses' }).click()
    await expect(page).toHaveURL('/admin?week=all')
    await expect(page.getByRole('row')).toHaveCount(101)
  })
})
