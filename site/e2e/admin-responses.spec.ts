import type { Locator, Page } from '@playwright/test'
import { expect, expectToast, open, rows, test, toast } from './fixtures.ts'
import {
  changeDatabase,
  confirmSchedule,
  dayOf,
  read,
  readRsvps,
  storeManyRsvps,
  storeRsvps,
  testRsvp,
  testRsvps,
} from './stored.ts'
import { expectDarkContrast, expectStill, expectUsable, watchPage } from './usable.ts'

const dialog = (page: Page) => page.getByRole('alertdialog')
const checkboxOf = (page: Page, name: string) => page.getByRole('checkbox', { name: `Select ${name}`, exact: true })
const selectAll = (page: Page) => page.getByRole('checkbox', { name: 'Select all' })
const names = (rows: { name: string }[]) => rows.map(({ name }) => name)
const pager = (page: Page) => page.getByRole('navigation', { name: 'Pages of responses' })

test('shows a table with every column, cards on a phone, and deletes several together', async ({ page, site }) => {
  await storeRsvps(site, [
    testRsvp({
      phone: '+1 555 0100',
      message: '=1+1, "so"',
      volunteerRoles: [1, 3],
      familyMembers: [{ name: 'Joel Cole', age: 'child', attending: false }, { name: 'Dina Cole' }],
    }),
    ...testRsvps(3),
  ])
  await open(page, '/admin')
  const columns = 'Name Email Phone Message Status Family_Members Volunteer_Roles Date Actions'
  await expect(page.getByRole('columnheader').filter({ hasNot: page.getByRole('checkbox') })).toHaveText(
    columns.split(' ').map((column) => column.replace('_', ' ')),
  )
  const today = dayOf((await readRsvps(site))[0].createdAt)
  await expect(page.getByRole('row').filter({ hasText: 'Ana Cole' }).locator('th, td')).toHaveText([
    ...['', 'Ana Cole', 'ana@cole.example', '+1 555 0100', '=1+1, "so"', 'Attending'],
    ...['Joel Cole (child, not attending), Dina Cole', 'Greeter, Music', today, 'EditDelete'],
  ])
  await expect(page.locator('.counts')).toHaveText('Attending3 responses4 expectedNot Attending1 response')

  const deleting = page.getByRole('button', { name: 'Delete Selected' })
  await selectAll(page).check()
  await expect(page.getByRole('status').filter({ hasText: 'selected' })).toHaveText('4 selected')
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
  await expect(dialog(page)).toHaveAccessibleName('Delete RSVP')
  await expectUsable(page, 'the question before a deletion', '[role=alertdialog]')
  await expect(dialog(page)).toHaveAccessibleDescription(
    /^Are you sure you want to delete this RSVP\? Visitor 2 1 person · /,
  )
  await expect(dialog(page).getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(single).toBeFocused()
  expect(await readRsvps(site)).toHaveLength(4)

  const calls: string[] = []
  page.on('request', (request) => request.method() === 'DELETE' && calls.push(new URL(request.url()).pathname))
  await deleting.click()
  await expect(dialog(page)).toContainText('Are you sure you want to delete 2 selected RSVPs?')
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await expectToast(page, 'RSVPs Deleted', '2 responses were deleted.')
  await expect(page.getByRole('row')).toHaveCount(3)
  expect(calls.sort()).toEqual(['/api/rsvps/2', '/api/rsvps/4'])
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page.getByRole('cell').filter({ visible: true, hasText: /^-$/ })).toHaveCount(0)
})

test('deletes all that match except those unticked, and brings them back', async ({ page, site }) => {
  await storeManyRsvps(site, 250)
  await open(page, '/admin?status=attending')
  await expect(rows(page)).toHaveCount(100)
  await checkboxOf(page, 'Visitor 240').check()
  await expect(page.getByText('1 selected')).toBeVisible()
  await selectAll(page).click()
  await expect(page.getByText('100 selected')).toBeVisible()
  await page.getByRole('button', { name: 'Select all 250 on all pages' }).click()
  await checkboxOf(page, 'Visitor 200').uncheck()
  await expect(page.getByText('249 selected')).toBeVisible()
  // It came in after the question was asked.
  await page.getByRole('button', { name: 'Delete Selected' }).click()
  await expect(dialog(page)).toContainText('Are you sure you want to delete 249 selected RSVPs?')
  await storeRsvps(site, [testRsvp({ name: 'Late Roe' })])
  const calls: string[] = []
  page.on('request', (request) => request.method() !== 'GET' && calls.push(new URL(request.url()).pathname))
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await expectToast(page, 'RSVPs Deleted', '249 responses were deleted.')
  await expect(rows(page)).toHaveText([/Late Roe/, /Visitor 200/])
  await expect(page.getByRole('button', { name: 'Delete the RSVP of Visitor 200' })).toBeFocused()
  await expect(page).toHaveURL('/admin?status=attending')
  await toast(page).getByRole('button', { name: 'Undo' }).click()
  await expectToast(page, 'RSVPs Restored', '249 responses are back in the list.')
  await expect(pager(page)).toContainText('1–100 of 251')
  expect(calls).toEqual(['/api/rsvps/delete', '/api/rsvps/restore'])
  expect(await readRsvps(site)).toHaveLength(251)
})

