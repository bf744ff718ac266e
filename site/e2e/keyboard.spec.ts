import type { Locator, Page } from '@playwright/test'
import { expect, expectToast, open, tab, test, toast, waitForHydration } from './fixtures.ts'
import { roleButton } from './form.ts'
import { readRsvps, storeRsvps, testRsvps } from './stored.ts'

/** Presses Tab until something, or a control in it, has the focus; all that has it on the way can be seen, with its ring. */
async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
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

test.describe('the keyboard', () => {
  test('responds without a pointer', async ({ page, site }) => {
    await page.setViewportSize({ width: 320, height: 560 })
    await open(page, '/share')
    const footer = page.getByRole('contentinfo').getByRole('link')
    await tabTo(page, footer)
    const choices = page.getByRole('radiogroup', { name: 'Will you be attending?' })
    await tabTo(page, choices, 'Shift+Tab')
    await page.keyboard.press('Space')
    // Browsers differ in which of the two the way up leads to.
    if (await choices.getByRole('radio', { name: 'No' }).isChecked()) await page.keyboard.press('ArrowLeft')
    await tabTo(page, page.getByLabel('Name', { exact: true }))
    await page.keyboard.type('Ana Cole')
    await tabTo(page, page.getByRole('button', { name: 'Add Family Member' }))
    await page.keyboard.press('Enter')
    await page.keyboard.type('Joel')
    await page.keyboard.press('Enter')
    await page.keyboard.press('ArrowRight')
    await tabTo(page, roleButton(page, 'Greeter'))
    await page.keyboard.press('Enter')
    await tabTo(page, page.getByRole('button', { name: 'Remove Greeter' }))
    await tabTo(page, page.getByRole('button', { name: 'Submit RSVP' }))
    await page.keyboard.press('Enter')
    await expect(page.getByLabel('Email')).toBeFocused()
    await page.keyboard.type('ana@cole.example')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Thank you, Ana Cole' })).toBeFocused()
    await tabTo(page, page.getByRole('link', { name: 'Change or withdraw' }))
    expect(await readRsvps(site)).toMatchObject([{ name: 'Ana Cole', attending: true }])
  })

  test('moves between the tabs by the arrow keys, in Arabic to the left', async ({ page }) => {
    for (const [path, forwards] of [
      ['/admin', 'ArrowRight'],
      ['/admin?language=ar', 'ArrowLeft'],
    ] as const) {
      await open(page, path)
      await tab(page).first().focus()
      await page.keyboard.press(forwards)
      const settings = tab(page).nth(1)
      await expect(settings).toBeFocused()
      await expect(settings).toHaveAttribute('aria-selected', 'true')
      await expect(page).toHaveURL('/admin?tab=settings')
      await expect(page.getByRole('tabpanel')).toHaveAccessibleName((await settings.textContent()) ?? '')
      await page.keyboard.press('End')
      await expect(tab(page).last()).toBeFocused()
      await page.keyboard.press(forwards)
      await expect(tab(page).first()).toBeFocused()
    }
  })

  test('manages responses without a pointer', async ({ page, site }) => {
    await storeRsvps(site, testRsvps(12))
    await open(page, '/admin')
    await tabTo(page, page.getByRole('link', { name: 'Skip to the responses' }))
    await page.keyboard.press('Enter')
    await tabTo(page, page.getByRole('searchbox'))
    await page.keyboard.type('Visitor 1')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('rowheader')).toHaveText(['Visitor 12', 'Visitor 11', 'Visitor 10', 'Visitor 1'])
    await page.waitForLoadState()
    await waitForHydration(page)

    await tabTo(page, page.getByRole('checkbox', { name: 'Select Visitor 12' }))
    await page.keyboard.press('Space')
    await tabTo(page, page.getByRole('checkbox', { name: 'Select Visitor 11' }))
    await page.keyboard.press('Space')
    await expect(page.getByText('2 selected')).toBeVisible()
    await tabTo(page, page.getByRole('button', { name: 'Delete Selected' }), 'Shift+Tab')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('alertdialog')).toBeVisible()
    await tabTo(page, page.getByRole('button', { name: 'Delete', exact: true }))
    await page.keyboard.press('Enter')
    await expect(page.getByRole('rowheader')).toHaveText(['Visitor 10', 'Visitor 1'])
    await expectToast(page, 'RSVPs Deleted', '2 responses were deleted.')
    await page.keyboard.press('F8')
    await tabTo(page, toast(page).getByRole('button', { name: 'Undo' }))
  })
})
