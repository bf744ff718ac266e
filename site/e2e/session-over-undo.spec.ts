import { expect, expectToast, open, readRsvps, storeRsvps, test, testRsvps, toast } from './fixtures.ts'
import { endSessions, guarded, PASSWORD, readRsvpsAs, signIn, signInForm } from './guarded.ts'

test.use({ variables: guarded, expectedErrors: /status of 401|Failed to delete RSVPs/ })

test.describe('after the session has ended', () => {
  test('Undo is offered again after signing in, whether a deletion or Undo itself was interrupted', async ({
    page,
    site,
  }) => {
    await storeRsvps(site, testRsvps(2))
    await signIn(page)
    await open(page, '/admin')
    const signInAgain = async () => {
      await signInForm(page).password.fill(PASSWORD)
      await signInForm(page).submit.click()
    }
    // The session ends between two calls.
    await page.route('**/api/rsvps/1', async (route) => {
      await expect.poll(async () => (await readRsvps(site)).length).toBe(1)
      endSessions(site)
      await route.continue()
    })
    await page.getByRole('checkbox', { name: 'Select all' }).check()
    await page.getByRole('button', { name: 'Delete Selected' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await signInAgain()
    await expectToast(page, 'Error', 'Failed to delete RSVPs. 1 response was deleted, 1 not.')
    endSessions(site)
    await toast(page).getByRole('button', { name: 'Undo' }).click()
    await expectToast(page, 'Error', 'Failed to restore RSVPs. You are no longer signed in.')
    await toast(page).getByRole('button', { name: 'Sign in' }).click()
    await signInAgain()
    await expectToast(page, 'Not Restored Yet', 'What was deleted can still be brought back.')
    await toast(page).getByRole('button', { name: 'Undo' }).click()
    await expectToast(page, 'RSVPs Restored', '1 response is back in the list.')
    expect(await readRsvpsAs(page)).toHaveLength(2)
  })
})
