import type { Locator, Page } from '@playwright/test'
import { expect, open, tab, test, toast } from './fixtures.ts'
import { fillForm, submit } from './form.ts'
import { send, storeRsvps } from './stored.ts'
import { arabic, longRsvps, overflowOf } from './usable.ts'

/** What is cut off: no text may be, whatever its spacing (WCAG 1.4.12). */
function findCutTexts(): string[] {
  return Array.from(document.querySelectorAll<HTMLElement>('body *'))
    .filter((element) => element.checkVisibility() && element.clientWidth > 1 && !element.matches('input, select'))
    .filter((element) => /hidden|clip/.test(getComputedStyle(element).overflowX))
    .filter((element) => element.scrollWidth > element.clientWidth + 1)
    .map((element) => element.outerHTML)
}

/** How much of the window's height is covered by what stays in place while the page is scrolled. */
function coveredShare(): number {
  const fixed = Array.from(document.querySelectorAll<HTMLElement>('body *')).filter(
    (element) => /fixed|sticky/.test(getComputedStyle(element).position) && element.checkVisibility(),
  )
  return fixed.reduce((sum, element) => sum + element.offsetHeight, 0) / innerHeight
}

const running = (page: Page) =>
  page.evaluate(() => {
    const moving = ({ effect }: Animation) => Number(effect?.getComputedTiming().duration) > 1
    return document.getAnimations().filter(moving).length
  })

/** Where the first letter of a text in one line stands. */
const beginsOn = (text: Locator) =>
  text.evaluate((element) => {
    const letters = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode()
    if (!letters) return 'no text'
    const range = new Range()
    const leftOf = (place: number) => {
      range.setStart(letters, place)
      range.setEnd(letters, place + 1)
      return range.getBoundingClientRect().left
    }
    return leftOf(0) < leftOf((letters.textContent?.length ?? 0) - 1) ? 'left' : 'right'
  })

test.describe('every page', () => {
  // Two zones with long names: the settings show both.
  const longZone = { timeZone: 'America/Kentucky/Monticello' }
  test.use({ timezoneId: 'America/Argentina/Buenos_Aires' })

  test('fits at 400 % zoom, with wider spaces, and with text of twice the size', async ({ page, site }) => {
    await send(site, 'PATCH', '/api/schedule', longZone)
    await storeRsvps(site, longRsvps)
    const settings = ['#schedule', '#roles', '#church'].map((section) => `/admin?tab=settings${section}`)
    for (const path of ['/', '/admin?week=all', ...settings, '/admin/sheet']) {
      await page.setViewportSize({ width: 320, height: 256 })
      await open(page, path)
      expect(await overflowOf(page), `${path} zoomed`).toBe(0)
      if (path === '/admin?week=all') await page.getByRole('checkbox', { name: 'Select Visitor 5' }).check()
      await page.mouse.wheel(0, 2000)
      expect(await page.evaluate(coveredShare), `${path} zoomed`).toBeLessThan(0.2)
      await page.evaluate(() => {
        const sheet = new CSSStyleSheet()
        sheet.replaceSync(`* { line-height: 1.5 !important; letter-spacing: 0.12em !important;
          word-spacing: 0.16em !important } p { margin-bottom: 2em !important }`)
        document.adoptedStyleSheets = [sheet]
      })
      await page.setViewportSize({ width: 320, height: 800 })
      await expect.poll(() => overflowOf(page), `${path} with spaces`).toBe(0)
      expect(await page.evaluate(findCutTexts), `${path} with spaces`).toEqual([])
      await page.evaluate(() => {
        document.adoptedStyleSheets = []
        document.documentElement.style.setProperty('font-size', '200%')
      })
      await page.setViewportSize({ width: 390, height: 844 })
      await expect.poll(() => overflowOf(page), `${path} with large text`).toBe(0)
      const tabs = await tab(page).all()
      const overflows = tabs.map((tab) => tab.evaluate((element) => element.scrollWidth - element.clientWidth))
      expect(await Promise.all(overflows)).toEqual(tabs.map(() => 0))
      // Another section alone does not load a new page.
      await page.evaluate(() => document.documentElement.style.removeProperty('font-size'))
    }
  })

  test('fits in Arabic, begins on the right, and lets each text run as its letters do', async ({ page, site }) => {
    await send(site, 'PATCH', '/api/schedule', longZone)
    await storeRsvps(site, longRsvps.slice(0, 2))
    const event = { title: 'T', subtitle: 'S', description: 'D.', date: 'Friday', time: '9 AM', location: '12 Elm St.' }
    await send(site, 'POST', '/api/event', event)
    for (const path of ['/admin?language=ar&week=all', '/admin?tab=settings', '/']) {
      await page.goto(path)
      for (const width of [320, 1280]) {
        await page.setViewportSize({ width, height: 800 })
        expect(await overflowOf(page), `${path}, ${width} px`).toBe(0)
      }
      // Styles know columns by their names in the program: what people read is translated.
      if (path.startsWith('/admin?l')) await expect(page.getByRole('rowheader').first()).toHaveCSS('font-weight', '600')
    }
    expect(await beginsOn(page.getByRole('link', { name: '12 Elm St.' }))).toBe('left')
    expect(await beginsOn(page.getByText('9 AM'))).toBe('left')
    expect(await beginsOn(page.getByRole('rowheader', { name: arabic }).locator('[dir]'))).toBe('right')
    const title = page.getByRole('heading', { level: 1 })
    const alignment = (text: Locator) => text.evaluate((element) => getComputedStyle(element).textAlign)
    expect(await alignment(title)).toMatch(/right$/)
    // A message takes its own side.
    expect(await alignment(page.locator('[name=message]'))).toBe('start')
  })
})

test('keeps to the colors that the system chooses, and to no motion', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark', reducedMotion: 'reduce' })
  await open(page, '/share')
  await fillForm(page)
  const borders = await page
    .locator('.choices--large .choice')
    .evaluateAll((choices) => choices.map((choice) => getComputedStyle(choice).border))
  expect(borders[0]).not.toBe(borders[1])
  await expect(page.getByLabel('For', { exact: true })).toHaveCSS('appearance', 'auto')
  expect(await running(page)).toBe(0)
  await submit(page).click()
  await expect(toast(page)).toBeVisible()
  expect(await running(page)).toBe(0)
})
