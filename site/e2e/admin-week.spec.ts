import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { addDays, dayText, fullDayText } from '#db/values/dates.ts'
import {
  expect,
  expectToast,
  open,
  readRsvps,
  type Site,
  send,
  storeManyRsvps,
  storeRsvps,
  test,
  testRsvp,
} from './fixtures.ts'
import { confirmSchedule, moveToWeek, type Weeks } from './weeks.ts'

const rows = (page: Page) => page.locator('[data-rsvp]')
const picker = (page: Page) => page.getByRole('navigation', { name: 'Week' })
const chosen = (page: Page) => picker(page).locator('[aria-current]:visible')
const pick = (page: Page, week: string) => picker(page).getByRole('link', { name: week }).click()
const services = (page: Page) => page.getByRole('cell').and(page.locator('[data-label="Service"]'))
const people = (page: Page) => page.locator('.week-figures__people')
const ages = (page: Page) => page.locator('.week-figures__ages > div')
const medium = (day: string) =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(day))

/** Four people this week, one the week before, two next week. */
async function storeThreeWeeks(site: Site): Promise<Weeks> {
  const weeks = await confirmSchedule(site, [2])
  const familyMembers = [
    { name: 'Joel Cole', age: 'child' },
    { name: 'Tim Cole', age: 'teen' },
    { name: 'Ida Cole', age: 'adult', attending: false },
  ]
  await storeRsvps(site, [
    testRsvp({ familyMembers, volunteerRoles: [1, 2] }),
    testRsvp({ name: 'Ben Roe', attending: false, familyMembers: [{ name: 'Mia Roe' }], volunteerRoles: [1] }),
    testRsvp({ name: 'Cy Fox', serviceDate: weeks.next, familyMembers: [{ name: 'Ed Fox' }] }),
    testRsvp({ name: 'Di Lowe' }),
  ])
  moveToWeek(site, 'Di Lowe', weeks.before)
  // No one will say how many came: the administration shows this week.
  await send(site, 'PATCH', `/api/services/${weeks.before}`, { turnout: null })
  return weeks
}

