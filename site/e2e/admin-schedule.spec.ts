import type { Page } from '@playwright/test'
import { event } from './event-editing.ts'
import {
  expect,
  expectToast,
  hold,
  open,
  readRsvps,
  type Site,
  send,
  storeRsvps,
  test,
  testRsvp,
  toast,
  waitForHydration,
} from './fixtures.ts'

test.use({ timezoneId: 'America/Denver' })

const form = (page: Page) => page.getByRole('form', { name: 'Schedule' })

async function read(site: Site) {
  return (await fetch(`${site.url}/api/schedule`)).json()
}

/** As people read it. */
function dayText(day: string): string {
  const format = { weekday: 'long', month: 'long', day: 'numeric', timeZone: 'UTC' } as const
  return new Intl.DateTimeFormat('en-US', format).format(new Date(day))
}

test.describe('the schedule', () => {
  test('is a guess until it is confirmed, and says so above the responses as well', async ({ page, site }) => {
    await open(page, '/admin')
    await page.getByRole('link', { name: 'Check the schedule' }).click()
    await expect(page).toHaveURL('/admin?tab=settings#schedule')
    await waitForHydration(page)
    await expect(form(page)).toContainText('This is a guess until you save it: Saturdays at 10:00 AM')
    await expect(page.getByRole('heading', { name: 'Skipped Services' })).toHaveCount(0)
    const { timeZone } = await read(site)
    await page.getByRole('button', { name: 'It Is Right' }).click()
    const asked = `This device is in America/Denver, and the guess is ${timeZone}.`
    await expect(page.getByRole('alert').filter({ hasText: asked })).toBeVisible()
    expect(await read(site)).toMatchObject({ confirmed: false })
    await expect(form(page).getByRole('button', { name: timeZone, exact: true })).toBeVisible()
    await expect(form(page).getByRole('button', { name: 'America/Denver', exact: true })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(toast(page)).toContainText('Schedule Saved')
    await expect(toast(page)).toContainText('The next service is on Saturday, ')
    await expect(page.getByText('This is a guess')).toHaveCount(0)
    const confirmed = { confirmed: true, weekday: 6, startTime: '10:00', durationMinutes: 120 }
    expect(await read(site)).toMatchObject({ ...confirmed, timeZone: 'America/Denver' })
    await page.getByRole('tab', { name: 'Responses' }).click()
    await expect(page.getByRole('link', { name: 'Check the schedule' })).toHaveCount(0)
  })

  test('is set with the keyboard alone, and says what moved', async ({ page, site }) => {
    await storeRsvps(site, [testRsvp(), testRsvp({ name: 'Ben Cole' })])
    await open(page, '/admin?tab=settings')
    await form(page).getByLabel('Day', { exact: true }).focus()
    await page.keyboard.type('Sun')
    await page.keyboard.press('Tab')
    await page.keyboard.type('0630PM')
    await form(page).getByLabel('Length in Minutes').focus()
    await page.keyboard.press('Control+A')
    await page.keyboard.type('90')
    await expect(form(page)).toContainText('1 hour 30 minutes, until 8:00 PM')
    await page.keyboard.press('Tab')
    await expect(form(page).getByLabel('Time Zone')).toBeFocused()
    await page.keyboard.type('new york')
    await page.keyboard.press('Enter')
    const question = page.getByRole('dialog', { name: 'Another Day' })
    await expect(question).toContainText('2 responses for services to come move from Saturday to Sunday.')
    await page.keyboard.press('Escape')
    await expect(form(page).getByLabel('Time Zone')).toBeFocused()
    expect(await read(site)).toMatchObject({ confirmed: false })
    await page.keyboard.press('Enter')
    await question.getByRole('button', { name: 'Move Them' }).press('Enter')
    await expect(toast(page)).toContainText(/2 responses moved to the new day\. The next service is on Sunday, /)
    const sunday = { weekday: 0, startTime: '18:30', durationMinutes: 90, timeZone: 'America/New_York' }
    expect(await read(site)).toMatchObject({ ...sunday, confirmed: true })
    await expect(form(page).getByLabel('Time Zone')).toHaveValue('America/New_York')
    await page.getByRole('button', { name: 'Use America/Denver, as this device' }).click()
    await form(page).getByLabel('Responses Close').selectOption('2 hours before the service starts')
    await page.getByRole('button', { name: 'Save Schedule' }).click()
    await expect.poll(() => read(site)).toMatchObject({ timeZone: 'America/Denver', closesMinutesBefore: 120 })

    const days = async () => (await readRsvps(site)).map(({ serviceDate }: { serviceDate: string }) => serviceDate)
    const before = await days()
    await form(page).getByLabel('Day', { exact: true }).selectOption('Wednesday')
    await page.getByRole('button', { name: 'Save Schedule' }).click()
    await question.getByRole('button', { name: 'Move Them' }).click()
    await expect(toast(page)).toContainText(/2 responses moved to the new day\. The next service is on Wednesday, /)
    expect(await days()).not.toEqual(before)
    await toast(page).getByRole('button', { name: 'Undo' }).click()
    await expect(toast(page)).toContainText(/2 responses moved back\. The next service is on Sunday, /)
    await expect(form(page).getByLabel('Day', { exact: true })).toHaveValue('0')
    expect(await days()).toEqual(before)
  })

  test('keeps what is chosen while an earlier change is being saved', async ({ page, site }) => {
    const release = await hold(page, '**/api/schedule')
    await open(page, '/admin?tab=settings')
    await form(page).getByLabel('Length in Minutes').fill('90')
    await page.getByRole('button', { name: 'Save Schedule' }).click()
    await form(page).getByRole('button', { name: 'America/Denver', exact: true }).click()
    await form(page).getByLabel('Start').fill('18:30')
    release()
    await expect(toast(page)).toContainText('Schedule Saved')
    await expect(form(page).getByLabel('Start')).toHaveValue('18:30')
    await page.getByRole('button', { name: 'Save Schedule' }).click()
    await expect.poll(() => read(site)).toMatchObject({ startTime: '18:30', durationMinutes: 90 })
  })

  test('is not sent where something is wrong, which is said beside its field', async ({ page, site }) => {
    await open(page, '/admin?tab=settings')
    await form(page).getByLabel('Length in Minutes').fill('0')
    await form(page).getByLabel('Time Zone').fill('Atlantis')
    await page.keyboard.press('Enter')
    await expect(form(page).getByLabel('Length in Minutes')).toBeFocused()
    await expect(form(page).getByLabel('Length in Minutes')).toHaveAccessibleDescription(/whole number of minutes/)
    await expect(form(page).getByLabel('Time Zone')).toHaveAccessibleDescription(/There is no such time zone/)
    expect(await read(site)).toMatchObject({ confirmed: false })
  })

  test('says where the event contradicts what is chosen, and what follows', async ({ page, site }) => {
    // Where there is no event, the page stores the first one, perhaps after the change below.
    await send(site, 'POST', '/api/event', { ...event, date: 'Every Sabbath' })
    await open(page, '/admin?tab=settings')
    await expect(form(page)).not.toContainText('names another')
    await form(page).getByLabel('Day', { exact: true }).selectOption('Sunday')
    await expect(form(page)).toContainText('Every SabbathThe event’s date names another day than the schedule')
    await expect(page.getByRole('link', { name: 'Open the event' })).toHaveAttribute('href', '/')
    const consequence = page.getByText('visitors are offered no calendar and no choice of days')
    await expect(consequence).toHaveCount(0)
    await send(site, 'POST', '/api/event', { ...event, date: 'Every Sunday' })
    await page.reload()
    await waitForHydration(page)
    await expect(consequence).toBeVisible()
    await form(page).getByLabel('Day', { exact: true }).selectOption('Sunday')
    await page.getByRole('button', { name: 'Save Schedule' }).click()
    await form(page).getByRole('button', { name: 'America/Denver', exact: true }).click()
    await expect(consequence).toHaveCount(0)
  })
})

test.describe('skipped services', () => {
  test('are chosen on a calendar, with the keyboard alone, and removed from their list', async ({ page, site }) => {
    await fetch(`${site.url}/api/schedule`, {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ weekday: 6, timeZone: 'UTC' }),
    })
    const { services } = await read(site)
    const { date } = services.at(-1)
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
    expect((await read(site)).skippedDates).toEqual([date])
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await toast(page).getByRole('button', { name: 'Whom to call' }).click()
    await expect(page).toHaveURL(`/admin?week=${date}#to-call`)
    const calls = page.getByRole('region', { name: 'Whom to call' })
    await expect(calls.getByRole('heading')).toBeFocused()
    await expect(calls.getByRole('listitem')).toHaveText('Ana Cole 555-0100 ana@cole.example')
    await expect(calls.getByRole('link', { name: '555-0100' })).toHaveAttribute('href', 'tel:5550100')
    await expect(page.locator('.week-figures__people')).toHaveCount(0)
    await waitForHydration(page)
    await calls.getByRole('button', { name: 'Copy the list' }).click()
    await expectToast(page, 'List Copied', 'Names, phone numbers and emails are in the clipboard.')
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('Ana Cole\t555-0100\tana@cole.example')
    await open(page, '/admin?week=all')
    await expect(page.locator('.week-figures__people')).toHaveText('0 people expected')
    await page.goto('/admin')
    const skipped = page.getByText(`There is no service on ${dayText(date)}.`)
    await skipped.getByRole('link', { name: 'Whom to call' }).click()
    await expect(calls.getByRole('heading')).toBeFocused()
    await open(page, '/admin?tab=settings')
    while ((await day.count()) === 0) await next.press('Enter')
    await page.getByRole('button', { name: `Do not skip ${dayText(date)}` }).press('Enter')
    await expect(page.getByRole('heading', { name: 'Skipped Services' })).toBeFocused()
    await expectToast(page, 'Service Restored', `There is a service on ${dayText(date)} again.`)
    await expect(day).toHaveAttribute('aria-pressed', 'false')
    expect((await read(site)).skippedDates).toEqual([])
  })

  test.describe('while the site is away', () => {
    test.use({ expectedErrors: /ERR_INTERNET|Failed to (load resource|initialize event)/ })

    test('go back to what they were', async ({ page, site }) => {
      await fetch(`${site.url}/api/schedule`, {
        method: 'PATCH',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ weekday: 6 }),
      })
      const loaded = page.waitForResponse('**/assets/Toast.*')
      await open(page, '/admin?tab=settings')
      await page.getByRole('button', { name: 'Next month' }).click()
      await (await loaded).finished()
      await page.context().setOffline(true)
      const day = page.getByRole('button', { name: /^Skip Saturday/ }).first()
      await day.click()
      await expectToast(page, 'Error', 'Failed to save the schedule')
      await expect(day).toHaveAttribute('aria-pressed', 'false')
      await expect(page.getByRole('button', { name: /^Do not skip/ })).toHaveCount(0)
    })
  })
})
