import { deleteSelected, expect, expectToast, open, test, toast } from './fixtures.ts'
import { endSessions, guarded, PASSWORD, readRsvpsAs, signIn, signInForm } from './guarded.ts'
import { storeRsvps, testRsvps } from './stored.ts'

test.describe('after the session has ended', () => {
  test.use({ variables: guarded, expectedErrors: /status of 401|Failed to (delete RSVPs|initialize event)/ })

  test('an action reports it, changes nothing and offers to sign in', async ({ page, site }) => {
    await storeRsvps(site, testRsvps(2))
    await signIn(page)
    await open(page, '/admin?tab=settings')
    endSessions(site)
    await page.getByLabel('New role').fill('Sound')
    await page.getByLabel('New role').press('Enter')
    await expectToast(page, 'Error', 'Failed to add the role. You are no longer signed in.')
    await expect(page.getByLabel('New role')).toHaveValue('Sound')
    await signIn(page)
    await open(page, '/admin')
    endSessions(site)
    await page.getByRole('checkbox', { name: 'Select all' }).check()
    await deleteSelected(page)
    const failure = 'Failed to delete RSVPs. 0 responses were deleted, 2 not.'
    await expectToast(page, 'Error', `${failure} You are no longer signed in.`)
    await expect(page.getByRole('checkbox', { name: 'Select all' })).toBeChecked()
    await toast(page).getByRole('button', { name: 'Sign in' }).click()
    await expect(signInForm(page).password).toBeFocused()
    await signInForm(page).password.fill(PASSWORD)
    await signInForm(page).submit.click()
    await expect(page.getByRole('heading', { name: 'Administration' })).toBeVisible()
    expect(await readRsvpsAs(page)).toHaveLength(2)
  })
})
