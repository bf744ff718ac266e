import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, flattenGround } from './fixtures.ts'

/** Expects axe to report no violation, in the light and the dark color scheme. */
export async function expectNoFindings(page: Page, state: string): Promise<void> {
  await flattenGround(page)
  for (const colorScheme of ['light', 'dark'] as const) {
    // Without motion: a color that is still changing has the contrast of neither scheme.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    // Legacy mode runs in the page itself, without a second page for frames of other sites, which we do not have.
    const axe = new AxeBuilder({ page }).setLegacyMode()
    // The dark scheme differs only in its colors.
    const { violations } = await (colorScheme === 'dark' ? axe.withRules('color-contrast') : axe).analyze()
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
    expect(found, `${state}, ${colorScheme}`).toEqual([])
  }
}

/** How many pixels the page is wider than the window. */
export const overflowOf = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/**
 * Finds controls that are less than 44 px high. A checkbox or radio button counts together with its label. A link within
 * a text does not count, nor does a control that is hidden from people, e.g. the honeypot field.
 */
export function findSmallTargets(): string[] {
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
