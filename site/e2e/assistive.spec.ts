import type { Page } from '@playwright/test'
import { expect, open, test } from './fixtures.ts'
import { fillForm, pickRole, submit } from './form.ts'

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

test.describe('what a screen reader says', () => {
  test('of the form: names, roles, order, errors, being offline and the thank-you', async ({ page }) => {
    await open(page, '/share')
    await page.getByRole('button', { name: 'Add Family Member' }).click()
    await page.keyboard.type('Joel')
    await expect(page.locator('[type=button][formnovalidate]')).toHaveCount(0)
    await pickRole(page, 'Usher')
    await expect(page.locator('body')).toMatchAriaSnapshot(`
      - main:
        - article:
          - time: /^((This|Today,) )?\\w+, \\w+ \\d+$/
          - paragraph: "Date: Every Sabbath"
          - paragraph: "Time: 10:00 AM"
          - heading "Sabbath Worship Service" [level=1]
          - paragraph: Join us in worship and fellowship
          - paragraph:
            - text: "Location:"
            - link "123 Main Street, Springfield"
        - region "RSVP":
          - heading "RSVP" [level=2]
          - radiogroup "Will you be attending?":
            - radio "Yes, I'll attend"
            - radio "No, I can't"
          - combobox "For"
          - textbox "Name"
          - textbox "Email"
          - textbox "Phone (optional)"
          - group "Family Members":
            - textbox "Name of family member 1": Joel
            - button "Remove family member 1"
            - radiogroup "Age group of Joel":
              - radio "Adult"
            - button "Add Family Member"
          - group "Volunteer Roles (optional)":
            - toolbar "Volunteer Roles":
              - button "Greeter"
              - button "Usher" [pressed]
            - list "Roles picked":
              - listitem:
                - text: Usher
                - button "Remove Usher"
          - radiogroup "Add to Calendar":
            - radio "Google Calendar"
          - textbox "Message (optional)"
          - button "Submit RSVP"
      - complementary:
        - region "Share with others":
          - link "Email"
          - link "WhatsApp"
          - button "Copy Link"
        - region "Who's Coming?":
          - paragraph: No responses yet.
      - contentinfo:
        - link "Privacy"
    `)
    const said = await listenTo(page)
    await page.context().setOffline(true)
    await expect.poll(said).toEqual(['You are offline. What you typed stays here.'])
    await page.context().setOffline(false)
    await submit(page).click()
    const choice = page.getByRole('radio', { name: "Yes, I'll attend" })
    await expect(choice).toBeFocused()
    await expect(choice).toHaveAccessibleDescription('Please choose whether you will attend.')
    await fillForm(page)
    await submit(page).click()
    await expect(page.getByRole('heading', { name: /^See you .* Thank you, Ana Cole$/, level: 3 })).toBeFocused()
    await expect.poll(said).toContain('Notification RSVP SubmittedThank you for your response!')
    await expect(page.getByRole('region', { name: 'RSVP' })).toMatchAriaSnapshot(`
      - region "RSVP":
        - heading /^See you .* at 10:00 AM Thank you, Ana Cole$/ [level=3]
        - paragraph: /We have written down your answer/
        - list:
          - listitem: Attending
          - listitem: "Coming: Ana Cole, Joel"
          - listitem: "You offered to help with: Usher"
        - paragraph:
          - link "Change or withdraw"
        - textbox "Your private link Whoever has it can change your RSVP."
        - button "Copy Private Link"
        - checkbox "Remember this on this device"
        - paragraph:
          - link "Directions"
        - paragraph: /the newest response counts/
        - button "Done"
    `)
  })
})
