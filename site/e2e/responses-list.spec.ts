import { dayOf, expect, fillForm, open, readRsvps, storeManyRsvps, storeRsvps, test, testRsvps } from './fixtures.ts'

// Far from the server's zone and language: both must write the same days.
test.use({ timezoneId: 'Pacific/Kiritimati', locale: 'de-DE' })

test.describe('the responses list', () => {
  test('shows the last five on a share view, with name, status and date', async ({ page, site }) => {
    await storeRsvps(site, testRsvps(7))
    await open(page, '/share')
    const list = page.getByRole('region', { name: "Who's Coming?" })
    await expect(list.getByRole('columnheader')).toHaveText(['Name', 'Status', 'Date'])
    await expect(list.getByRole('row').getByRole('rowheader')).toHaveText(
      [7, 6, 5, 4, 3].map((number) => `Guest ${number}`),
    )
    const [{ createdAt }] = await readRsvps(site)
    expect(dayOf(createdAt)).toMatch(/^[A-Z][a-z]{2} \d{1,2}, \d{4}$/)
    await expect(list.getByRole('row').nth(1).getByRole('cell').last()).toHaveText(dayOf(createdAt))
    await expect(list.getByRole('link')).toHaveCount(0)
  })

  test('tells attending from not attending by word, icon and colour', async ({ page, site }) => {
    await storeRsvps(site, testRsvps(3))
    await open(page, '/share')
    const status = (name: string) => page.getByRole('row').filter({ hasText: name }).getByRole('cell').first()
    await expect(status('Guest 1')).toHaveText('Attending')
    await expect(status('Guest 3')).toHaveText('Not Attending')
    await expect(status('Guest 1').locator('svg')).toHaveCount(1)
    await expect(status('Guest 3').locator('svg')).toHaveCount(1)
    const drawing = (name: string) => status(name).locator('svg').innerHTML()
    expect(await drawing('Guest 1')).not.toBe(await drawing('Guest 3'))
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      const [green, red] = await Promise.all(
        ['Guest 1', 'Guest 3'].map((name) =>
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

  test('shows all on the main page, more than the server draws too, and leads to the administration', async ({
    page,
    site,
  }) => {
    await storeManyRsvps(site, 205)
    await open(page, '/')
    const list = page.getByRole('region', { name: 'Recent Responses' })
    await list.scrollIntoViewIfNeeded()
    await expect(list.getByRole('row')).toHaveCount(206)
    await expect(list.getByRole('rowheader', { name: 'Guest 1', exact: true })).toHaveCount(1)
    await expect(page.getByText('Loading responses...')).toHaveCount(0)
    await list.getByRole('link', { name: 'View All Responses' }).click()
    await expect(page).toHaveURL('/admin')
    await expect(page.getByRole('row')).toHaveCount(206)
  })

  test("shows a person's own answer at once, and asks for nothing again", async ({ page, site }) => {
    await storeRsvps(site, testRsvps(5))
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await open(page, '/share')
    await fillForm(page)
    await page.getByRole('button', { name: 'Submit RSVP' }).click()
    const list = page.getByRole('region', { name: "Who's Coming?" })
    await expect(list.getByRole('row').getByRole('rowheader')).toHaveText([
      'Ana Cole',
      'Guest 5',
      'Guest 4',
      'Guest 3',
      'Guest 2',
    ])
    const stored = await readRsvps(site)
    await expect(list.getByRole('row').nth(1)).toHaveText(`Ana ColeAttending${dayOf(stored[0].createdAt)}`)
    expect(asked).not.toContain('/api/rsvps')
    expect(stored).toHaveLength(6)
  })

  test('shows it also where the list has not been in sight before', async ({ page, site }) => {
    await storeRsvps(site, testRsvps(1))
    await page.setViewportSize({ width: 375, height: 667 })
    await open(page, '/share')
    await fillForm(page)
    await page.getByRole('button', { name: 'Submit RSVP' }).click()
    await expect(page.getByText('Thank you, Ana Cole')).toBeVisible()
    await page.getByRole('region', { name: "Who's Coming?" }).scrollIntoViewIfNeeded()
    await expect(page.getByRole('rowheader', { name: 'Ana Cole' })).toBeVisible()
    await expect(page.getByRole('row')).toHaveCount(3)
  })

  test('shows it also where the site was away when the list came into sight', async ({ page, context, site }) => {
    await storeRsvps(site, testRsvps(1))
    await page.setViewportSize({ width: 375, height: 667 })
    await open(page, '/share')
    await page.waitForLoadState('networkidle')
    await context.setOffline(true)
    await page.getByRole('region', { name: "Who's Coming?" }).scrollIntoViewIfNeeded()
    // Astro tries once more after a second.
    await page.waitForTimeout(1500)
    await context.setOffline(false)
    await fillForm(page)
    await page.getByRole('button', { name: 'Submit RSVP' }).click()
    await expect(page.getByText('Thank you, Ana Cole')).toBeVisible()
    await expect(page.getByRole('rowheader', { name: 'Ana Cole' })).toBeVisible()
  })

  test('says so where nobody has answered yet', async ({ page }) => {
    await open(page, '/share')
    await expect(page.getByText('Nobody has answered yet. Be the first!')).toBeVisible()
    await expect(page.getByRole('columnheader')).toHaveText(['Name', 'Status', 'Date'])
    await fillForm(page)
    await page.getByRole('button', { name: 'Submit RSVP' }).click()
    await expect(page.getByRole('rowheader', { name: 'Ana Cole' })).toBeVisible()
    await expect(page.getByText('Nobody has answered yet. Be the first!')).toHaveCount(0)
  })

  test.describe('where it cannot be loaded', () => {
    test.use({ expectedErrors: /status of 500/ })

    test('offers to try again, which then works', async ({ page, site }) => {
      await storeManyRsvps(site, 205)
      await page.route('**/api/rsvps', (route) => route.fulfill({ status: 500, body: 'no' }))
      await open(page, '/')
      const list = page.getByRole('region', { name: 'Recent Responses' })
      await list.scrollIntoViewIfNeeded()
      await expect(list.getByText('The responses could not be loaded.')).toBeVisible()
      await expect(list.getByText('Loading responses...')).toHaveCount(0)
      await page.unrouteAll()
      await list.getByRole('button', { name: 'Try Again' }).click()
      await expect(list.getByRole('row')).toHaveCount(206)
      await expect(list.getByText('The responses could not be loaded.')).toHaveCount(0)
    })
  })
})
