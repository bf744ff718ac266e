import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { dayOf, expect, expectToast, open, readRsvps, send, storeRsvps, test, testRsvp, testRsvps } from './fixtures.ts'

const dialog = (page: Page) => page.getByRole('alertdialog')
const checkboxOf = (page: Page, name: string) => page.getByRole('checkbox', { name: `Select ${name}`, exact: true })
const deleteSelected = (page: Page) => page.getByRole('button', { name: 'Delete Selected' })
const names = async (site: { url: string }) => (await readRsvps(site)).map((row: { name: string }) => row.name)

test.describe('the responses of the administration', () => {
  test('are listed in a table with every column, and a dash for an empty cell', async ({ page, site }) => {
    await storeRsvps(site, [
      testRsvp({
        phone: '+1 555 0100',
        message: 'Peace',
        familyMembers: [{ name: 'Joel Cole', age: 'child', attending: false }, { name: 'Dina Cole' }],
        volunteerRoles: [1, 3],
      }),
      testRsvp({ name: 'Ben Roe', email: 'ben@roe.example', attending: false }),
      testRsvp({ name: 'Cy Fox', attending: true }),
    ])
    await open(page, '/admin')
    await expect(page.getByRole('heading', { name: 'RSVP Responses' })).toBeVisible()
    const columns = 'Name Email Phone Message Status Family_Members Volunteer_Roles Date Actions'
    await expect(page.getByRole('columnheader').filter({ hasNot: page.getByRole('checkbox') })).toHaveText(
      columns.split(' ').map((column) => column.replace('_', ' ')),
    )
    const [{ createdAt }] = await readRsvps(site)
    const today = dayOf(createdAt)
    const cells = (name: string) => page.getByRole('row').filter({ hasText: name }).locator('th, td')
    await expect(cells('Ana Cole')).toHaveText(
      [
        '',
        'Ana Cole',
        'ana@cole.example',
        '+1 555 0100',
        'Peace',
        'Attending',
        'Joel Cole (child, not attending), Dina Cole',
        'Greeter, Music',
      ].concat([today, 'EditDelete']),
    )
    await expect(cells('Ben Roe')).toHaveText([
      '',
      'Ben Roe',
      'ben@roe.example',
      /^[-–—]$/,
      /^[-–—]$/,
      'Not Attending',
      /^[-–—]$/,
      /^[-–—]$/,
      today,
      'EditDelete',
    ])
    await expect(page.getByText(/^Attending\s*2$/).first()).toBeVisible()
    await expect(page.getByText(/^Not Attending\s*1$/).first()).toBeVisible()
    const link = (text: string) => cells('Ana Cole').getByRole('link', { name: text })
    await expect(link('ana@cole.example')).toHaveAttribute('href', 'mailto:ana@cole.example')
    await expect(link('+1 555 0100')).toHaveAttribute('href', 'tel:+15550100')
    await page.getByRole('link', { name: 'Back to Main Page' }).click()
    await expect(page).toHaveURL('/')
  })

  test('are cards on a phone, which leave out what is empty, below what was deleted', async ({ page, site }) => {
    await storeRsvps(site, testRsvps(2))
    await page.setViewportSize({ width: 390, height: 844 })
    await open(page, '/admin')
    await expect(page.getByRole('cell').filter({ visible: true, hasText: /^-$/ })).toHaveCount(0)
    await expect(page.getByRole('cell', { name: 'ana@cole.example' })).toHaveCount(2)
    const heightOf = async (place: Locator) => (await place.boundingBox())?.y ?? 0
    expect(await heightOf(page.getByText('Recently deleted'))).toBeLessThan(await heightOf(page.getByRole('table')))
  })

  test('are all selected by one checkbox, which is indeterminate in between', async ({ page, site }) => {
    await storeRsvps(site, testRsvps(3))
    await open(page, '/admin')
    const all = page.getByRole('checkbox', { name: 'Select all' })
    const count = page.getByRole('status').filter({ hasText: 'selected' })
    await expect(count).toHaveCount(0)
    await all.check()
    await expect(count).toHaveText('3 selected')
    for (const name of ['Visitor 1', 'Visitor 2', 'Visitor 3']) await expect(checkboxOf(page, name)).toBeChecked()
    await checkboxOf(page, 'Visitor 2').uncheck()
    await expect(all).toBeChecked({ indeterminate: true })
    await all.click()
    await expect(checkboxOf(page, 'Visitor 2')).toBeChecked()
    await all.uncheck()
    for (const name of ['Visitor 1', 'Visitor 2', 'Visitor 3']) await expect(checkboxOf(page, name)).not.toBeChecked()
    await expect(all).not.toBeChecked()
    await deleteSelected(page).click()
    await expectToast(page, 'No Selection', 'Please select RSVPs to delete.')
    await expect(dialog(page)).toHaveCount(0)
  })

  test('are deleted together with one call for each, and the page reloads', async ({ page, site }) => {
    await storeRsvps(site, testRsvps(4))
    await open(page, '/admin')
    const calls: string[] = []
    page.on('request', (request) => request.method() === 'DELETE' && calls.push(new URL(request.url()).pathname))
    await checkboxOf(page, 'Visitor 1').check()
    await checkboxOf(page, 'Visitor 3').check()
    await deleteSelected(page).click()
    await expect(dialog(page)).toContainText('Are you sure you want to delete 2 selected RSVPs?')
    expect(await dialog(page).evaluate((element) => `${element.tagName} ${element.matches(':modal')}`)).toBe(
      'DIALOG true',
    )
    await page.evaluate(() => Object.assign(window, { notReloaded: true }))
    await dialog(page).getByRole('button', { name: 'Delete' }).click()
    await expectToast(page, 'RSVPs Deleted', '2 responses were deleted.')
    expect(await page.evaluate(() => 'notReloaded' in window)).toBe(false)
    await expect(page.getByRole('row')).toHaveCount(3)
    expect(calls.sort()).toEqual(['/api/rsvps/1', '/api/rsvps/3'])
    expect(await names(site)).toEqual(['Visitor 4', 'Visitor 2'])
  })

  test('stay after Cancel or Escape, and the focus returns', async ({ page, site }) => {
    await storeRsvps(site, testRsvps(2))
    await open(page, '/admin')
    await checkboxOf(page, 'Visitor 1').check()
    await deleteSelected(page).click()
    await dialog(page).getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog(page)).toHaveCount(0)
    await expect(deleteSelected(page)).toBeFocused()
    await expect(checkboxOf(page, 'Visitor 1')).toBeChecked()

    const single = page.getByRole('button', { name: 'Delete the RSVP of Visitor 2' })
    await single.focus()
    await page.keyboard.press('Enter')
    await expect(dialog(page)).toContainText('Are you sure you want to delete this RSVP?')
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toHaveCount(0)
    await expect(single).toBeFocused()
    expect(await names(site)).toHaveLength(2)

    await single.click()
    await dialog(page).getByRole('button', { name: 'Delete' }).click()
    await expectToast(page, 'RSVP Deleted', 'The response has been deleted.')
    expect(await names(site)).toEqual(['Visitor 1'])
  })

  test('are downloaded as a CSV file named after the day', async ({ page, site }) => {
    await storeRsvps(site, [testRsvp({ message: '=1+1, "so"', volunteerRoles: [2] })])
    await open(page, '/admin')
    const today = () => `rsvps-${new Intl.DateTimeFormat('sv-SE').format(new Date())}.csv`
    const before = today()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV' }).click(),
    ])
    expect([before, today()]).toContain(download.suggestedFilename())
    const [head, row] = (await readFile(await download.path(), 'utf8')).split('\r\n')
    expect(head).toBe(
      '\uFEFFId,Name,Email,Phone,Message,Status,Family Members,Volunteer Roles,Calendar,Date,Service,Changed',
    )
    expect(row).toMatch(
      /^1,Ana Cole,ana@cole\.example,,"'=1\+1, ""so""",Attending,,Usher,,\d{4}-\d\d-\d\dT[\d:.]+Z,\d{4}-\d\d-\d\d,$/,
    )
  })

  test('are replaced by a sentence where there are none', async ({ page, site }) => {
    await open(page, '/admin')
    await expect(page.getByText('No responses yet. Share the link to invite people.')).toBeVisible()
    // Nine columns and that of the checkboxes.
    await expect(page.getByRole('columnheader')).toHaveCount(10)
    await expect(page.getByRole('checkbox', { name: 'Select all' })).not.toBeChecked()
    await send(site, 'POST', '/api/rsvp', testRsvp())
    await page.reload()
    await expect(page.getByRole('rowheader', { name: 'Ana Cole', exact: true })).toBeVisible()
  })
})