test('restores what was deleted by Undo or from a list, and stays where it was', async ({ page, site }) => {
  await page.setViewportSize({ width: 390, height: 800 })
  await storeManyRsvps(site, 30)
  changeDatabase(site, "UPDATE rsvps SET suspicion = 'hidden-field' WHERE id > 25")
  const before = await readRsvps(site)
  await open(page, '/admin')
  const button = (number: number) => page.getByRole('button', { name: `Delete the RSVP of Visitor ${number}` })
  const topOf = (place: Locator) => place.evaluate((element) => element.getBoundingClientRect().top)
  const deleteOne = async (number: number) => {
    await button(number).click()
    await dialog(page).getByRole('button', { name: 'Delete' }).click()
    await expectToast(page, 'RSVP Deleted', `The response of Visitor ${number} has been deleted.`)
    await expect(button(number - 1)).toBeFocused()
  }
  await button(15).evaluate((element) => element.scrollIntoView({ block: 'center' }))
  const top = await topOf(button(15))
  await deleteOne(15)
  await expect.poll(async () => Math.abs((await topOf(button(14))) - top)).toBeLessThan(2)
  expect(names(await readRsvps(site))).not.toContain('Visitor 15')
  await toast(page).getByRole('button', { name: 'Undo' }).click()
  await expectToast(page, 'RSVPs Restored', '1 response is back in the list.')
  await expect(button(15)).toBeFocused()
  await expect.poll(async () => Math.abs((await topOf(button(15))) - top)).toBeLessThan(2)
  expect(await readRsvps(site)).toEqual(before)

  await deleteOne(15)
  await deleteOne(13)
  const summary = page.getByText('Recently deleted')
  await summary.click()
  const deletedRows = page.getByRole('listitem').filter({ hasText: /Deleted by/ })
  const { responses } = await read(site, '/api/rsvps/deleted')
  expect(names(responses)).toEqual(['Visitor 13', 'Visitor 15'])
  await expect(toast(page).getByRole('button', { name: 'Undo' })).toBeVisible()
  await expect(rows(page).first()).toContainText('Perhaps spam')
  await expectUsable(page, 'what was deleted, and the notice with Undo')
  await expectDarkContrast(page, 'what was deleted, and the notice with Undo')
  await expect(deletedRows).toHaveText(
    responses.map((row: { name: string; deletedAt: string }) => {
      const day = dayOf(row.deletedAt)
      return new RegExp(`^${row.name}Deleted by the administration on ${day}.* · .*ana@cole.exampleRestore$`)
    }),
  )
  await page.getByRole('button', { name: 'Restore the RSVP of Visitor 13' }).click()
  await expectToast(page, 'RSVPs Restored', '1 response is back in the list.')
  await expect(summary).toBeFocused()
  expect(await readRsvps(site)).toHaveLength(29)
  // The list is still open for the next one.
  await expect(deletedRows).toHaveText([/^Visitor 15/])
})

test('moves nothing while lists are opened and rows are ticked', async ({ page, site }) => {
  /** What deletes the selection has no room of its own: it lies within the head of the table. */
  const expectOverHead = async () => {
    const [bar, head] = await Promise.all(['.selection__bar', 'thead'].map((part) => page.locator(part).boundingBox()))
    expect(bar && head && bar.y >= head.y - 1 && bar.y + bar.height <= head.y + head.height + 1).toBe(true)
  }
  const weeks = await confirmSchedule(site)
  await storeManyRsvps(site, 30)
  await storeRsvps(site, [testRsvp({ serviceDate: weeks.next })])
  await page.addInitScript(watchPage)
  await open(page, '/admin?week=this')
  const otherWeeks = page.locator('summary', { hasText: 'Other weeks' })
  const allWeeks = page.getByRole('link', { name: 'All weeks' })
  await otherWeeks.click()
  await expect(allWeeks).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(allWeeks).toBeHidden()
  await expect(otherWeeks).toBeFocused()
  await expectOverHead()
  await page.mouse.wheel(0, 900)
  await rows(page).nth(12).getByRole('checkbox').check()
  await selectAll(page).click()
  await expect(page.getByText('30 selected')).toBeVisible()
  await expectOverHead()
  await expectStill(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await expectOverHead()
  await expect(selectAll(page)).toBeInViewport()
  await selectAll(page).click()
  await expectOverHead()
})
