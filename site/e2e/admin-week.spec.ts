import type { Page } from '@playwright/test'
import { addDays, dayText } from '#db/values/dates.ts'
import { expect, open, people, rows, type Site, test } from './fixtures.ts'
import { confirmSchedule, moveToWeek, send, storeRsvps, testRsvp, testRsvps, type Weeks } from './stored.ts'

const picker = (page: Page) => page.getByRole('navigation', { name: 'Week' })
const chosen = (page: Page) => picker(page).locator('[aria-current]:visible')
const pick = (page: Page, week: string) => picker(page).getByRole('link', { name: week }).click()
const year = (page: Page) => page.getByRole('region', { name: 'People expected each week' })
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
  return weeks
}

test.describe('the week of the administration', () => {
  test('says how many come and who serves, and is picked by links', async ({ page, site }) => {
    const weeks = await storeThreeWeeks(site)
    await send(site, 'PATCH', '/api/volunteer-roles/1', { needed: 3 })
    await send(site, 'PATCH', '/api/volunteer-roles/2', { needed: 1 })
    const services = page.getByRole('cell').and(page.locator('[data-label="Service"]'))
    await page.goto('/admin')
    await expect(rows(page)).toHaveText([/Ben Roe/, /Ana Cole/])
    await expect(services).toHaveCount(0)
    await expect(chosen(page)).toHaveText('This week')
    await expect(page.getByRole('heading', { name: `${dayText(weeks.this)} This week` })).toBeVisible()
    await expect(people(page)).toHaveText('4 people expected from 2 responses')
    const role = (name: string) => page.getByRole('listitem').filter({ hasText: name })
    await expect(role('Greeter')).toHaveText(/^Greeter\s*1 of 3\s*Ana Cole$/)
    await expect(role('Usher')).toHaveText(/^Usher\s*1 of 1\s*Ana Cole$/)
    await expect(page.getByText('Missing: Greeter 2')).toBeVisible()
    await expect(role('Music')).toHaveText(/^No one yet: Music, Children's Class, /)
    await expect(page.locator('.counts')).toHaveText(
      /Attending1 response3 expectedNot Attending1 response1 of the family expected/,
    )
    await pick(page, 'Last week')
    await expect(page).toHaveURL('/admin?week=last')
    await expect(page.getByRole('heading', { name: `${dayText(weeks.before)} Last week` })).toBeVisible()
    await expect(rows(page)).toHaveText([/Di Lowe/])
    await pick(page, 'Next week')
    await expect(page).toHaveURL('/admin?week=next')
    await expect(rows(page)).toHaveText([/Cy Fox/])
    await expect(people(page)).toHaveText('2 people expected from 1 response')
    await picker(page).getByText('Other weeks').click()
    await pick(page, 'All weeks')
    await expect(page).toHaveURL('/admin?week=all')
    await expect(services).toHaveText([weeks.before, weeks.next, weeks.this, weeks.this].map(medium))
    await expect(page.locator('.counts')).toHaveText('Attending3 responsesNot Attending1 response')
    await expect(people(page)).toHaveCount(0)
  })

  test('is compared with others in a table, which is folded on a narrow page but printed', async ({ page, site }) => {
    const weeks = await confirmSchedule(site)
    await storeRsvps(site, testRsvps(3))
    moveToWeek(site, 'Visitor 1', addDays(weeks.before, -7))
    await open(page, '/admin?week=this')
    await expect(year(page).getByRole('row')).toHaveText([/^Week\s*People$/, /1$/, /1$/])
    const before = medium(addDays(weeks.before, -7))
    await year(page).getByRole('link', { name: before }).click()
    await expect(year(page).locator('[aria-current]')).toHaveText(before)
    await expect(rows(page)).toHaveText([/Visitor 1/])
    // Letter in landscape is as wide as this, where the screen folds the table.
    await page.setViewportSize({ width: 950, height: 700 })
    await expect(year(page)).toBeHidden()
    await page.emulateMedia({ media: 'print' })
    await expect(page.getByRole('heading', { name: 'People expected each week' })).toBeVisible()
    await expect(year(page)).toBeVisible()
  })
})
