import { expect, test } from './fixtures.ts'

test.describe('the page for an address that does not exist', () => {
  test.use({ expectedErrors: /status of 404/ })

  test('says so with status 404 and leads home', async ({ page }) => {
    for (const path of ['/nope', '/a/b/c', '/share/x', '/admin/x', '/Share']) {
      const answer = await page.goto(path)
      expect(answer?.status(), path).toBe(404)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('404 Page Not Found')
      await expect(page.getByText('Did you forget to add the page to the router?')).toBeVisible()
      await expect(page).toHaveTitle(/404 Page Not Found/)
      await expect(page.getByRole('heading', { level: 1 }).locator('svg')).toHaveCount(1)
    }
    await page.getByRole('link', { name: 'Back to Main Page' }).click()
    await expect(page).toHaveURL('/')
    await expect(page.getByRole('button', { name: 'Submit RSVP' })).toBeVisible()
  })

  test('fills the screen with a centred card', async ({ page }) => {
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
