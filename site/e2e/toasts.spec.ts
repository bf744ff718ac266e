import type { Locator, Page } from '@playwright/test'
import { expect, open, test, toast } from './fixtures.ts'
import { fillForm, submit, thanked } from './form.ts'

const focusIsInArea = (page: Page) =>
  page.evaluate(() => document.activeElement?.closest('[aria-label^="Notifications"]') !== null)

/** Shows a notice that needs no reply from the server. */
async function showNotice(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Delete Selected' }).click()
  await expect(toast(page)).toBeVisible()
}

/** The box of the notice after its animations. */
async function restingBox(page: Page) {
  await toast(page).evaluate((element) => Promise.all(element.getAnimations().map((animation) => animation.finished)))
  const box = await toast(page).boundingBox()
  if (box === null) throw new Error('No notice is shown.')
  return box
}

test.describe('a notice', () => {
  test.use({ contextOptions: { reducedMotion: 'no-preference' } })

  test('is focused by F8, closed by Escape, and in its place on each screen', async ({ page }) => {
    await open(page, '/admin')
    await page.waitForLoadState('networkidle')
    await showNotice(page)
    await page.keyboard.press('F8')
    await expect.poll(() => focusIsInArea(page)).toBe(true)
    await page.keyboard.press('Escape')
    await expect(toast(page)).toHaveCount(0)

    // At the top of a small screen, and at the bottom right of a larger one.
    await page.setViewportSize({ width: 375, height: 800 })
    await showNotice(page)
    const small = await restingBox(page)
    expect(small.y).toBeLessThan(40)
    expect(small.width).toBeGreaterThan(375 - 40)
    await page.setViewportSize({ width: 768, height: 800 })
    const large = await restingBox(page)
    expect(768 - (large.x + large.width)).toBeLessThan(40)
    expect(800 - (large.y + large.height)).toBeLessThan(40)
  })
})

/** Expects that it has the focus, and that the notice leaves it to be seen. */
async function expectUncovered(page: Page, spokenOf: Locator): Promise<void> {
  await expect(spokenOf).toBeFocused()
  const notice = await restingBox(page)
  const { y, height } = (await spokenOf.boundingBox()) ?? { y: 0, height: 0 }
  expect(y >= notice.y + notice.height || y + height <= notice.y).toBe(true)
  await expect(spokenOf).toBeInViewport({ ratio: 1 })
}

test('scrolls what a notice speaks of out of its way', async ({ page }) => {
  for (const [width, height] of [
    [844, 390],
    [640, 400],
    [320, 640],
  ] as const) {
    await page.setViewportSize({ width, height })
    await open(page, '/share')
    await fillForm(page)
    await submit(page).click()
    await expectUncovered(page, thanked(page))
    // Above what follows the thanks, e.g. its buttons.
    expect((await restingBox(page)).y, `${width} × ${height}`).toBeLessThan(40)
  }
  const button = page.getByRole('button', { name: 'Delete Selected' })
  await open(page, '/admin')
  await button.evaluate((element) => element.scrollIntoView({ block: 'start' }))
  await showNotice(page)
  await expectUncovered(page, button)
})

test.describe('a notice that is not closed', () => {
  test.use({ noticesExpire: true, expectedErrors: /ERR_FAILED/ })

  test('disappears after five seconds, also where the code for the first one did not load', async ({ page }) => {
    await page.clock.install()
    await page.route('**/assets/Toast.*', (route) => route.abort())
    await open(page, '/admin')
    const failed = page.waitForEvent('requestfailed')
    await page.getByRole('button', { name: 'Delete Selected' }).click()
    await failed
    await expect(toast(page)).toHaveCount(0)
    await page.unrouteAll()
    await showNotice(page)
    await page.clock.pauseAt(Date.now() + 60_000 * 60)
    await expect(toast(page)).toHaveCount(0)
    await showNotice(page)
    await page.clock.runFor(4900)
    await expect(toast(page)).toBeVisible()
    await page.clock.runFor(200)
    await expect(toast(page)).toHaveCount(0)
  })
})
