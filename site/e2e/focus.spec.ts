import { expect, expectToast, fillForm, open, pickRole, roleButton, storeRsvps, test, testRsvps } from './fixtures.ts'

test.describe('the keyboard focus', () => {
  test('stays close to a removed row or role, and each message stays with its family member', async ({ page }) => {
    await open(page, '/share')
    await fillForm(page)
    const add = page.getByRole('button', { name: 'Add Family Member' })
    await add.click()
    await add.click()
    await page.getByLabel('Name of family member 2').fill('Joel Cole')
    await page.getByRole('button', { name: 'Submit RSVP' }).click()
    await expect(page.getByLabel('Name of family member 1')).toBeFocused()
    await expect(page.getByText('Name is required')).toHaveCount(1)
    await page.getByRole('button', { name: 'Remove family member 1' }).click()
    await expect(add).toBeFocused()
    await expect(page.getByLabel('Name of family member 1')).toHaveValue('Joel Cole')
    await expect(page.getByText('Name is required')).toHaveCount(0)

    await pickRole(page, 'Usher')
    await page.getByRole('button', { name: 'Remove Usher' }).click()
    await expect(roleButton(page, 'Usher')).toBeFocused()
  })

  test('moves to the thank-you after an RSVP', async ({ page }) => {
    await open(page, '/share')
    await fillForm(page)
    await page.getByRole('button', { name: 'Submit RSVP' }).click()
    await expect(page.getByRole('heading', { name: 'Thank you, Ana Cole' })).toBeFocused()
  })

  test('moves to the row after a deleted one, and to the heading where there is none', async ({ page, site }) => {
    await storeRsvps(site, testRsvps(3))
    await open(page, '/admin')
    const remove = async (name: string) => {
      await page.getByRole('button', { name: `Delete the RSVP of ${name}` }).click()
      await page.getByRole('button', { name: 'Delete', exact: true }).click()
      await expectToast(page, 'RSVP Deleted', 'The response has been deleted.')
    }
    await remove('Visitor 2')
    await expect(page.getByRole('button', { name: 'Delete the RSVP of Visitor 1' })).toBeFocused()
    await remove('Visitor 1')
    await expect(page.getByRole('heading', { name: 'RSVP Responses' })).toBeFocused()

    await page.getByText('Recently deleted').click()
    await page.getByRole('button', { name: 'Restore the RSVP of Visitor 1' }).click()
    await expectToast(page, 'RSVPs Restored', '1 response is back in the list.')
    await expect(page.getByText('Recently deleted')).toBeFocused()
    await page.getByRole('button', { name: 'Restore the RSVP of Visitor 2' }).click()
    await expect(page.getByRole('rowheader', { name: 'Visitor 2' })).toBeVisible()
  })

  test('moves to the field for a new role after one was retired, and a blank name is refused', async ({ page }) => {
    await open(page, '/admin?tab=settings')
    await page.getByRole('button', { name: 'Retire Usher' }).click()
    await page.getByRole('button', { name: 'Retire', exact: true }).click()
    const newRole = page.getByLabel('New role')
    await expect(newRole).toBeFocused()
    await newRole.fill('   ')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Give the role a name.')).toBeVisible()
  })
})

test.describe('a section that the server refuses as a whole', () => {
  test.use({ expectedErrors: /400/ })

  test('moves the focus to its message', async ({ page }) => {
    const errors = [{ path: 'familyMembers', message: 'Add at most 20 family members.' }]
    await page.route('**/api/rsvp', (route) => route.fulfill({ status: 400, json: { status: 400, errors } }))
    await open(page, '/share')
    await fillForm(page)
    await page.getByRole('button', { name: 'Submit RSVP' }).click()
    await expect(page.getByText('Add at most 20 family members.')).toBeFocused()
    await expect(page.getByText('Add at most 20 family members.')).toBeInViewport()
  })
})

test.describe('a list that cannot be loaded', () => {
  test.use({ expectedErrors: /503/ })

  test('is reported in a notice as well', async ({ page }) => {
    await page.route('**/api/rsvps/deleted', (route) => route.fulfill({ status: 503, body: 'busy' }))
    await open(page, '/admin')
    await page.getByText('Recently deleted').click()
    await expectToast(page, 'Error', 'Failed to load deleted responses')
    await expect(page.getByRole('button', { name: 'Try Again' })).toBeVisible()
  })
})

test.describe('a browser without session storage', () => {
  test.use({ expectedErrors: /500/ })

  test('still reports that an RSVP could not be sent', async ({ page }) => {
    await page.addInitScript(() => {
      Object.defineProperty(window, 'sessionStorage', {
        get() {
          throw new DOMException('Denied', 'SecurityError')
        },
      })
    })
    await page.route('**/api/rsvp', (route) => route.fulfill({ status: 500, body: 'no' }))
    await open(page, '/share')
    await fillForm(page)
    await page.getByRole('button', { name: 'Submit RSVP' }).click()
    await expectToast(page, 'Error', 'Failed to submit RSVP. Please try again.')
  })
})
