import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import {
  dayOf,
  deleteSelected,
  expect,
  expectToast,
  open,
  readRsvps,
  send,
  storeRsvps,
  tab,
  test,
  testRsvp,
  testRsvps,
  toast,
  waitForHydration,
} from './fixtures.ts'
import { storeManyRsvps } from './stored.ts'

const dialog = (page: Page) => page.getByRole('alertdialog')
const checkboxOf = (page: Page, name: string) => page.getByRole('checkbox', { name: `Select ${name}`, exact: true })
const selectAll = (page: Page) => page.getByRole('checkbox', { name: 'Select all' })
const names = (rows: { name: string }[]) => rows.map(({ name }) => name)
const summary = (page: Page) => page.getByText('Recently deleted')
const rows = (page: Page) => page.locator('[data-rsvp]')
const pager = (page: Page) => page.getByRole('navigation', { name: 'Pages of responses' })

test.describe('the responses of the administration', () => {
  test('are a table with every column, cards on a phone, and a CSV file', async ({ page, site }) => {
    await open(page, '/admin')
    await expect(page.getByText('No responses yet. Share the link to invite people.')).toBeVisible()
    await expect(selectAll(page)).not.toBeChecked()
    await storeRsvps(site, [
      testRsvp({
        ...{ phone: '+1 555 0100', message: '=1+1, "so"', volunteerRoles: [1, 3] },
        familyMembers: [{ name: 'Joel Cole', age: 'child', attending: false }, { name: 'Dina Cole' }],
      }),
      testRsvp({ name: 'Ben Roe', email: 'ben@roe.example', attending: false }),
    ])
    await open(page, '/admin')
    const columns = 'Name Email Phone Message Status Family_Members Volunteer_Roles Date Actions'
    await expect(page.getByRole('columnheader').filter({ hasNot: page.getByRole('checkbox') })).toHaveText(
      columns.split(' ').map((column) => column.replace('_', ' ')),
    )
    const today = dayOf((await readRsvps(site))[0].createdAt)
    const cells = (name: string) => page.getByRole('row').filter({ hasText: name }).locator('th, td')
    const family = 'Joel Cole (child, not attending), Dina Cole'
    await expect(cells('Ana Cole')).toHaveText(
      ['', 'Ana Cole', 'ana@cole.example', '+1 555 0100', '=1+1, "so"', 'Attending'].concat([
        family,
        'Greeter, Music',
        today,
        'EditDelete',
      ]),
    )
    await expect(cells('Ben Roe')).toHaveText(
      ['', 'Ben Roe', 'ben@roe.example', '-', '-', 'Not Attending'].concat(['-', '-', today, 'EditDelete']),
    )
    await expect(page.locator('.counts')).toHaveText('Attending1 responseNot Attending1 response')
    const link = (text: string) => cells('Ana Cole').getByRole('link', { name: text })
    await expect(link('ana@cole.example')).toHaveAttribute('href', 'mailto:ana@cole.example')
    await expect(link('+1 555 0100')).toHaveAttribute('href', 'tel:+15550100')

    const day = () => `rsvps-${new Intl.DateTimeFormat('sv-SE').format(new Date())}.csv`
    const before = day()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV' }).click(),
    ])
    expect([before, day()]).toContain(download.suggestedFilename())
    const csv = await readFile(await download.path(), 'utf8')
    expect(csv).toContain(`\r\n1,Ana Cole,ana@cole.example,'+1 555 0100,"'=1+1, ""so""",Attending,`)

    await page.setViewportSize({ width: 390, height: 844 })
    await expect(page.getByRole('cell').filter({ visible: true, hasText: /^-$/ })).toHaveCount(0)
    const heightOf = async (place: Locator) => (await place.boundingBox())?.y ?? 0
    expect(await heightOf(summary(page))).toBeGreaterThan(await heightOf(page.getByRole('table')))
  })

  test('are ticked and deleted together, or stay after Cancel or Escape', async ({ page, site }) => {
    await storeRsvps(site, testRsvps(4))
    await open(page, '/admin')
    const count = page.getByRole('status').filter({ hasText: 'selected' })
    const deleting = page.getByRole('button', { name: 'Delete Selected' })
    await selectAll(page).check()
    await expect(count).toHaveText('4 selected')
    await checkboxOf(page, 'Visitor 2').uncheck()
    await expect(selectAll(page)).toBeChecked({ indeterminate: true })
    await selectAll(page).click()
    await selectAll(page).uncheck()
    await deleting.click()
    await expectToast(page, 'No Selection', 'Please select RSVPs to delete.')

    await checkboxOf(page, 'Visitor 1').check()
    await checkboxOf(page, 'Visitor 3').check()
    await deleting.click()
    await dialog(page).getByRole('button', { name: 'Cancel' }).click()
    await expect(deleting).toBeFocused()
    await expect(checkboxOf(page, 'Visitor 1')).toBeChecked()
    const single = page.getByRole('button', { name: 'Delete the RSVP of Visitor 2' })
    await single.press('Enter')
    await expect(dialog(page)).toContainText(/Are you sure you want to delete this RSVP\?Visitor 21 person · /)
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toHaveCount(0)
    await expect(single).toBeFocused()
    expect(await readRsvps(site)).toHaveLength(4)

    const calls: string[] = []
    page.on('request', (request) => request.method() === 'DELETE' && calls.push(new URL(request.url()).pathname))
    await deleting.click()
    await expect(dialog(page)).toContainText('Are you sure you want to delete 2 selected RSVPs?')
    await dialog(page).getByRole('button', { name: 'Delete' }).click()
    await expectToast(page, 'RSVPs Deleted', '2 responses were deleted.')
    await expect(page.getByRole('row')).toHaveCount(3)
    expect(calls.sort()).toEqual(['/api/rsvps/1', '/api/rsvps/3'])
    expect(names(await readRsvps(site))).toEqual(['Visitor 4', 'Visitor 2'])
  })
})

