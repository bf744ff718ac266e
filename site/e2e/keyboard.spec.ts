import type { Locator, Page } from '@playwright/test'
import { expect, expectToast, open, tab, test, toast, waitForHydration } from './fixtures.ts'
import { addMember, roleButton, submit } from './form.ts'
import { readRsvps, storeRsvps, testRsvps } from './stored.ts'
import { expectDarkContrast, expectUsable } from './usable.ts'

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

/** What live regions announce from now on. Many screen readers stay silent on one that comes together with its text. */
async function listenTo(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const announced: string[] = []
    Object.assign(window, { announced })
    new MutationObserver((changes) => {
      for (const { target } of changes) {
        const within = target instanceof Element ? target : target.parentElement
        const text = within?.closest('[role=status], [role=alert], [aria-live]')?.textContent
        if (text && !announced.includes(text)) announced.push(text)
      }
    }).observe(document.body, { childList: true, subtree: true, characterData: true })
  })
  return () => page.evaluate(() => (window as unknown as { announced: string[] }).announced)
}

test.describe('the keyboard', () => {
  test('responds without a pointer, with what a screen reader announces at each step', async ({ page, site }) => {
    await page.setViewportSize({ width: 320, height: 560 })
    await open(page, '/share')
    await tabTo(page, page.getByRole('contentinfo').getByRole('link'))
    await tabTo(page, submit(page), 'Shift+Tab')
    await page.keyboard.press('Enter')
    const choice = page.getByRole('radio', { name: "Yes, I'll attend" })
    await expect(choice).toBeFocused()
    await expect(choice).toHaveAccessibleDescription('Please choose whether you will attend.')
    await expectUsable(page, 'the empty form with its mistakes', '#rsvp-form')
    await page.keyboard.press('Space')
    await tabTo(page, page.getByLabel('Name', { exact: true }))
    await page.keyboard.type('Ana Cole')
    await tabTo(page, addMember(page))
    await page.keyboard.press('Enter')
    await page.keyboard.type('Joel')
    await page.keyboard.press('Enter')
    await page.keyboard.press('ArrowRight')
    await tabTo(page, roleButton(page, 'Greeter'))
    await page.keyboard.press('Enter')
    await expect(page.locator('[type=button][formnovalidate]')).toHaveCount(0)
    await expect(page.locator('body')).toMatchAriaSnapshot(`
      - main:
        - article:
          - heading "Sabbath Worship Service" [level=1]
        - region "RSVP":
          - heading "RSVP" [level=2]
          - radiogroup "Will you be attending?"
          - combobox "For"
          - textbox "Name"
          - textbox "Email"
          - textbox "Phone (optional)"
          - group "Family Members":
            - textbox "Name of family member 1": Joel
            - radiogroup "Age group of Joel"
            - button "Add Family Member"
          - group "Volunteer Roles (optional)":
            - button "Greeter" [pressed]
            - list "Roles picked"
          - radiogroup "Add to Calendar"
          - textbox "Message (optional)"
          - button "Submit RSVP"
      - complementary:
        - region "Share with others"
        - region "Who's Coming?"
      - contentinfo
    `)
    const announced = await listenTo(page)
    await tabTo(page, page.getByRole('button', { name: 'Remove Greeter' }))
    await tabTo(page, submit(page))
    await page.keyboard.press('Enter')
    await expect(page.getByLabel('Email')).toBeFocused()
    await expectUsable(page, 'the form with a mistake', '#rsvp-form')
    await expectDarkContrast(page, 'the form with a mistake', '#rsvp-form')
    await page.keyboard.type('ana@cole.example')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: /^See you .* Thank you, Ana Cole$/, level: 3 })).toBeFocused()
    await expect.poll(announced).toContain('Notification RSVP SubmittedThank you for your response!')
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
