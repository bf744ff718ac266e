import type { Page } from '@playwright/test'
import { age, expect, expectSubmitted, fillForm, open, pickRole, readRsvps, submit, test } from './fixtures.ts'

const addMember = (page: Page) => page.getByRole('button', { name: 'Add Family Member' })
const member = (page: Page, number: number) => page.getByLabel(`Name of family member ${number}`)
const others = (page: Page) => page.getByLabel('Others of my family will come')
const thanks = (page: Page) => page.locator('.thanks')

test.describe('the family of an RSVP', () => {
  test('is added and removed, each member with its own text, age and message, up to twenty', async ({ page, site }) => {
    await open(page, '/share')
    await fillForm(page)
    await addMember(page).click()
    await addMember(page).click()
    await member(page, 2).fill('Joel')
    await submit(page).click()
    await expect(member(page, 1)).toBeFocused()
    await page.getByRole('button', { name: 'Remove family member 1' }).click()
    await expect(addMember(page)).toBeFocused()
    await expect(page.getByText('Name is required')).toHaveCount(0)
    await member(page, 1).press('Enter')
    const ages = page.getByRole('radiogroup', { name: 'Age group of Joel' })
    await expect(ages.getByRole('radio', { name: 'Adult' })).toBeFocused()
    expect(await readRsvps(site)).toEqual([])
    for (const name of ['Dina', 'Mara']) {
      await addMember(page).click()
      await page.keyboard.type(name)
    }
    await page.getByText('Adult').first().click()
    // The second press takes the age back.
    for (const _press of [1, 2]) await page.getByText('Teen').nth(1).click()
    await page.getByText('Child', { exact: true }).nth(2).click()
    await expect(age(page, 'Teen', 2)).not.toBeChecked()
    await page.getByRole('button', { name: 'Remove family member 2' }).click()
    await expect(member(page, 2)).toHaveValue('Mara')
    await expect(age(page, 'Child', 2)).toBeChecked()

    await submit(page).click()
    await expectSubmitted(page)
    expect((await readRsvps(site))[0].familyMembers).toEqual([
      { name: 'Joel', age: 'adult', attending: true },
      { name: 'Mara', age: 'child', attending: true },
    ])
    await fillForm(page)
    for (let count = 1; count <= 20; count++) await addMember(page).press('Enter')
    await expect(page.getByText('An RSVP has room for 20 family members.')).toBeVisible()
    await page.getByRole('button', { name: 'Remove family member 20' }).click()
    await expect(page.getByText('An RSVP has room for')).toHaveCount(0)
  })

  test('is not sent where the visitor does not come, unless others do, and roles never are', async ({ page, site }) => {
    await open(page, '/share')
    await expect(others(page)).toBeHidden()
    for (const othersCome of [false, true]) {
      await fillForm(page)
      await addMember(page).click()
      await page.keyboard.type('Joel')
      await pickRole(page, 'Greeter')
      await page.getByText("No, I can't").click()
      await expect(member(page, 1)).toBeHidden()
      await expect(page.locator('.rsvp-form__roles')).toBeHidden()
      await expect(page.getByText('Tick this to send the family members you added.')).toBeVisible()
      if (othersCome) {
        // Switching the choice loses nothing that was typed.
        await page.getByText("Yes, I'll attend").click()
        await expect(page.getByRole('button', { name: 'Remove Greeter' })).toBeVisible()
        await page.getByText("No, I can't").click()
        await others(page).check()
        await expect(page.getByText('Tick this to send')).toBeHidden()
        await expect(member(page, 1)).toHaveValue('Joel')
      }
      await submit(page).click()
      await expect(thanks(page)).toContainText(othersCome ? 'Coming without you: Joel' : 'Not Attending')
      await expect(thanks(page)).not.toContainText('Greeter')
      if (!othersCome) await expect(thanks(page)).not.toContainText('Joel')
    }
    expect(await readRsvps(site)).toMatchObject([
      { attending: false, familyMembers: [{ name: 'Joel', attending: true }], volunteerSignups: [] },
      { attending: false, familyMembers: [], volunteerSignups: [] },
    ])
  })
})
