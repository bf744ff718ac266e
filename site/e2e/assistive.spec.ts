import type { Page } from '@playwright/test'
import { expect, open, test } from './fixtures.ts'
import { fillForm, pickRole, submit } from './form.ts'
import { expectDarkContrast, expectUsable } from './usable.ts'

/** What live regions say from now on. Many screen readers stay silent on one that comes together with its text. */
async function listenTo(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const said: string[] = []
    Object.assign(window, { said })
    new MutationObserver((changes) => {
      for (const { target } of changes) {
        const within = target instanceof Element ? target : target.parentElement
        const text = within?.closest('[role=status], [role=alert], [aria-live]')?.textContent
        if (text && !said.includes(text)) said.push(text)
      }
    }).observe(document.body, { childList: true, subtree: true, characterData: true })
  })
  return () => page.evaluate(() => (window as unknown as { said: string[] }).said)
}

test('a screen reader says names, roles, order, errors and the thank-you', async ({ page }) => {
  await open(page, '/share')
  await page.getByRole('button', { name: 'Add Family Member' }).click()
  await page.keyboard.type('Joel')
  await expect(page.locator('[type=button][formnovalidate]')).toHaveCount(0)
  await pickRole(page, 'Usher')
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
          - button "Usher" [pressed]
          - list "Roles picked"
        - radiogroup "Add to Calendar"
        - textbox "Message (optional)"
        - button "Submit RSVP"
    - complementary:
      - region "Share with others"
      - region "Who's Coming?"
    - contentinfo
  `)
  const said = await listenTo(page)
  await submit(page).click()
  const choice = page.getByRole('radio', { name: "Yes, I'll attend" })
  await expect(choice).toBeFocused()
  await expect(choice).toHaveAccessibleDescription('Please choose whether you will attend.')
  await expectUsable(page, 'the form with mistakes', '#rsvp-form')
  await expectDarkContrast(page, 'the form with mistakes', '#rsvp-form')
  await fillForm(page)
  await submit(page).click()
  await expect(page.getByRole('heading', { name: /^See you .* Thank you, Ana Cole$/, level: 3 })).toBeFocused()
  await expect.poll(said).toContain('Notification RSVP SubmittedThank you for your response!')
})
