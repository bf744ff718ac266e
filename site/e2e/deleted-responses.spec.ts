import type { Page } from '@playwright/test'
import {
  dayOf,
  expect,
  expectToast,
  open,
  readRsvps,
  storeManyRsvps,
  storeRsvps,
  test,
  testRsvps,
  toast,
} from './fixtures.ts'
import { guarded, readRsvpsAs, signIn } from './guarded.ts'

const checkboxOf = (page: Page, name: string) => page.getByRole('checkbox', { name: `Select ${name}`, exact: true })
const undo = (page: Page) => toast(page).getByRole('button', { name: 'Undo' })
const summary = (page: Page) => page.getByText('Recently deleted')
const deletedRows = (page: Page) => page.getByRole('listitem').filter({ hasText: /Deleted on/ })
const names = (rows: { name: string }[]) => rows.map(({ name }) => name)

async function deleteOne(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: `Delete the RSVP of ${name}`, exact: true }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(checkboxOf(page, name)).toHaveCount(0)
  await expectToast(page, 'RSVP Deleted', 'The response has been deleted.')
}

async function deleteAll(page: Page): Promise<void> {
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  await page.getByRole('button', { name: 'Delete Selected' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
}

test.describe('deleted responses', () => {
  test('are restored by Undo after a single deletion', async ({ page, site }) => {
    await storeRsvps(site, testRsvps(3))
    const before = await readRsvps(site)
    await open(page, '/admin')
    await deleteOne(page, 'Visitor 2')
    await expect(page.getByRole('row')).toHaveCount(3)
    expect(names(await readRsvps(site))).toEqual(['Visitor 3', 'Visitor 1'])
    await undo(page).click()
    await expectToast(page, 'RSVPs Restored', '1 response is back in the list.')
    await expect(undo(page)).toHaveCount(0)
    await expect(checkboxOf(page, 'Visitor 2')).toBeVisible()
    expect(await readRsvps(site)).toEqual(before)
  })

  test('are restored by Undo after a bulk deletion', async ({ page, site }) => {
    await storeRsvps(site, testRsvps(7))
    await open(page, '/admin')
    await deleteAll(page)
    await expectToast(page, 'RSVPs Deleted', '7 responses were deleted.')
    await expect(page.getByText('No responses yet.')).toBeVisible()
    await undo(page).press('Enter')
    await expectToast(page, 'RSVPs Restored', '7 responses are back in the list.')
    await expect(page.getByRole('row')).toHaveCount(8)
    expect(await readRsvps(site)).toHaveLength(7)
  })

  test('have a list of their own, each with a button that restores it', async ({ page, site }) => {
    await storeRsvps(site, testRsvps(3))
    await open(page, '/admin')
    await deleteOne(page, 'Visitor 3')
    await deleteOne(page, 'Visitor 1')
    await expect(
      page.getByText('A deleted response can be restored for 30 days. Then it is erased for good.'),
    ).toBeHidden()
    await summary(page).click()
    const deleted = await (await page.request.get('/api/rsvps/deleted')).json()
    expect(names(deleted.responses)).toEqual(['Visitor 1', 'Visitor 3'])
    await expect(deletedRows(page)).toHaveText(
      deleted.responses.map((row: { name: string; deletedAt: string }) => {
        return `${row.name} ana@cole.exampleDeleted on ${dayOf(row.deletedAt)}Restore`
      }),
    )
    await page.getByRole('button', { name: 'Restore the RSVP of Visitor 1' }).click()
    await expectToast(page, 'RSVPs Restored', '1 response is back in the list.')
    await expect(checkboxOf(page, 'Visitor 1')).toBeVisible()
    expect(names(await readRsvps(site))).toEqual(['Visitor 2', 'Visitor 1'])
    // The list is still open for the next one.
    await expect(deletedRows(page)).toHaveText([/^Visitor 3/])
  })

  test('come back together long after Undo, where they were deleted together', async ({ page, site }) => {
    await storeManyRsvps(site, 250)
    await fetch(`${site.url}/api/rsvps/240`, { method: 'DELETE' })
    await open(page, '/admin')
    await page.getByRole('checkbox', { name: 'Select all' }).check()
    await page.getByRole('button', { name: 'Select all 249 on all pages' }).click()
    await page.getByRole('button', { name: 'Delete Selected' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await expectToast(page, 'RSVPs Deleted', '249 responses were deleted.')
    await fetch(`${site.url}/api/rsvps/7/restore`, { method: 'POST' })
    await fetch(`${site.url}/api/rsvps/7`, { method: 'DELETE' })
    await open(page, '/admin')
    await summary(page).click()
    await expect(deletedRows(page).first()).toContainText('Visitor 7')
    await expect(page.getByText('These are the 100 deleted last, of 250.')).toBeVisible()
    const together = page.getByRole('list', { name: 'Deleted together' }).getByRole('listitem')
    await expect(together).toHaveText(/^248 responsesDeleted together on .+ [AP]MRestore all$/)
    await page.getByRole('button', { name: /^Restore all 248 responses deleted on / }).press('Enter')
    await expectToast(page, 'RSVPs Restored', '248 responses are back in the list.')
    await expect(deletedRows(page)).toHaveText([/^Visitor 7 /, /^Visitor 240 /])
    await expect(together).toHaveCount(0)
    await expect(summary(page)).toBeFocused()
    expect(await readRsvps(site)).toHaveLength(248)
  })

  test('are loaded once, and there are none at first', async ({ page }) => {
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    await open(page, '/admin')
    await summary(page).click()
    await expect(page.getByText('Nothing was deleted.')).toBeVisible()
    await summary(page).click()
    await summary(page).click()
    await expect(page.getByText('Nothing was deleted.')).toBeVisible()
    expect(requests.filter((url) => url.endsWith('/api/rsvps/deleted'))).toHaveLength(1)
  })
})

test.describe('deleted responses, when a call fails,', () => {
  test.use({ expectedErrors: /status of (404|500)|Failed to delete RSVPs/ })

  test('are restored by Undo as far as they were deleted', async ({ page, site }) => {
    await storeRsvps(site, testRsvps(3))
    await page.route('**/api/rsvps/2', (route) => route.fulfill({ status: 500, body: 'no' }))
    await open(page, '/admin')
    await deleteAll(page)
    await expectToast(page, 'Error', 'Failed to delete RSVPs. 2 responses were deleted, 1 not.')
    await undo(page).click()
    await expectToast(page, 'RSVPs Restored', '2 responses are back in the list.')
    await expect(page.getByRole('row')).toHaveCount(4)
  })

  test('are not offered again where they were restored elsewhere', async ({ page, site }) => {
    await storeRsvps(site, testRsvps(3))
    await open(page, '/admin')
    await deleteAll(page)
    await expectToast(page, 'RSVPs Deleted', '3 responses were deleted.')
    await fetch(`${site.url}/api/rsvps/2/restore`, { method: 'POST' })
    await undo(page).click()
    await expectToast(page, 'RSVPs Restored', '2 responses are back in the list, 1 was restored or erased already.')
    await expect(toast(page).getByRole('button', { name: 'Try Again' })).toHaveCount(0)
    await expect(page.getByRole('row')).toHaveCount(4)
  })

  test('can be loaded again', async ({ page }) => {
    await page.route('**/api/rsvps/deleted', (route) => route.fulfill({ status: 500, body: 'no' }))
    await open(page, '/admin')
    await summary(page).click()
    await expect(page.getByText('The deleted responses could not be loaded.')).toBeVisible()
    await expectToast(page, 'Error', 'Failed to load deleted responses')
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try Again' }).click()
    await expect(page.getByText('Nothing was deleted.')).toBeVisible()
  })

  test('stay deleted, and the administrator is told', async ({ page, site }) => {
    await storeRsvps(site, testRsvps(2))
    await open(page, '/admin')
    await deleteOne(page, 'Visitor 1')
    await page.route('**/restore', (route) => route.fulfill({ status: 500, body: 'no' }))
    await undo(page).click()
    await expectToast(page, 'Error', 'Failed to restore RSVPs')
    expect(names(await readRsvps(site))).toEqual(['Visitor 2'])
    await page.unrouteAll()
    await toast(page).getByRole('button', { name: 'Try Again' }).click()
    await expectToast(page, 'RSVPs Restored', '1 response is back in the list.')
    expect(names(await readRsvps(site))).toEqual(['Visitor 2', 'Visitor 1'])
  })
})

test.describe('a deletion on a guarded site', () => {
  test.use({ variables: guarded })

  test('is undone by the administrator, and visitors do not learn of it', async ({ page, site }) => {
    await storeRsvps(site, testRsvps(2))
    await signIn(page)
    await open(page, '/admin')
    await deleteOne(page, 'Visitor 1')
    expect(names(await readRsvps(site))).toEqual(['V.'])
    expect((await fetch(`${site.url}/api/rsvps?deleted=true`)).status).toBe(401)
    expect((await fetch(`${site.url}/api/rsvps/deleted`)).status).toBe(401)
    expect((await fetch(`${site.url}/api/rsvps/1/restore`, { method: 'POST' })).status).toBe(401)
    await undo(page).click()
    await expectToast(page, 'RSVPs Restored', '1 response is back in the list.')
    expect(names(await readRsvpsAs(page))).toEqual(['Visitor 2', 'Visitor 1'])
  })
})
