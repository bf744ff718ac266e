import type { Page } from '@playwright/test'
import { expect, expectToast, fillForm, open, pickRole, readRsvps, test } from './fixtures.ts'

const submit = (page: Page) => page.getByRole('button', { name: 'Submit RSVP' })
const thanks = (page: Page) => page.locator('.thanks')
const others = (page: Page) => page.getByLabel('Others of my family will come')

/** Fills in a family member and a role, and then selects that the visitor cannot come. */
async function fillFormAndDecline(page: Page): Promise<void> {
  await fillForm(page)
  await page.getByRole('button', { name: 'Add Family Member' }).click()
  await page.keyboard.type('Joel')
  await pickRole(page, 'Greeter')
  await page.getByText("No, I can't").click()
}

test.describe('the thank-you', () => {
  test('is shown once, for the latest RSVP', async ({ page }) => {
    await open(page, '/share')
    for (const name of ['Ana Cole', 'Ben Roe', 'Cy Poe']) {
      await fillForm(page, name)
      await submit(page).click()
      await expect(page.getByRole('heading', { name: `Thank you, ${name}` })).toBeFocused()
      await expect(thanks(page)).toHaveCount(1)
    }
  })

  test('lists neither family members nor roles of a visitor who does not come', async ({ page, site }) => {
    await open(page, '/share')
    await expect(others(page)).toBeHidden()
    await fillFormAndDecline(page)
    await expect(page.getByLabel('Name of family member 1')).toBeHidden()
    await expect(page.locator('.rsvp-form__roles')).toBeHidden()
    await expect(page.getByText('Tick this to send the family members you added.')).toBeVisible()
    await submit(page).click()
    await expectToast(page, 'RSVP Submitted', 'Thank you for your response!')
    await expect(thanks(page)).toContainText('Not Attending')
    for (const text of ['Joel', 'Greeter', 'Coming']) await expect(thanks(page)).not.toContainText(text)
    expect(await readRsvps(site)).toMatchObject([{ attending: false, familyMembers: [], volunteerSignups: [] }])
  })

  test('lists family members who come without the visitor, and switching the choice loses nothing typed', async ({
    page,
    site,
  }) => {
    await open(page, '/share')
    await fillFormAndDecline(page)
    const joel = page.getByLabel('Name of family member 1')
    await others(page).check()
    await expect(page.getByText('Tick this to send')).toBeHidden()
    await expect(joel).toHaveValue('Joel')
    await others(page).uncheck()
    await expect(joel).toBeHidden()
    await page.getByText("Yes, I'll attend").click()
    await expect(joel).toHaveValue('Joel')
    await expect(page.getByRole('button', { name: 'Remove Greeter' })).toBeVisible()
    await page.getByText("No, I can't").click()
    await others(page).check()
    await submit(page).click()
    await expect(thanks(page)).toContainText('Coming without you: Joel')
    await expect(thanks(page)).not.toContainText('Greeter')
    expect(await readRsvps(site)).toMatchObject([
      { attending: false, familyMembers: [{ name: 'Joel', attending: true }], volunteerSignups: [] },
    ])
  })
})
