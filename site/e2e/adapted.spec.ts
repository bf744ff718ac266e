import type { Locator, Page } from '@playwright/test'
import { expect, fillForm, open, send, storeRsvps, test, testRsvp, toast } from './fixtures.ts'
import { overflowOf } from './usable.ts'

const long = 'Wolfeschlegelsteinhausenbergerdorff'.repeat(3).slice(0, 80)
const arabic = 'عبد الرحمن بن محمد'
const households = [
  testRsvp({ name: long, phone: '1'.repeat(40), message: long, familyMembers: [{ name: long }, { name: arabic }] }),
  testRsvp({ name: arabic, message: 'السلام عليكم (2).', volunteerRoles: [1, 2] }),
  testRsvp({ name: 'Ana (דוד) Cole', phone: '+1 555 0100' }),
]
const paths = ['/', '/share', '/admin', '/admin?tab=settings', '/admin?tab=share', '/admin/sheet', '/privacy']

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
  page.evaluate(() =>
    document
      .getAnimations()
      .filter(({ effect }) => Number(effect?.getComputedTiming().duration) > 1)
      .map((animation) => (animation.effect as KeyframeEffect).target?.outerHTML),
  )

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

test.describe('the site', () => {
  test('fits a window that is zoomed to 400 %, also with wider spaces and names in other letters', async ({
    page,
    site,
  }) => {
    await storeRsvps(site, households)
    for (const path of paths) {
      await page.setViewportSize({ width: 320, height: 256 })
      await open(page, path)
      expect(await overflowOf(page), `${path} zoomed`).toBe(0)
      if (path === '/admin') await page.getByRole('checkbox', { name: /^Select .?Ana/ }).check()
      await page.mouse.wheel(0, 2000)
      expect(await page.evaluate(coveredShare), `${path} zoomed`).toBeLessThan(0.2)
      await page.evaluate(() => {
        const sheet = new CSSStyleSheet()
        sheet.replaceSync(`* { line-height: 1.5 !important; letter-spacing: 0.12em !important;
          word-spacing: 0.16em !important } p { margin-bottom: 2em !important }`)
        document.adoptedStyleSheets = [sheet]
      })
      for (const width of [320, 1280]) {
        await page.setViewportSize({ width, height: 800 })
        await expect.poll(() => overflowOf(page), `${path} with spaces, ${width} px`).toBe(0)
        expect(await page.evaluate(findCutTexts), `${path} with spaces, ${width} px`).toEqual([])
      }
    }
  })

  test('begins on the right in Arabic, and lets each text run as its letters do', async ({ page, site }) => {
    await storeRsvps(site, households)
    const event = { title: 'T', subtitle: 'S', description: 'D.', date: 'Friday', time: '9 AM', location: '12 Elm St.' }
    await send(site, 'POST', '/api/event', event)
    for (const path of ['/admin', '/admin?tab=settings', '/admin/sheet', '/'])
      for (const width of [320, 768, 1280]) {
        await page.setViewportSize({ width, height: 800 })
        await open(page, path.includes('?') ? `${path}&language=ar` : `${path}?language=ar`)
        expect(await overflowOf(page), `${path}, ${width} px`).toBe(0)
        // Styles know columns by their names in the program: what people read is translated.
        if (path === '/admin') await expect(page.getByRole('rowheader').first()).toHaveCSS('font-weight', '600')
      }
    expect(await beginsOn(page.getByRole('link', { name: '12 Elm St.' }))).toBe('left')
    expect(await beginsOn(page.getByRole('rowheader', { name: arabic }).locator('[dir]'))).toBe('right')
    const title = page.getByRole('heading', { level: 1 })
    expect(await title.evaluate((element) => getComputedStyle(element).textAlign)).toMatch(/right$/)
  })

  test('shows choices, icons and selects where the system chooses the colors', async ({ page }) => {
    await page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' })
    await open(page, '/share')
    await fillForm(page)
    const borders = await page.locator('.choices--large .choice').evaluateAll((choices) =>
      choices.map((choice) => {
        const { borderTopColor, borderTopWidth } = getComputedStyle(choice)
        return `${borderTopWidth} ${borderTopColor}`
      }),
    )
    expect(borders[0]).not.toBe(borders[1])
    await expect(page.getByLabel('For', { exact: true })).toHaveCSS('appearance', 'auto')
    const strange = await page.evaluate(() =>
      Array.from(document.querySelectorAll('.icon'), (icon) => [icon, icon.parentElement] as const)
        .filter(([icon, text]) => text && getComputedStyle(icon).color !== getComputedStyle(text).color)
        .map(([icon]) => icon.outerHTML),
    )
    expect(strange).toEqual([])
  })

  test('moves nothing for people who asked for that', async ({ page, site }) => {
    await storeRsvps(site, households)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await open(page, '/share')
    await fillForm(page)
    expect(await running(page)).toEqual([])
    await page.getByRole('button', { name: 'Submit RSVP' }).click()
    await expect(toast(page)).toBeVisible()
    expect(await running(page)).toEqual([])
    await open(page, '/admin')
    await page
      .getByRole('button', { name: /^Delete the RSVP of .?Ana/ })
      .first()
      .click()
    expect(await running(page)).toEqual([])
  })
})
