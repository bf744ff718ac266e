import { subDays } from 'date-fns/subDays'
import { expect, expectToast, open, press, rows, test } from './fixtures.ts'
import { changeDatabase, confirmSchedule, storeRsvps, testRsvp } from './stored.ts'
import { expectUsable } from './usable.ts'

test('marks, finds and enters who comes every week, asks about them in time, and ends it', async ({ page, site }) => {
  await confirmSchedule(site)
  await storeRsvps(site, [testRsvp(), testRsvp({ name: 'Ben Roe', email: 'ben@roe.example', standing: true })])
  const quiet = page.getByText(/^1 household that comes every week has not been heard of since/)
  const summary = page.locator('#standing > summary')
  const household = (name: string) => page.locator('#standing').getByRole('listitem').filter({ hasText: name })
  await open(page, '/admin')
  await expect(quiet).toHaveCount(0)
  await expect(rows(page).getByRole('rowheader')).toHaveText(['Ben RoeEvery week', 'Ana Cole'])
  await page.getByRole('checkbox', { name: 'Every week' }).check()
  await page.getByRole('button', { name: 'Search' }).click()
  await expect(page.getByText('This week, 1 response')).toBeVisible()
  changeDatabase(site, `UPDATE standing_rsvps SET seen_at = '${subDays(new Date(), 340).toISOString()}'`)

  await open(page, '/admin')
  await quiet.getByRole('link', { name: 'Who comes every week' }).press('Enter')
  await expect(summary).toBeFocused()
  await expect(page.getByText('1 household comes every week.')).toBeVisible()
  await expect(household('Ben Roe')).toContainText(/Since .* · Last heard of on .* · Ends on .* unless/)
  await expect(household('Ben Roe').getByRole('link')).toHaveAttribute('href', 'mailto:ben@roe.example')
  await expectUsable(page, 'who comes every week', '#standing')

  await press(page, 'Ben Roe still comes every week')
  await expectToast(page, 'Still comes', 'Ben Roe is expected every week for another year.')
  await expect(quiet).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Ben Roe still comes every week' })).toHaveCount(0)

  await press(page, 'Delete the RSVP of Ben Roe')
  await expect(page.getByRole('alertdialog', { name: 'Delete RSVP' })).toContainText('This is only for that week.')
  await press(page, 'Cancel')
  await press(page, 'Edit the RSVP of Ben Roe')
  await expect(page.getByRole('dialog')).toContainText('What you change here is only for this week.')
  await press(page, 'Cancel')

  await press(page, 'Add a response')
  const form = page.getByRole('dialog', { name: 'Add a Response' })
  const everyWeek = form.getByRole('checkbox', { name: 'Every week from this service on' })
  await form.getByRole('radio', { name: 'Not Attending' }).check({ force: true })
  await expect(everyWeek).toHaveCount(0)
  await form.getByRole('radio', { name: 'Attending', exact: true }).check({ force: true })
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Martha Lind')
  await everyWeek.check()
  await form.getByRole('button', { name: 'Save' }).press('Enter')
  await expect(form.getByText('Saved: Martha Lind, 1 person, every week from ')).toBeVisible()
  await form.getByRole('button', { name: 'Done' }).press('Enter')
  await expect(rows(page).filter({ hasText: 'Every week' })).toHaveCount(2)
  await expect(page.getByText('2 households come every week.')).toBeVisible()

  await press(page, 'End “every week” for Ben Roe')
  await expect(page.getByRole('alertdialog')).toContainText('The weeks that are over stay as they were.')
  await page.getByRole('alertdialog').getByRole('button', { name: 'End' }).press('Enter')
  await expectToast(page, '“Every week” Ended', 'Ben Roe is no longer expected every week.')
  await expect(rows(page).getByRole('rowheader')).toHaveText(['Martha LindEvery week', 'Ana Cole'])
})
