import { expect, test } from './fixtures.ts'

test.describe('a page without its root element', () => {
  test.use({ expectedErrors: /Failed to find the root element|status of 404/ })

  for (const path of ['/', '/admin', '/nope']) {
    test(`stops with an error and starts no island: ${path}`, async ({ page }) => {
      await page.route(`**${path}`, async (route) => {
        const response = await route.fetch()
        await route.fulfill({ response, body: (await response.text()).replace('<div id="root">', '<div>') })
      })
      const failed = page.waitForEvent('pageerror')
      await page.goto(path)
      expect((await failed).message).toBe('Failed to find the root element')
      await page.waitForLoadState('networkidle')
      await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 5_000 })))
      const islands = page.locator('astro-island')
      expect(await islands.count()).toBeGreaterThan(0)
      await expect(page.locator('astro-island:not([ssr])')).toHaveCount(0)
    })
  }
})
