import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect } from './fixtures.ts'

/** Looks for faults in light and in dark. */
export async function expectNoFindings(page: Page, state: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const axe = new AxeBuilder({ page })
    // Dark differs from light in its colours alone.
    const { violations } = await (colorScheme === 'dark' ? axe.withRules('color-contrast') : axe).analyze()
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
    expect(found, `${state}, ${colorScheme}`).toEqual([])
  }
}

/** Where something sticks out sideways. */
export const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/**
 * What is too low for a thumb: a box or a radio counts with its label, a link only where no text runs around it. What is
 * meant for nobody, as the field for programs, does not count.
 */
export function lowTargets(): string[] {
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