test.describe('the week of the administration', () => {
  test('is all of them until the schedule is confirmed, then this one', async ({ page, site }) => {
    await storeRsvps(site, [testRsvp({ familyMembers: [{ name: 'Joel Cole', age: 'child' }] })])
    await open(page, '/admin')
    await expect(chosen(page)).toHaveText('All weeks')
    await expect(people(page)).toHaveText('2 people expected')
    await confirmSchedule(site)
    await page.reload()
    await expect(chosen(page)).toHaveText('This week')
    await page.goto('/')
    await page.getByRole('link', { name: 'View All Responses' }).click()
    await expect(chosen(page)).toHaveText('All weeks')
  })

  test('says how many come, of what age, and who serves', async ({ page, site }) => {
    const weeks = await storeThreeWeeks(site)
    await send(site, 'PATCH', '/api/volunteer-roles/1', { needed: 3 })
    await send(site, 'PATCH', '/api/volunteer-roles/2', { needed: 1 })
    await open(page, '/admin')
    await expect(page.getByRole('heading', { name: `${dayText(weeks.this)} This week` })).toBeVisible()
    await expect(people(page)).toHaveText('4 people expected')
    await expect(ages(page)).toHaveText(['Adults1', 'Teens1', 'Children1', 'Age not said1'])
    const role = (name: string) => page.getByRole('listitem').filter({ hasText: name })
    await expect(role('Greeter')).toHaveText(/^Greeter\s*1 of 3\s*Ana Cole$/)
    await expect(role('Usher')).toHaveText(/^Usher\s*1 of 1\s*Ana Cole$/)
    await expect(page.getByText('Missing: Greeter 2')).toBeVisible()
    await expect(role('Music')).toHaveText(/^Music\s*No one yet$/)
    await expect(page.locator('.counts')).toHaveText('Attending1Not Attending1')
    moveToWeek(site, 'Ana Cole', weeks.before)
    await pick(page, 'Last week')
    await expect(role('Greeter')).toHaveText(/^Greeter\s*1 of 3\s*Ana Cole$/)
    await expect(role('Music')).toHaveText(/^Music\s*No one$/)
    await expect(page.getByText('Missing: ')).toHaveCount(0)
    await page.getByRole('link', { name: 'Print the sheet' }).click()
    await expect(role('Greeter')).toHaveText(/^Greeter\s*1 of 3\s*Ana Cole$/)
  })

  test('is picked by links, with the table, the counts and the address', async ({ page, site }) => {
    const weeks = await storeThreeWeeks(site)
    await open(page, '/admin')
    await expect(rows(page)).toHaveText([/Ben Roe/, /Ana Cole/])
    await expect(services(page)).toHaveCount(0)
    const places = (button: string) =>
      page.getByRole('button', { name: button }).evaluateAll((all) => all.map((one) => one.getBoundingClientRect().y))
    expect(await places('Edit the RSVP of')).toEqual(await places('Delete the RSVP of'))
    await pick(page, 'Last week')
    await expect(page).toHaveURL('/admin?week=last')
    await expect(page.getByRole('heading', { name: `${dayText(weeks.before)} Last week` })).toBeVisible()
    await expect(rows(page)).toHaveText([/Di Lowe/])
    await pick(page, 'Next week')
    await expect(page).toHaveURL('/admin?week=next')
    await expect(rows(page)).toHaveText([/Cy Fox/])
    await expect(people(page)).toHaveText('2 people expected')
    const earlier = addDays(weeks.before, -14)
    moveToWeek(site, 'Di Lowe', earlier)
    await page.reload()
    await picker(page).getByText('Other weeks').click()
    await pick(page, `${medium(earlier)} 1 expected`)
    await expect(page).toHaveURL(`/admin?week=${earlier}`)
    await expect(page.getByRole('heading', { name: fullDayText(earlier) })).toBeVisible()
    await expect(people(page)).toHaveText('1 person expected')
    await expect(chosen(page)).toHaveText(medium(earlier))
    await pick(page, 'All weeks')
    await expect(page).toHaveURL('/admin?week=all')
    await expect(services(page)).toHaveText([earlier, weeks.next, weeks.this, weeks.this].map(medium))
    await expect(people(page)).toHaveText('7 people expected')
    await expect(page.getByText('The sum of 3 weeks: whoever comes twice counts twice.')).toBeVisible()
    await page.goBack()
    await expect(rows(page)).toHaveText([/Di Lowe/])
    await page.getByRole('tab', { name: 'Settings' }).click()
    await page.getByRole('tab', { name: 'Responses' }).click()
    await expect(people(page)).toHaveText('1 person expected')
    await expect(page).toHaveURL(`/admin?week=${earlier}`)
    await open(page, '/admin?tab=share')
    await page.getByRole('tab', { name: 'Responses' }).click()
    await expect(people(page)).toHaveText('4 people expected')
  })

  test('goes with a search, and the search with another week', async ({ page, site }) => {
    await storeThreeWeeks(site)
    await open(page, '/admin?week=all')
    await page.getByLabel('Search').fill('o')
    await page.getByLabel('Order').selectOption('Name')
    await page.getByRole('button', { name: 'Search' }).click()
    await expect(page).toHaveURL('/admin?week=all&q=o&sort=name#responses')
    await expect(rows(page)).toHaveCount(4)
    await pick(page, 'This week')
    await expect(page).toHaveURL('/admin?week=this&q=o&sort=name')
    await expect(rows(page)).toHaveText([/Ana Cole/, /Ben Roe/])
    await page.getByLabel('Status').selectOption('Attending')
    await page.getByRole('button', { name: 'Search' }).click()
    await expect(page.getByText('1 of 2 responses match.')).toBeVisible()
    await page.getByRole('link', { name: 'Show All' }).click()
    await expect(page).toHaveURL('/admin?week=this#responses')
    await expect(rows(page)).toHaveCount(2)
  })

  test('is the week of the CSV and of the printed list, whose heading names the day', async ({ page, site }) => {
    const weeks = await confirmSchedule(site)
    await storeManyRsvps(site, 130)
    await storeRsvps(site, [testRsvp({ name: 'Cy Fox', serviceDate: weeks.next })])
    await open(page, '/admin')
    const csv = page.getByRole('button', { name: 'Download CSV' })
    await expect(csv).toHaveAccessibleDescription('this week, 130 responses')
    await open(page, '/admin?week=this&q=Visitor+13')
    await expect(csv).toHaveAccessibleDescription('this week, 3 of 130 responses')
    await open(page, '/admin?week=all')
    await expect(csv).toHaveAccessibleDescription('all weeks, 131 responses')
    await open(page, '/admin?week=next')
    await expect(csv).toHaveAccessibleDescription('next week, 1 response')
    const [download] = await Promise.all([page.waitForEvent('download'), csv.click()])
    expect(download.suggestedFilename()).toBe(`rsvps-week-${weeks.next}.csv`)
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n')
    expect(lines.slice(1).map((line) => line.split(',')[1])).toEqual(['Cy Fox'])
    moveToWeek(site, 'Visitor', weeks.next)
    await page.reload()
    // The week that is shown stays, also where it is over by the time the next page is asked for.
    const older = page.getByRole('link', { name: 'Older' })
    await expect(older).toHaveAttribute('href', new RegExp(`^/admin\\?week=${weeks.next}&before=`))
    await page.getByRole('link', { name: /^Print all/ }).click()
    await expect(page).toHaveURL(`/api/rsvps/print?week=${weeks.next}`)
    await expect(page.getByRole('heading')).toHaveText(['RSVP Responses', fullDayText(weeks.next)])
    await expect(page.getByRole('columnheader', { name: 'Service' })).toHaveCount(0)
    await page.getByRole('link', { name: 'Back to the administration' }).click()
    await expect(page).toHaveURL(`/admin?week=${weeks.next}`)
    await expect(chosen(page)).toHaveText('Next week')
    await page.goto('/api/rsvps/print')
    await expect(page.getByRole('row').last()).toContainText(medium(weeks.next))
    await expect(page.getByRole('heading')).toHaveText(['RSVP Responses'])
    await page.getByRole('link', { name: 'Back to the administration' }).click()
    await expect(chosen(page)).toHaveText('All weeks')
  })

  test('bounds what is selected on all pages', async ({ page, site }) => {
    const weeks = await confirmSchedule(site)
    await storeManyRsvps(site, 150)
    moveToWeek(site, 'Visitor 14', weeks.before)
    await open(page, `/admin?week=${weeks.this}`)
    await page.getByRole('checkbox', { name: 'Select all' }).check()
    await page.getByRole('button', { name: 'Select all 139 on all pages' }).click()
    await page.getByRole('button', { name: 'Delete Selected' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await expectToast(page, 'RSVPs Deleted', '139 responses were deleted.')
    await expect(
      page.getByText(`No responses for ${dayText(weeks.this)}. Share the link to invite people.`),
    ).toBeVisible()
    expect(await readRsvps(site)).toHaveLength(11)
  })

  test('that does not exist is named, and all others are shown', async ({ page, site }) => {
    const weeks = await storeThreeWeeks(site)
    await open(page, '/admin?week=2026-02-30')
    await expect(page.getByText('Not everything that this address asks for is known (week)')).toBeVisible()
    await expect(chosen(page)).toHaveText('This week')
    await open(page, '/admin/sheet?week=foo')
    await expect(page.getByText('this address names none: this is the sheet for the next service.')).toBeVisible()
    const after = addDays(weeks.this, 1)
    await open(page, `/admin/sheet?week=${after}`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(0)
    await page.getByRole('link', { name: dayText(weeks.this) }).click()
    await expect(page).toHaveURL(`/admin/sheet?week=${weeks.this}`)
    await open(page, `/admin?week=${after}`)
    await expect(
      page.getByText(/^There is no service on .*: services are on .*\. The nearest services are on /),
    ).toBeVisible()
    await expect(people(page)).toHaveCount(0)
    await expect(rows(page)).toHaveCount(0)
    await expect(page.getByText(`No responses for ${dayText(after)}.`, { exact: true })).toBeVisible()
    // Services were on that day when this came.
    moveToWeek(site, 'Cy Fox', after)
    await page.reload()
    const remark = page.getByText('What is shown is stored for that day all the same.')
    await expect(remark).toBeVisible()
    await expect(people(page)).toHaveText('2 people expected')
    await page.getByRole('link', { name: 'Print the sheet' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(fullDayText(after))
    await expect(remark).toBeVisible()
  })
})
