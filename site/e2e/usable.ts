import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect } from './fixtures.ts'
import { testRsvp, testRsvps } from './stored.ts'

const longWord = 'Wolfeschlegelsteinhausenbergerdorff'.repeat(3)
export const arabic = 'عبد الرحمن بن محمد'

export const longRsvp = testRsvp({
  name: longWord,
  email: `${'a'.repeat(60)}@${'b'.repeat(60)}.example`,
  phone: '1'.repeat(40),
  message: longWord,
  familyMembers: [{ name: longWord }, { name: arabic }],
  volunteerRoles: [1, 2],
})

/** Responses that are hard to fit into a page, and five common ones. */
export const longRsvps = [longRsvp, testRsvp({ name: arabic, message: 'السلام عليكم (2).' }), ...testRsvps(5)]

/** Expects axe to report no violation, on the page or within a part of it where another test has the page. */
export async function expectNoFindings(page: Page, state: string, within = 'html', rules?: string[]): Promise<void> {
  // Axe does not judge contrast on a gradient. The color below it is nearly the same.
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('body { background-image: none !important }')
    document.adoptedStyleSheets.push(sheet)
  })
  // Without motion: a color that is still changing has the contrast of neither scheme.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  // Legacy mode runs in the page itself, without a second page for frames of other sites, which we do not have.
  // Describing what passes as well would take it twice the time.
  const axe = new AxeBuilder({ page })
    .setLegacyMode()
    .options({ resultTypes: ['violations'] })
    .include(within)
  const { violations } = await (rules ? axe.withRules(rules) : axe).analyze()
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
  expect(found, state).toEqual([])
}

/** In the dark scheme, which differs only in its colors. */
export async function expectDarkContrast(page: Page, state: string, within?: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectNoFindings(page, `${state}, dark`, within, ['color-contrast'])
  await page.emulateMedia({ colorScheme: 'light' })
}

/** How many pixels the page is wider than the window. */
export const overflowOf = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/** How many sheets of paper a PDF has. */
export const sheetsOf = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length

/**
 * Finds controls that are less than 44 px high. A checkbox or radio button counts together with its label. A link within
 * a text does not count, nor does a control that is hidden from people, e.g. the honeypot field.
 */
function findSmallTargets(): string[] {
  const targets = document.querySelectorAll<HTMLElement>('button, input, select, textarea, a[href], summary')
  const visible = [...targets].filter(
    (element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest('[aria-hidden="true"]'),
  )
  return visible.flatMap((element) => {
    const isInline = element.matches('a') && element.parentElement?.textContent?.trim() !== element.textContent?.trim()
    if (isInline && getComputedStyle(element).display === 'inline') return []
    const label = element.matches('[type=checkbox], [type=radio]') ? element.closest('label') : null
    const height = Math.max(...[element, label].map((box) => box?.getBoundingClientRect().height ?? 0))
    return height >= 43.9 || height <= 1 ? [] : [`${element.outerHTML} is ${height} px high`]
  })
}

/** Expects a state of a page to be accessible, to fit a phone, and to be large enough for fingers. */
export async function expectUsable(page: Page, state: string, within?: string): Promise<void> {
  await page.mouse.move(0, 0)
  await expectNoFindings(page, state, within)
  const size = page.viewportSize() ?? { width: 1280, height: 720 }
  await page.setViewportSize({ width: 320, height: 640 })
  await expect.poll(() => overflowOf(page), state).toBe(0)
  await page.setViewportSize({ width: 375, height: 800 })
  await expect.poll(() => page.evaluate(findSmallTargets), state).toEqual([])
  await page.setViewportSize(size)
}

/** How much has moved since the page was opened, and whether its empty form was to be seen. */
export function watchPage(): void {
  const seen = { shifted: 0, form: false }
  Object.assign(window, { seen })
  new PerformanceObserver((list) => {
    for (const shift of list.getEntries()) seen.shifted += 'value' in shift ? Number(shift.value) : 0
  }).observe({ type: 'layout-shift', buffered: true })
  const look = () => {
    seen.form ||= document.querySelector('#rsvp-form')?.checkVisibility({ visibilityProperty: true }) === true
    requestAnimationFrame(look)
  }
  look()
}

/** Expects that nothing has moved since `watchPage`, and that the empty form was to be seen or not. */
export async function expectStill(page: Page, form = false): Promise<void> {
  await page.waitForLoadState('networkidle')
  const seen = await page.evaluate(() => Object(window).seen)
  expect(seen.form).toBe(form)
  expect(seen.shifted).toBeLessThan(0.01)
}
