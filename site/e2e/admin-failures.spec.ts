import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Page } from '@playwright/test'
import { expect, expectToast, open, readRsvps, shortDeadlines, storeRsvps, test, testRsvps } from './fixtures.ts'

test.use({ expectedErrors: /status of (404|500)|Failed to delete RSVPs/ })

async function deleteSelected(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Delete Selected' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
}

test.describe('the administration, when a call fails,', () => {
  test('counts the responses that were deleted and those that were not', async ({ page, site }) => {
    await storeRsvps(site, testRsvps(3))
    await page.route('**/api/rsvps/2', (route) => route.fulfill({ status: 500, body: 'no' }))
    await open(page, '/admin')
    const logged = page.waitForEvent('console', (message) => message.text().startsWith('Failed to delete RSVPs'))
    await page.getByRole('checkbox', { name: 'Select all' }).check()
    await deleteSelected(page)
    await expectToast(page, 'Error', 'Failed to delete RSVPs. 2 responses were deleted, 1 not.')
    await logged
    await expect(page.getByRole('row')).toHaveCount(2)
    expect(await readRsvps(site)).toMatchObject([{ id: 2 }])
  })

  test('distinguishes what it deleted from what was deleted elsewhere in the meantime', async ({ page, site }) => {
    await storeRsvps(site, testRsvps(6))
    const deleteElsewhere = (...ids: number[]) =>
      Promise.all(ids.map((id) => fetch(`${site.url}/api/rsvps/${id}`, { method: 'DELETE' })))
    const selectAll = page.getByRole('checkbox', { name: 'Select all' })
    await open(page, '/admin')
    for (const number of [1, 2, 3]) await page.getByRole('checkbox', { name: `Select Visitor ${number}` }).check()
    await deleteElsewhere(1, 3)
    await deleteSelected(page)
    await expectToast(page, 'RSVPs Deleted', '1 response was deleted, 2 were gone already.')

    await open(page, '/admin')
    await selectAll.check()
    await deleteElsewhere(4)
    await page.route('**/api/rsvps/6', (route) => route.fulfill({ status: 500, body: 'no' }))
    const logged = page.waitForEvent('console', (message) => message.text().startsWith('Failed to delete RSVPs'))
    await deleteSelected(page)
    await expectToast(page, 'Error', 'Failed to delete RSVPs. 1 response was deleted, 1 was gone already, 1 not.')
    await logged

    await open(page, '/admin')
    await selectAll.check()
    await page.unrouteAll()
    await deleteElsewhere(6)
    await deleteSelected(page)
    await expectToast(page, 'Nothing Deleted', '0 responses were deleted, 1 was gone already.')
    await expect(page.getByRole('row')).toHaveCount(1)
  })

  test('says that nothing was deleted, and keeps the selection', async ({ page, site }) => {
    await storeRsvps(site, testRsvps(2))
    await page.route('**/api/rsvps/*', (route) => route.fulfill({ status: 500, body: 'no' }))
    await open(page, '/admin')
    const single = page
      .getByRole('row')
      .filter({ hasText: 'Visitor 2' })
      .getByRole('button', { name: /^Delete/ })
    await single.click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await expectToast(page, 'Error', 'Failed to delete RSVP')
    await expect(page.getByRole('alertdialog')).toHaveCount(0)

    await page.getByRole('checkbox', { name: 'Select Visitor 1' }).check()
    await deleteSelected(page)
    await expectToast(page, 'Error', 'Failed to delete RSVPs. 0 responses were deleted, 1 not.')
    await expect(page.getByRole('checkbox', { name: 'Select Visitor 1' })).toBeChecked()
    expect(await readRsvps(site)).toHaveLength(2)
  })

  test('says that the CSV could not be downloaded', async ({ page }) => {
    await page.route('**/api/rsvps/download', (route) => route.fulfill({ status: 500, body: 'no' }))
    await open(page, '/admin')
    await page.getByRole('button', { name: 'Download CSV' }).click()
    await expectToast(page, 'Error', 'Failed to download CSV')
  })

  test('resets a switch that could not be saved', async ({ page, site }) => {
    await page.route('**/api/features', (route) => route.fulfill({ status: 500, body: 'no' }))
    await open(page, '/admin?tab=settings')
    const family = page.getByRole('switch', { name: 'Family RSVP' })
    await family.click()
    await expectToast(page, 'Error', 'Failed to update features')
    await expect(family).toBeChecked()
    await expect(page.getByRole('switch', { name: 'Volunteer Signup' })).toBeChecked()
    const stored = await (await fetch(`${site.url}/api/features`)).json()
    expect(stored).toEqual({ calendarIntegration: true, familyRsvp: true, volunteerSignup: true })
  })

  test('says that a role could not be saved, and keeps what was typed', async ({ page }) => {
    await page.route('**/api/volunteer-roles', (route) => route.fulfill({ status: 500, body: 'no' }))
    await open(page, '/admin?tab=settings')
    await page.getByLabel('New role').fill('Sound')
    await page.getByRole('button', { name: 'Add Role' }).click()
    await expectToast(page, 'Error', 'Failed to add the role')
    await expect(page.getByLabel('New role')).toHaveValue('Sound')
  })

  test.describe('because the database cannot be read', () => {
    test.use({ ownSite: true, variables: shortDeadlines, expectedErrors: /status of 503|Failed to initialize event/ })

    test('offers to load the responses again', async ({ page, site }) => {
      await storeRsvps(site, testRsvps(2))
      const other = new DatabaseSync(join(site.folder, 'rsvp.db'))
      other.exec('BEGIN EXCLUSIVE')
      await open(page, '/admin?q=visitor')
      await expect(page.getByText('The responses could not be loaded.')).toBeVisible()
      await expect(page.getByLabel('Search')).toHaveValue('visitor')
      other.exec('ROLLBACK')
      other.close()
      await page.getByRole('button', { name: 'Try Again' }).first().click()
      await expect(page.getByRole('row')).toHaveCount(3)
      await expect(page).toHaveURL('/admin?q=visitor')
    })
  })
})