test.describe('the table of the administration, with many responses,', () => {
  test('turns its pages by links, with Back and the tabs leading to the same one', async ({ page, site }) => {
    await storeManyRsvps(site, 250)
    await open(page, '/admin')
    await expect(pager(page)).toContainText('1–100 of 250')
    await pager(page).getByRole('link', { name: 'Older' }).click()
    await expect(pager(page)).toContainText('101–200 of 250')
    await pager(page).getByRole('link', { name: 'Older' }).click()
    await expect(pager(page)).toContainText('201–250 of 250')
    await expect(pager(page).getByRole('link', { name: 'Older' })).toHaveCount(0)
    await pager(page).getByRole('link', { name: 'Newer' }).click()
    await expect(rows(page).first()).toContainText('Visitor 150')
    await page.goBack()
    await expect(pager(page)).toContainText('201–250 of 250')
    const address = page.url()
    await waitForHydration(page)
    await tab(page, 'Settings').click()
    await tab(page, 'Responses').click()
    await expect(page).toHaveURL(address)

    await page.getByRole('checkbox', { name: 'Select Visitor 49', exact: true }).check()
    await page.getByLabel('Perhaps spam').check()
    await expect(rows(page)).toHaveCount(0)
    await page.goBack()
    await expect(rows(page)).toHaveCount(50)
    await waitForHydration(page)
    await expect(page.getByLabel('Perhaps spam')).not.toBeChecked()
    await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(0)
  })

  test('is searched, filtered and sorted as a whole, and the address says how', async ({ page, site }) => {
    await storeManyRsvps(site, 100)
    const sent = { name: 'José Roe', volunteerRoles: [2] }
    await storeRsvps(site, [testRsvp(sent), testRsvp({ name: 'Åsa Roe', attending: false })])
    await open(page, '/admin')
    await page.getByLabel('Search').fill('jose')
    await page.getByLabel('Search').press('Enter')
    await expect(page.getByText('All weeks, 1 of 102 responses')).toBeVisible()
    await expect(page).toHaveURL('/admin?q=jose#responses')
    await expect(rows(page)).toHaveText([/José Roe/])

    await open(page, '/admin?q=roe&status=not-attending')
    await expect(page.getByLabel('Search')).toHaveValue('roe')
    await expect(rows(page)).toHaveText([/Åsa Roe/])
    await page.getByLabel('Status').selectOption('All')
    await expect(rows(page)).toHaveText([/Åsa Roe/, /José Roe/])
    await waitForHydration(page)
    await page.getByLabel('Role').selectOption('Usher')
    await expect(rows(page)).toHaveText([/José Roe/])
    await page.getByRole('link', { name: 'Show All' }).click()
    await expect(page).toHaveURL('/admin#responses')
    await expect(rows(page)).toHaveCount(100)
    await page.goBack()
    await expect(rows(page)).toHaveText([/José Roe/])
    await page.goto('/admin?q=nothing+here&sort=nonsense&role=x&before=x')
    await expect(page.getByText('No response matches. Search for less, or for another word.')).toBeVisible()
    await expect(page.getByText('Not everything that this address asks for is known (role, sort)')).toBeVisible()
  })

  test('deletes all that match, but for those unticked, and brings them back', async ({ page, site }) => {
    await storeManyRsvps(site, 250)
    await open(page, '/admin?status=attending')
    await expect(rows(page)).toHaveCount(100)
    await page.getByRole('checkbox', { name: 'Select Visitor 240', exact: true }).check()
    await expect(page.getByText('1 selected')).toBeVisible()
    await selectAll(page).click()
    await expect(page.getByText('100 selected')).toBeVisible()
    await page.getByRole('button', { name: 'Select all 250 on all pages' }).click()
    await page.getByRole('checkbox', { name: 'Select Visitor 200', exact: true }).uncheck()
    await expect(page.getByText('249 selected')).toBeVisible()
    // It came in after the question was asked.
    await page.getByRole('button', { name: 'Delete Selected' }).click()
    const dialog = page.getByRole('alertdialog')
    await expect(dialog).toContainText('Are you sure you want to delete 249 selected RSVPs?')
    await storeRsvps(site, [testRsvp({ name: 'Late Roe' })])
    const calls: string[] = []
    page.on('request', (request) => request.method() !== 'GET' && calls.push(new URL(request.url()).pathname))
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await expectToast(page, 'RSVPs Deleted', '249 responses were deleted.')
    await expect(rows(page)).toHaveText([/Late Roe/, /Visitor 200/])
    await expect(page.getByRole('heading', { name: 'RSVP Responses' })).toBeFocused()
    await expect(page).toHaveURL('/admin?status=attending')
    await toast(page).getByRole('button', { name: 'Undo' }).click()
    await expectToast(page, 'RSVPs Restored', '249 responses are back in the list.')
    await expect(pager(page)).toContainText('1–100 of 251')
    expect(calls).toEqual(['/api/rsvps/delete', '/api/rsvps/restore'])
    expect(await readRsvps(site)).toHaveLength(251)
  })

  test.describe('when the deletion fails', () => {
    test.use({ expectedErrors: /status of (412|500)|Failed to (delete RSVPs|load resource)/ })

    test('says what is left, and asks again where others match than were shown', async ({ page, site }) => {
      await storeManyRsvps(site, 120)
      await send(site, 'DELETE', '/api/rsvps/5')
      await open(page, '/admin')
      await selectAll(page).check()
      await page.getByRole('button', { name: 'Select all 119 on all pages' }).click()
      await page.route('**/api/rsvps/delete', (route) => route.fulfill({ status: 500, body: 'no' }))
      await deleteSelected(page)
      await expectToast(page, 'Error', 'Failed to delete RSVPs. 0 responses were deleted, 119 not.')
      await expect(page.getByText('119 selected', { exact: true })).toBeVisible()
      await page.unrouteAll()
      // In another tab; as many match as before.
      await send(site, 'DELETE', '/api/rsvps/50')
      await send(site, 'POST', '/api/rsvps/5/restore')
      await deleteSelected(page)
      const sentence = 'The matching responses have changed since you saw them. Check them again.'
      await expectToast(page, 'Nothing Deleted', sentence)
      expect(await readRsvps(site)).toHaveLength(119)
      await toast(page).getByRole('button', { name: 'Reload' }).click()
      await expect(pager(page)).toContainText('1–100 of 119')
      await expect(page.getByText(/selected/)).toHaveCount(0)

      await open(page, '/admin?before=3')
      await selectAll(page).check()
      await deleteSelected(page)
      await expectToast(page, 'RSVPs Deleted', '2 responses were deleted.')
      await expect(rows(page).first()).toContainText('Visitor 120')
    })
  })
})
