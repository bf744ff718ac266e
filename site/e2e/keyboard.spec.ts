import type { Page } from '@playwright/test'
import { expect, open, roleButton, storeManyRsvps, storeRsvps, test, testRsvp, testRsvps } from './fixtures.ts'

/** How often Tab has to be pressed until the focus leaves the page. */
async function countTabStops(page: Page, path: string): Promise<number> {
  await open(page, path)
  // What follows the arrow keys is loaded once a field is touched.
  await page.getByRole('textbox').or(page.getByRole('searchbox')).first().focus()
  await page.waitForLoadState('networkidle')
  await page.getByRole('contentinfo').getByRole('link').or(page.locator('footer summary')).last().focus()
  await page.keyboard.press('Tab')
  for (let count = 0; count < 100; count++) {
    await page.keyboard.press('Tab')
    if (await page.evaluate(() => document.activeElement === document.body)) return count
  }
  return Number.POSITIVE_INFINITY
}

test.describe('the keyboard', () => {
  test('needs few tab stops, however many responses there are', async ({ page, site }) => {
    await storeManyRsvps(site, 500)
    expect(await countTabStops(page, '/')).toBe(21)
    expect(await countTabStops(page, '/share')).toBe(18)
    expect(await countTabStops(page, '/admin')).toBe(28)
  })

  test('moves through roles and responses with the arrow keys', async ({ page, site }) => {
    await storeRsvps(site, [testRsvp({ name: 'Ben Roe', phone: '+1 555 0100' }), ...testRsvps(2)])
    await open(page, '/share')
    await page.getByRole('button', { name: 'Add Family Member' }).focus()
    await page.waitForLoadState('networkidle')
    await page.keyboard.press('Tab')
    await expect(roleButton(page, 'Greeter')).toBeFocused()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('End')
    await page.keyboard.press('Space')
    await page.keyboard.press('Home')
    await page.keyboard.press('Tab')
    await expect(page.getByRole('button', { name: 'Remove Usher' })).toBeFocused()
    await expect(page.getByRole('listitem').filter({ has: page.getByRole('button') })).toHaveText([
      'Usher',
      'Fellowship Meal',
    ])

    await open(page, '/admin')
    await page.getByRole('checkbox', { name: 'Select all' }).focus()
    for (const key of ['Tab', 'ArrowDown', 'Space', 'ArrowDown', 'Tab', 'Tab']) await page.keyboard.press(key)
    await expect(page.getByRole('link', { name: '+1 555 0100' })).toBeFocused()
    await expect(page.getByText('The arrow keys lead to the other responses.')).toBeInViewport()
    await page.keyboard.press('Home')
    await expect(page.getByRole('row', { name: /Visitor 2/ }).getByRole('link')).toBeFocused()
    for (const key of ['Tab', 'Tab', 'ArrowDown']) await page.keyboard.press(key)
    await expect(page.getByRole('button', { name: 'Delete the RSVP of Visitor 1' })).toBeFocused()
    await expect(page.getByRole('checkbox', { name: 'Select Visitor 1' })).toBeChecked()
  })
})
