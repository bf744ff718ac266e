import type { Page } from '@playwright/test'
import { deleteSelected, expect, expectToast, test, toast, waitForHydration } from './fixtures.ts'
import { guarded, PASSWORD, signInForm, waitForStoredEvent } from './guarded.ts'
import { changeDatabase, storeRsvps, testRsvp } from './stored.ts'
import { expectUsable } from './usable.ts'

// Chromium logs every page with an error status.
test.use({ variables: guarded, expectedErrors: /status of 401|Failed to (delete RSVPs|initialize event)/ })

const password = (page: Page) => signInForm(page).password

async function submitPassword(page: Page, given: string): Promise<void> {
  await password(page).fill(given)
  await password(page).press('Enter')
}

test('reports a wrong password, leads on, also after the session has ended, and is undone', async ({ page, site }) => {
  await storeRsvps(site, [testRsvp()])
  const asked = '/admin?status=attending&week=2026-11-14&q=%2F%2Fevil.example%0D%0A&next=//evil.example'
  const reply = await page.goto(asked)
  expect(reply?.status()).toBe(401)
  await expect(signInForm(page).heading).toBeVisible()
  await expect(password(page)).toBeFocused()
  await expect(password(page)).toHaveAttribute('autocomplete', 'current-password')
  const shown = page.getByLabel('Show password')
  await shown.check()
  await expect(password(page)).toHaveAttribute('type', 'text')
  await submitPassword(page, 'a wrong password')
  await expect(password(page)).toHaveAccessibleDescription('The password is wrong. Try again.')
  await expect(password(page)).toHaveAttribute('aria-invalid', 'true')
  await expect(password(page)).toBeFocused()
  await expect(password(page)).toHaveValue('')
  await expect(shown).not.toBeChecked()
  await expect(password(page)).toHaveAttribute('type', 'password')
  expect(await page.content()).not.toContain('a wrong password')
  await expectUsable(page, 'the sign-in with a wrong password')

  await submitPassword(page, PASSWORD)
  await expect(page).toHaveURL(asked)
  await expect(page.getByLabel('Search')).toHaveValue('//evil.example')
  await expect(page.getByText(/^Open mode/)).toHaveCount(0)

  await page.goto('/')
  await page.getByRole('link', { name: 'View All Responses' }).click()
  await expect(page.getByRole('cell', { name: 'ana@cole.example' })).toBeVisible()
  await expectUsable(page, 'the responses of a guarded site')
  await waitForStoredEvent(page)
  await waitForHydration(page)
  changeDatabase(site, 'DELETE FROM sessions')
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  await deleteSelected(page)
  const failure = 'Failed to delete RSVPs. 0 responses were deleted, 1 not.'
  await expectToast(page, 'Error', `${failure} You are no longer signed in.`)
  await expect(page.getByRole('checkbox', { name: 'Select all' })).toBeChecked()
  await toast(page).getByRole('button', { name: 'Sign in' }).click()
  await expect(password(page)).toBeFocused()
  await submitPassword(page, PASSWORD)
  await expect(page.getByRole('cell', { name: 'ana@cole.example' })).toBeVisible()
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('rowheader', { name: 'Ana C.' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Edit' })).toHaveCount(0)
  const names = (await page.context().cookies()).map(({ name }) => name)
  expect(names).not.toContain('rsvp-session')
  await page.goBack()
  await expect(signInForm(page).heading).toBeVisible()
  await expect(page.getByText('ana@cole.example')).toHaveCount(0)
})
