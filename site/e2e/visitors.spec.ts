import type { Page } from '@playwright/test'
import { expect, expectSubmitted, fillForm, open, storeRsvps, submit, test, testRsvp } from './fixtures.ts'
import { guarded } from './guarded.ts'

const detailedRsvp = testRsvp({ phone: '+1 555 0100', message: 'Pray for us', volunteerRoles: [2] })
const list = (page: Page) => page.getByRole('region', { name: /^(Recent Responses|Who's Coming\?)$/ })
test.describe('a visitor of a guarded site', () => {
  test.use({ variables: guarded })

  test('sees initials and no other details, and the own RSVP in full until it is done', async ({ page, site }) => {
    await storeRsvps(site, [detailedRsvp, testRsvp({ name: 'Ben', attending: false })])
    await open(page, '/')
    await expect(list(page).getByRole('row').nth(2).locator('th, td')).toHaveText(['Ana C.', 'Attending', /\d/])
    await expect(list(page).getByRole('rowheader', { name: 'B.', exact: true })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Edit' })).toHaveCount(0)
    await fillForm(page, 'Cy Fox')
    await submit(page).click()
    await expectSubmitted(page)
    await expect(list(page).getByRole('rowheader', { name: 'Cy Fox' })).toBeVisible()
    await page.reload()
    await expect(list(page).getByRole('rowheader', { name: 'Cy F.', exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Done' }).click()
    await expect(page.getByText('Cy Fox')).toHaveCount(0)
  })
})

test.describe('pages in open mode', () => {
  test.use({ expectedErrors: /status of 404|Failed to find the root element/ })

  test('start no island without their root element', async ({ page }) => {
    await page.route('**/nope', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, body: (await response.text()).replace('<div id="root">', '<div>') })
    })
    const failed = page.waitForEvent('pageerror')
    await page.goto('/nope')
    expect((await failed).message).toBe('Failed to find the root element')
    await page.waitForLoadState('networkidle')
    await expect(page.locator('astro-island:not([ssr])')).toHaveCount(0)
  })
})
