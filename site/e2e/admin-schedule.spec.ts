import type { Page } from '@playwright/test'
import { dayText } from '#db/values/dates.ts'
import { event } from './event-editing.ts'
import { expect, expectToast, open, tab, test, toast, waitForHydration } from './fixtures.ts'
import { read, readRsvps, send, storeRsvps, testRsvp } from './stored.ts'

test.use({ timezoneId: 'America/Denver' })

const form = (page: Page) => page.getByRole('form', { name: 'Schedule' })
const denver = (page: Page) => form(page).getByRole('button', { name: 'America/Denver', exact: true })
const save = (page: Page) => page.getByRole('button', { name: 'Save Schedule' }).click()

test.describe('the schedule', () => {
  test('is a guess until it is confirmed, says so above the responses, and stands beside what the event says', async ({
    page,
    site,
  }) => {
    // Where there is no event, the page stores the first one, perhaps after the change below.
    await send(site, 'POST', '/api/event', { ...event, date: 'Every Sabbath' })
    await page.goto('/admin')
    await page.getByRole('link', { name: 'Check the schedule' }).click()
    await expect(page).toHaveURL('/admin?tab=settings#schedule')
    await waitForHydration(page)
    await expect(form(page)).toContainText('This is a guess until you save it: Saturdays at 10:00 AM')
    await expect(page.getByRole('heading', { name: 'Skipped Services' })).toHaveCount(0)
    const { timeZone } = await read(site, '/api/schedule')
    await page.getByRole('button', { name: 'It Is Right' }).click()
    const asked = `This device is in America/Denver, and the guess is ${timeZone}.`
    await expect(page.getByRole('alert').filter({ hasText: asked })).toBeVisible()
    expect(await read(site, '/api/schedule')).toMatchObject({ confirmed: false })
    await expect(form(page).getByRole('button', { name: timeZone, exact: true })).toBeVisible()
    await expect(denver(page)).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(toast(page)).toContainText('Schedule Saved')
    await expect(toast(page)).toContainText('The next service is on Saturday, ')
    await expect(page.getByText('This is a guess')).toHaveCount(0)
    const confirmed = { confirmed: true, weekday: 6, startTime: '10:00', durationMinutes: 120 }
    expect(await read(site, '/api/schedule')).toMatchObject({ ...confirmed, timeZone: 'America/Denver' })
    await tab(page, 'Responses').click()
    await expect(page.getByRole('link', { name: 'Check the schedule' })).toHaveCount(0)

    await tab(page, 'Settings').click()
    await form(page).getByLabel('Day', { exact: true }).selectOption('Sunday')
    await save(page)
    await expect(toast(page)).toContainText('The next service is on Sunday, ')
    await expect(form(page)).toContainText('The event says: Every Sabbath, 10 AM.')
    await page.getByRole('link', { name: 'Open the event' }).click()
    await expect(page.getByRole('article')).toContainText('10:00 AM to 12:00 PM')
    await page.getByRole('button', { name: 'Edit' }).click()
    const time = page.getByLabel('Time', { exact: true })
    await expect(time).toHaveAccessibleDescription(/^The schedule says: Sundays at 10:00 AM \(America\/Denver\)\./)
  })

  test('is set with the keyboard alone, says what moved, and can be taken back', async ({ page, site }) => {
    await storeRsvps(site, [testRsvp(), testRsvp({ name: 'Ben Cole' })])
    await open(page, '/admin?tab=settings')
    const length = form(page).getByLabel('Length in Minutes')
    const zone = form(page).getByLabel('Time Zone')
    await form(page).getByLabel('Day', { exact: true }).focus()
    await page.keyboard.type('Sun')
    await page.keyboard.press('Tab')
    await page.keyboard.type('0630PM')
    await length.fill('٩٠')
    await page.keyboard.press('Tab')
    await expect(zone).toBeFocused()
    await page.keyboard.press('Control+A')
    await page.keyboard.type('new york')
    await page.keyboard.press('Enter')
    const question = page.getByRole('dialog', { name: 'Another Day' })
    await expect(question).toContainText('2 responses for services to come move from Saturday to Sunday.')
    await page.keyboard.press('Escape')
    await expect(zone).toBeFocused()
    expect(await read(site, '/api/schedule')).toMatchObject({ confirmed: false })
    await page.keyboard.press('Enter')
    await question.getByRole('button', { name: 'Move Them' }).press('Enter')
    await expect(toast(page)).toContainText(/2 responses moved to the new day\. The next service is on Sunday, /)
    const sunday = { weekday: 0, startTime: '18:30', durationMinutes: 90, timeZone: 'America/New_York' }
    expect(await read(site, '/api/schedule')).toMatchObject({ ...sunday, confirmed: true })
    const days = async () => (await readRsvps(site)).map(({ serviceDate }: { serviceDate: string }) => serviceDate)
    const before = await days()
    await form(page).getByLabel('Day', { exact: true }).selectOption('Wednesday')
    await save(page)
    await question.getByRole('button', { name: 'Move Them' }).click()
    await expect(toast(page)).toContainText(/2 responses moved to the new day\. The next service is on Wednesday, /)
    expect(await days()).not.toEqual(before)
    await toast(page).getByRole('button', { name: 'Undo' }).click()
    await expect(toast(page)).toContainText(/2 responses moved back\. The next service is on Sunday, /)
    await expect(form(page).getByLabel('Day', { exact: true })).toHaveValue('0')
    expect(await days()).toEqual(before)
  })

  test('skips services on a calendar, with the keyboard alone, and says whom to call', async ({ page, site }) => {
    await send(site, 'PATCH', '/api/schedule', { weekday: 6, timeZone: 'UTC' })
    const { date } = (await read(site, '/api/schedule')).services.at(-1)
    await storeRsvps(site, [
      testRsvp({ serviceDate: date, phone: '555-0100' }),
      testRsvp({ name: 'Ben Roe', serviceDate: date, attending: false }),
    ])
    await open(page, '/admin?tab=settings')
    const day = page.getByRole('button', { name: `Skip ${dayText(date)}`, exact: true })
    const next = page.getByRole('button', { name: 'Next month' })
    await next.focus()
    while ((await day.count()) === 0) await page.keyboard.press('Enter')
    await day.focus()
    await page.keyboard.press('Space')
    await expect(day).toHaveAttribute('aria-pressed', 'true')
    const kept = '2 responses for that day will be kept: let people know.'
    await expectToast(page, 'Service Skipped', `There is no service on ${dayText(date)}. ${kept}`)
    expect((await read(site, '/api/schedule')).skippedDates).toEqual([date])
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await toast(page).getByRole('button', { name: 'Whom to call' }).click()
    await expect(page).toHaveURL(`/admin?week=${date}#to-call`)
    const calls = page.getByRole('region', { name: 'Whom to call' })
    await expect(calls.getByRole('heading', { level: 2 })).toBeFocused()
    await expect(calls.getByRole('listitem')).toHaveText('Ana Cole 555-0100 ana@cole.example')
    await expect(calls.getByRole('link', { name: '555-0100' })).toHaveAttribute('href', 'tel:5550100')
    await expect(page.locator('.week-figures__people')).toHaveCount(0)
    await waitForHydration(page)
    await calls.getByRole('button', { name: 'Copy the list' }).click()
    await expectToast(page, 'List Copied', 'Names, phone numbers and emails are in the clipboard.')
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('Ana Cole\t555-0100\tana@cole.example')
    await open(page, '/admin?tab=settings')
    while ((await day.count()) === 0) await next.press('Enter')
    await page.getByRole('button', { name: `Do not skip ${dayText(date)}` }).press('Enter')
    await expect(page.getByRole('heading', { name: 'Skipped Services' })).toBeFocused()
    await expectToast(page, 'Service Restored', `There is a service on ${dayText(date)} again.`)
    await expect(day).toHaveAttribute('aria-pressed', 'false')
    expect((await read(site, '/api/schedule')).skippedDates).toEqual([])
  })
})

test.describe('the reason of a skipped service', () => {
  test.use({ variables: { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'rsvp@cole.example' } })

  test('is sent with the service that it was typed for, and not with the next', async ({ page, site }) => {
    await send(site, 'PATCH', '/api/schedule', { weekday: 6, timeZone: 'UTC' })
    const days = (await read(site, '/api/schedule')).services.map(({ date }: { date: string }) => date)
    await open(page, '/admin?tab=settings')
    const reason = page.getByRole('textbox', { name: 'Reason (optional)' })
    await reason.fill('The heating is broken.')
    const sent: string[] = []
    for (const date of days.slice(1, 3)) {
      const day = page.getByRole('button', { name: `Skip ${dayText(date)}`, exact: true })
      while ((await day.count()) === 0) await page.getByRole('button', { name: 'Next month' }).press('Enter')
      const request = page.waitForRequest((each) => each.method() === 'PATCH')
      await day.press('Space')
      sent.push(JSON.parse((await request).postData() ?? '').skipReason)
      await expectToast(page, 'Service Skipped', `There is no service on ${dayText(date)}.`)
    }
    expect(sent).toEqual(['The heating is broken.', undefined])
    await expect(reason).toHaveValue('')
  })
})
