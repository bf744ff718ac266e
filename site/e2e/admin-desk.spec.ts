import type { Page } from '@playwright/test'
import { expect, open, test } from './fixtures.ts'
import { confirmSchedule, storeManyRsvps, storeRsvps, testRsvp } from './stored.ts'
import { expectStill, watchPage } from './usable.ts'

const rows = (page: Page) => page.locator('[data-rsvp]')
const selectAll = (page: Page) => page.getByRole('checkbox', { name: 'Select all' })

test.describe('the list of the administration', () => {
  test('moves nothing while its lists are opened and its rows are ticked', async ({ page, site }) => {
    const weeks = await confirmSchedule(site)
    await storeManyRsvps(site, 30)
    await storeRsvps(site, [testRsvp({ serviceDate: weeks.next })])
    await page.addInitScript(watchPage)
    await open(page, '/admin?week=this')
    const otherWeeks = page.locator('summary', { hasText: 'Other weeks' })
    const allWeeks = page.getByRole('link', { name: 'All weeks' })
    await otherWeeks.click()
    await expect(allWeeks).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(allWeeks).toBeHidden()
    await expect(otherWeeks).toBeFocused()
    await page.mouse.wheel(0, 900)
    await rows(page).nth(12).getByRole('checkbox').check()
    await selectAll(page).click()
    await expect(page.getByText('30 selected')).toBeVisible()
    await expectStill(page)
  })
})
