import type { Page } from '@playwright/test'
import { addDays, dayText } from '#db/values/dates.ts'
import { expect, expectToast, open, people, tab, test, toast, waitForHydration } from './fixtures.ts'
import { event, read, send, storeRsvps, testRsvp } from './stored.ts'
import { expectUsable } from './usable.ts'

// What is typed wrong is refused with a 400, which browsers log.
test.use({ timezoneId: 'America/Denver', expectedErrors: /status of 400/ })

const form = (page: Page) => page.getByRole('form', { name: 'Schedule' })

test('is a guess until it is confirmed, by the keyboard alone, and says what moved', async ({ page, site }) => {
  // Where there is no event, the page stores the first one, perhaps after the change below.
  await send(site, 'POST', '/api/event', { ...event, date: 'Every Sabbath' })
  await storeRsvps(site, [testRsvp(), testRsvp({ name: 'Ben Cole' })])
  await page.goto('/admin')
  await page.getByRole('link', { name: 'Check the schedule' }).click()
  await expect(page).toHaveURL('/admin?tab=settings#schedule')
  await waitForHydration(page)
  await expect(form(page)).toContainText('This is a guess until you save it: Saturdays at 10:00 AM')
  await expect(page.getByRole('heading', { name: 'Skipped Services' })).toHaveCount(0)
  const length = form(page).getByLabel('Length in Minutes')
  const zone = form(page).getByLabel('Time Zone')
  await expect(zone).toHaveValue('America/Denver')
  await length.fill('0')
  await length.press('Enter')
  await expect(length).toHaveAccessibleDescription(/^A length is a whole number/)
  await form(page).getByLabel('Day', { exact: true }).focus()
  await page.keyboard.type('Sun')
  await page.keyboard.press('Tab')
  await page.keyboard.type('0630PM')
  await length.fill('٩٠')
  await page.keyboard.press('Tab')
  await expect(zone).toBeFocused()
  await zone.selectOption('America/New_York')
  await length.press('Enter')
  const question = page.getByRole('dialog', { name: 'Another Day' })
  await expect(question).toContainText('2 responses for services to come move from Saturday to Sunday.')
  await page.keyboard.press('Escape')
  await expect(length).toBeFocused()
  expect(await read(site, '/api/schedule')).toMatchObject({ confirmed: false })
  await page.keyboard.press('Enter')
  await question.getByRole('button', { name: 'Move Them' }).press('Enter')
  await expect(toast(page)).toContainText(/2 responses moved to the new day\. The next service is on Sunday, /)
  await expect(page.getByText('This is a guess')).toHaveCount(0)
  const sunday = { weekday: 0, startTime: '18:30', durationMinutes: 90, timeZone: 'America/New_York' }
  expect(await read(site, '/api/schedule')).toMatchObject({ ...sunday, confirmed: true })
  await tab(page, 'Responses').click()
  await expect(page.getByRole('link', { name: 'Check the schedule' })).toHaveCount(0)

  // What another administrator has changed since stays.
  await send(site, 'PATCH', '/api/schedule', { durationMinutes: 75 })
  await tab(page, 'Settings').click()
  await form(page).getByLabel('Start').fill('18:45')
  await form(page).getByLabel('Start').press('Enter')
  // Unlike the notice of the first change, which may still be shown.
  await expect(toast(page)).toContainText('Schedule SavedThe next service is on Sunday, ')
  expect(await read(site, '/api/schedule')).toMatchObject({ ...sunday, startTime: '18:45', durationMinutes: 75 })
  await expect(form(page)).toContainText('The event says: Every Sabbath, 10 AM.')
  await page.getByRole('link', { name: 'Open the event' }).click()
  const time = page.getByLabel('Time', { exact: true })
  await expect(time).toHaveAccessibleDescription(/^The schedule says: Sundays at 6:45 PM \(America\/New_York\)\./)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('article')).toContainText('6:45 PM to 8:00 PM')
})

test('skips a service, and says whom to call', async ({ page, site }) => {
  await send(site, 'PATCH', '/api/schedule', { weekday: 6, timeZone: 'UTC' })
  const { date } = (await read(site, '/api/schedule')).services.at(-1)
  await storeRsvps(site, [
    testRsvp({ serviceDate: date, phone: '555-0100' }),
    testRsvp({ name: 'Cy Fox', email: 'cy@fox.example', serviceDate: date }),
    testRsvp({ name: 'Ben Roe', serviceDate: date, attending: false }),
  ])
  await open(page, '/admin?tab=settings')
  const day = page.getByLabel('Day Without a Service')
  await day.fill(addDays(date, 1))
  await day.press('Enter')
  await expect(day).toHaveAccessibleDescription(/There is no service on .*: services are on Saturdays\./)
  await day.fill(date)
  await day.press('Enter')
  const kept = '3 responses for that day will be kept: let people know.'
  await expectToast(page, 'Service Skipped', `There is no service on ${dayText(date)}. ${kept}`)
  expect((await read(site, '/api/schedule')).skippedDates).toEqual([date])
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await toast(page).getByRole('button', { name: 'Whom to call' }).click()
  await expect(page).toHaveURL(`/admin?week=${date}#to-call`)
  const calls = page.getByRole('region', { name: 'Whom to call' })
  await expect(calls.getByRole('heading', { level: 2 })).toBeFocused()
  await expect(calls.getByRole('listitem')).toHaveText([
    'Ana Cole 555-0100 ana@cole.example',
    /^Cy Fox +cy@fox\.example$/,
  ])
  await expect(calls.getByRole('link', { name: '555-0100' })).toHaveAttribute('href', 'tel:5550100')
  await expect(people(page)).toHaveCount(0)
  await waitForHydration(page)
  await calls.getByRole('button', { name: 'Copy the list' }).click()
  await expectToast(page, 'List Copied', 'Names, phone numbers and emails are in the clipboard.')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    'Ana Cole\t555-0100\tana@cole.example\nCy Fox\t\tcy@fox.example',
  )
  await expect(calls).toContainText('Still to call: 2.')
  await calls.getByRole('checkbox', { name: 'Ana Cole' }).press('Space')
  await expect(calls.getByRole('status')).toContainText('Still to call: 1.')
  // What was ticked for a service that is over goes.
  await page.evaluate(() =>
    localStorage.setItem('called', localStorage.getItem('called')?.replace('{', '{"2025-01-04":[1],') ?? ''),
  )
  await open(page, `/admin?week=${date}`)
  await expect(calls.getByRole('checkbox', { checked: true })).toHaveAccessibleName('Ana Cole')
  await calls.getByRole('checkbox', { name: 'Ana Cole' }).uncheck()
  await calls.getByRole('checkbox', { name: 'Cy Fox' }).check()
  expect(await page.evaluate(() => localStorage.getItem('called'))).toBe(`{"${date}":[2]}`)
  await calls.getByRole('checkbox', { name: 'Ana Cole' }).check()
  await expect(calls.getByRole('status')).toHaveText('All are called.')
  await expectUsable(page, 'with people to call')
  await open(page, '/admin?tab=settings')
  await page.getByRole('region', { name: 'Skipped Services' }).getByRole('button', { name: 'Remove' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'Skipped Services' })).toBeFocused()
  await expectToast(page, 'Service Restored', `There is a service on ${dayText(date)} again.`)
  expect((await read(site, '/api/schedule')).skippedDates).toEqual([])
})
