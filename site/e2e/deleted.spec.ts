import type { Locator, Page } from '@playwright/test'
import { expect, expectToast, open, test, toast } from './fixtures.ts'
import { dayOf, read, readRsvps, storeManyRsvps, storeRsvps, testRsvps } from './stored.ts'

const dialog = (page: Page) => page.getByRole('alertdialog')
const names = (rows: { name: string }[]) => rows.map(({ name }) => name)
const summary = (page: Page) => page.getByText('Recently deleted')
const undo = (page: Page) => toast(page).getByRole('button', { name: 'Undo' })

async function deleteOne(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: `Delete the RSVP of ${name}`, exact: true }).click()
  await confirmDeletion(page, name)
}

async function confirmDeletion(page: Page, name: string): Promise<void> {
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await expectToast(page, 'RSVP Deleted', `The response of ${name} has been deleted.`)
}

test.describe('deleted responses', () => {
  test('are restored by Undo, or from a list of their own, and the focus stays near', async ({ page, site }) => {
    await storeRsvps(site, testRsvps(3))
    const before = await readRsvps(site)
    await open(page, '/admin')
    await deleteOne(page, 'Visitor 2')
    await expect(page.getByRole('button', { name: 'Delete the RSVP of Visitor 1' })).toBeFocused()
    expect(names(await readRsvps(site))).toEqual(['Visitor 3', 'Visitor 1'])
    await undo(page).click()
    await expectToast(page, 'RSVPs Restored', '1 response is back in the list.')
    await expect(undo(page)).toHaveCount(0)
    expect(await readRsvps(site)).toEqual(before)

    await deleteOne(page, 'Visitor 3')
    await deleteOne(page, 'Visitor 1')
    await expect(page.getByRole('button', { name: 'Delete the RSVP of Visitor 2' })).toBeFocused()
    await summary(page).click()
    const deletedRows = page.getByRole('listitem').filter({ hasText: /Deleted by/ })
    const { responses } = await read(site, '/api/rsvps/deleted')
    expect(names(responses)).toEqual(['Visitor 1', 'Visitor 3'])
    await expect(deletedRows).toHaveText(
      responses.map((row: { name: string; deletedAt: string }) => {
        const day = dayOf(row.deletedAt)
        return new RegExp(`^${row.name}Deleted by the administration on ${day}.* · .*ana@cole.exampleRestore$`)
      }),
    )
    await page.getByRole('button', { name: 'Restore the RSVP of Visitor 1' }).click()
    await expectToast(page, 'RSVPs Restored', '1 response is back in the list.')
    await expect(summary(page)).toBeFocused()
    expect(names(await readRsvps(site))).toEqual(['Visitor 2', 'Visitor 1'])
    // The list is still open for the next one.
    await expect(deletedRows).toHaveText([/^Visitor 3/])
  })

  test('leave the page where it is', async ({ page, site }) => {
    await page.setViewportSize({ width: 390, height: 800 })
    await storeManyRsvps(site, 100)
    await open(page, '/admin')
    const button = (number: number) => page.getByRole('button', { name: `Delete the RSVP of Visitor ${number}` })
    const topOf = (place: Locator) => place.evaluate((element) => element.getBoundingClientRect().top)
    await button(40).evaluate((element) => element.scrollIntoView({ block: 'center' }))
    await button(40).click()
    const top = await topOf(button(40))
    await confirmDeletion(page, 'Visitor 40')
    await expect(button(39)).toBeFocused()
    await expect.poll(async () => Math.abs((await topOf(button(39))) - top)).toBeLessThan(2)
    await undo(page).click()
    await expectToast(page, 'RSVPs Restored', '1 response is back in the list.')
    await expect(button(40)).toBeFocused()
    await expect.poll(async () => Math.abs((await topOf(button(40))) - top)).toBeLessThan(2)
  })
})
