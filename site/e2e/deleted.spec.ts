import type { Locator } from '@playwright/test'
import { expect, expectToast, open, test, toast } from './fixtures.ts'
import { dayOf, read, readRsvps, storeManyRsvps } from './stored.ts'

const names = (rows: { name: string }[]) => rows.map(({ name }) => name)

test('deleted responses are restored by Undo or from a list, and the page stays', async ({ page, site }) => {
  await page.setViewportSize({ width: 390, height: 800 })
  await storeManyRsvps(site, 30)
  const before = await readRsvps(site)
  await open(page, '/admin')
  const button = (number: number) => page.getByRole('button', { name: `Delete the RSVP of Visitor ${number}` })
  const topOf = (place: Locator) => place.evaluate((element) => element.getBoundingClientRect().top)
  const deleteOne = async (number: number) => {
    await button(number).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
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
