import type { Page } from '@playwright/test'
import { dayText } from '#db/values/dates.ts'
import { expect, open, type Site, test } from './fixtures.ts'
import { draft, expectSubmitted, fillForm, openMore, roleButton, roles, submit } from './form.ts'
import { read, readRsvps, send, storeRsvps, testRsvp } from './stored.ts'

const day = (page: Page) => page.getByLabel('For', { exact: true })
const list = (page: Page) => page.locator('.responses')

/** Confirms the schedule and returns the days of the next services, as dates and in words. */
async function confirmSchedule(site: Site, change: object = { startTime: '10:00' }) {
  await send(site, 'PATCH', '/api/schedule', change)
  const { services } = await read(site, '/api/schedule')
  return services.map(({ date }: { date: string }) => ({ date, label: dayText(date) }))
}

// A day or a role that can no longer be chosen is refused with a 400, which browsers log.
test.use({ expectedErrors: /status of 400/ })

test.use({ viewport: { width: 320, height: 800 } })

test('is the next one or another that is chosen, and is named in the thank-you', async ({ page, site }) => {
  const [next, second] = await confirmSchedule(site)
  await open(page, '/share')
  await expect(list(page)).toContainText(`No responses for ${next.label} yet.`)
  await expect(day(page)).toHaveValue(next.date)
  await expect(day(page).locator('option')).toHaveCount(8)
  await fillForm(page, 'Later Cole')
  await day(page).selectOption(second.label)
  await submit(page).click()
  await expect(page.locator('.thanks')).toContainText(second.label)
  await expect(page.getByRole('rowheader')).toHaveCount(0)
  await fillForm(page, 'Next Cole')
  await submit(page).click()
  await expect(page.locator('.thanks')).toContainText(next.label)
  await expect(page.getByRole('rowheader')).toHaveText(['Next Cole'])

  await fillForm(page, 'Lost Cole')
  await page.getByLabel('Message').fill('Two lines')
  // A draft keeps the day. Not by a reload, after which the browser itself would restore the choice.
  await day(page).selectOption(second.label)
  await expect.poll(() => draft(page)).toContain(second.date)
  await open(page, '/')
  await expect(day(page)).toHaveValue(second.date)
  const over = (await draft(page)).replace(second.date, '2020-01-04')
  await page.evaluate((text) => sessionStorage.setItem('rsvp-draft', text), over)
  await open(page, '/share')
  await expect(page.getByLabel('Message')).toHaveValue('Two lines')
  await expect(day(page)).toHaveValue(next.date)
  await confirmSchedule(site, { skippedDates: [next.date] })
  await submit(page).click()
  await expect(day(page)).toBeFocused()
  await expect(day(page)).toHaveAccessibleDescription(
    `There is no service on ${next.label}. The next service is on ${second.label}.`,
  )
  await day(page).selectOption(second.label)
  await submit(page).click()
  await expectSubmitted(page)
  expect(await readRsvps(site)).toMatchObject([
    { serviceDate: second.date, message: 'Two lines' },
    { serviceDate: next.date },
    { serviceDate: second.date },
  ])
  await openMore(page)
  await page.getByRole('button', { name: 'Done' }).click()
  await open(page, '/share')
  await expect(page.getByText(`No service on ${next.label}. The next is on ${second.label}.`)).toBeVisible()
  await expect(day(page)).toHaveValue(second.date)
  expect(await day(page).evaluate((select) => select.scrollWidth <= select.clientWidth)).toBe(true)
})

test('shows how many each role still needs, and offers none that is filled', async ({ page, site }) => {
  await send(site, 'PATCH', '/api/schedule', { timeZone: 'UTC' })
  await send(site, 'PATCH', '/api/volunteer-roles/1', { needed: 1 })
  await send(site, 'PATCH', '/api/volunteer-roles/2', { needed: 2 })
  await storeRsvps(site, [testRsvp({ volunteerRoles: [1, 2] })])
  await open(page, '/share')
  await fillForm(page, 'Bea Cole')
  const option = (name: string) => roleButton(page, name)
  await expect(option('Greeter filled')).toBeDisabled()
  await expect(option('Usher 1 still needed')).toBeEnabled()
  const hint = page.getByText('Already signed up? Use your private link.')
  await expect(hint).toBeVisible()
  await day(page).selectOption({ index: 1 })
  await expect(option('Greeter 1 still needed')).toBeEnabled()
  await expect(hint).toHaveCount(0)
  await day(page).selectOption({ index: 0 })
  await option('Usher 1 still needed').click()
  await storeRsvps(site, [testRsvp({ name: 'Dan Cole', volunteerRoles: [2] })])
  await submit(page).click()
  await expect(roles(page)).toHaveAccessibleDescription(/^Usher is filled for this week\./)
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Bea Cole')
  await page.getByRole('button', { name: 'Remove Usher' }).click()
  await submit(page).click()
  await expectSubmitted(page)
  expect(await readRsvps(site)).toHaveLength(3)
})
