import type { Locator, Page } from '@playwright/test'
import { expect } from './fixtures.ts'

/** Presses Tab until something, or a control in it, has the focus; all that has it on the way can be seen, with its ring. */
export async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  for (let presses = 0; presses < 40; presses++) {
    await page.keyboard.press(key)
    await expect.poll(() => page.evaluate(findUnseenFocus)).toBe('')
    if (await target.evaluate((element) => element.contains(document.activeElement))) return
  }
  throw new Error(`40 times ${key} does not lead to ${target}`)
}

/** What has the focus, if something covers its middle (WCAG 2.4.11) or no ring is drawn around it (2.4.7). */
function findUnseenFocus(): string {
  const focused = document.activeElement
  if (!focused || focused === document.body) return ''
  const drawn = focused.closest('.choice') ?? focused
  // A link in a text has a box for each of its lines.
  const { left, top, width, height } = drawn.getClientRects()[0] ?? new DOMRect()
  const onTop = document.elementFromPoint(left + width / 2, top + height / 2)
  const isSeen = onTop && (drawn.contains(onTop) || onTop.closest('label')?.contains(drawn))
  const { outlineStyle, outlineWidth } = getComputedStyle(drawn)
  const hasRing = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2
  return isSeen && hasRing ? '' : `${focused.outerHTML} ${isSeen ? 'has no ring' : `is below ${onTop?.outerHTML}`}`
}
