import type { Locator } from '@playwright/test'
import { expect, test } from './fixtures.ts'

test.describe('the page for an address that does not exist', () => {
  test.use({ expectedErrors: /status of 404/ })

  test('has status 404, says so and links to the main page', async ({ page }) => {
    for (const path of ['/nope', '/a/b/c', '/share/x', '/admin/x', '/Share']) {
      const reply = await page.goto(path)
      expect(reply?.status(), path).toBe(404)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('404 Page Not Found')
      await expect(page.getByText('Did you forget to add the page to the router?')).toBeVisible()
      await expect(page).toHaveTitle(/404 Page Not Found/)
      await expect(page.getByRole('heading', { level: 1 }).locator('svg')).toHaveCount(1)
    }
    await page.getByRole('link', { name: 'Back to Main Page' }).click()
    await expect(page).toHaveURL('/')
    await expect(page.getByRole('button', { name: 'Submit RSVP' })).toBeVisible()
  })

  test('has a red icon on a light gray background, dark gray in the dark color scheme', async ({ page }) => {
    await page.goto('/nope')
    const icon = page.getByRole('heading', { level: 1 }).locator('svg')
    const colorOf = (element: Locator, property: 'color' | 'backgroundColor') =>
      element.evaluate((seen, property) => {
        const pixel = new OffscreenCanvas(1, 1).getContext('2d')
        if (!pixel) throw new Error('There is no canvas.')
        pixel.fillStyle = getComputedStyle(seen)[property]
        pixel.fillRect(0, 0, 1, 1)
        return Array.from(pixel.getImageData(0, 0, 1, 1).data)
      }, property)
    for (const [colorScheme, isExpected] of [
      ['light', (lightness: number) => lightness > 200 && lightness < 250],
      ['dark', (lightness: number) => lightness < 60],
    ] as const) {
      await page.emulateMedia({ colorScheme })
      const [red = 0, green = 0, blue = 0] = await colorOf(icon, 'color')
      expect(red - Math.max(green, blue), `${colorScheme} icon`).toBeGreaterThan(60)
      const gray = await colorOf(page.locator('body'), 'backgroundColor')
      expect(gray[3]).toBe(255)
      const channels = gray.slice(0, 3)
      expect(Math.max(...channels) - Math.min(...channels), `${colorScheme} ${gray}`).toBeLessThan(12)
      expect(isExpected(channels[0] ?? 0), `${colorScheme} ${gray}`).toBe(true)
    }
  })

  test('fills the screen and centers a card', async ({ page }) => {
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.goto('/nope')
    const main = await page.getByRole('main').boundingBox()
    const card = await page.getByText('Did you forget to add the page to the router?').boundingBox()
    if (main === null || card === null) throw new Error('Nothing is shown.')
    expect(main.height).toBeGreaterThan(700)
    expect(Math.abs(card.x + card.width / 2 - 640)).toBeLessThan(10)
    expect(Math.abs(card.y + card.height / 2 - 450)).toBeLessThan(120)
  })
})
