import type { Locator, Page } from '@playwright/test'
import { expect, expectToast } from './fixtures.ts'
import { testRsvp } from './stored.ts'

/** Picks a role by its label. */
export async function pickRole(page: Page, label: string): Promise<void> {
  await roleButton(page, label).click()
}

export function roleButton(page: Page, label: string): Locator {
  return roles(page).getByRole('button', { name: label, exact: true })
}

export function roles(page: Page): Locator {
  return page.getByRole('group', { name: 'Volunteer Roles' })
}

/** One of the ages of a family member, e.g. `Teen`. */
export function age(page: Page, label: string, number = 1): Locator {
  return page
    .getByRole('radiogroup', { name: /^Age group of/ })
    .nth(number - 1)
    .getByRole('radio', { name: label })
}

export const addMember = (page: Page) => page.getByRole('button', { name: 'Add Family Member' })

/** The name of a family member. */
export const member = (page: Page, number = 1) => page.getByLabel(`Name of family member ${number}`)

/** What the tab keeps of a form that was not sent. */
export const draft = (page: Page) => page.evaluate(() => sessionStorage.getItem('rsvp-draft') ?? '')

/** Unfolds the rest of a thank-you. */
export async function openMore(page: Page): Promise<void> {
  await page.locator('.thanks details:not([open]) > summary').click()
}

/** Fills in the required fields; after a thank-you, of the form for another family. */
export async function fillForm(page: Page, name = 'Ana Cole'): Promise<void> {
  if (await page.locator('.thanks details:not([open])').isVisible()) await openMore(page)
  const another = page.getByRole('link', { name: 'Respond for another family' })
  if (await another.isVisible()) await another.click()
  await page.getByText("Yes, I'll attend").click()
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel('Email', { exact: true }).fill('ana@cole.example')
}

/** Fills in every field of the form. */
export async function fillEverything(page: Page): Promise<void> {
  await fillForm(page)
  await page.getByLabel('Phone').fill('+1 555 0100')
  await page.getByLabel('Message').fill('Two lines\nof thanks')
  await addMember(page).click()
  await member(page).fill('Joel')
  await page.getByText('Teen').click()
  await pickRole(page, 'Usher')
  await page.getByText('iCal').click()
}

/** Expects the form to hold what `fillEverything` has typed. */
export async function expectEverything(page: Page): Promise<void> {
  await expect(member(page)).toHaveValue('Joel')
  await expect(age(page, 'Teen')).toBeChecked()
  await expect(page.getByRole('button', { name: 'Remove Usher' })).toBeVisible()
  await expect(page.getByRole('radio', { name: "Yes, I'll attend" })).toBeChecked()
  await expect(page.getByRole('radio', { name: 'iCal' })).toBeChecked()
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Ana Cole')
  await expect(page.getByLabel('Email')).toHaveValue('ana@cole.example')
  await expect(page.getByLabel('Phone')).toHaveValue('+1 555 0100')
  await expect(page.getByLabel('Message')).toHaveValue('Two lines\nof thanks')
}

/** What the API gives of a response that was sent with everything filled in. */
export const everything = {
  ...testRsvp({ phone: '+1 555 0100', message: 'Two lines\nof thanks' }),
  calendarType: 'ical',
  familyMembers: [{ name: 'Joel', age: 'teen' }],
  volunteerSignups: [{ role: { name: 'Usher' } }],
}

/** As if the text had been copied elsewhere. */
export function paste(field: Locator, text: string): Promise<void> {
  return field.evaluate((element, copied) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text', copied)
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, text)
}

export const submit = (page: Page) => page.getByRole('button', { name: 'Submit RSVP' })

export const expectSubmitted = (page: Page) => expectToast(page, 'RSVP Submitted', 'Thank you for your response!')

export const thanked = (page: Page, name = 'Ana Cole') => page.getByRole('heading', { name: `Thank you, ${name}` })
