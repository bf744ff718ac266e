import type { Page } from '@playwright/test'
import { addDays } from '#db/values/dates.ts'
import { expect, open, type Site, send, storeRsvps, test, testRsvp } from './fixtures.ts'
import { expectNoFindings, findSmallTargets, overflowOf } from './usable.ts'
import { confirmSchedule, moveToWeek } from './weeks.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

const chart = (page: Page) => page.getByRole('figure')
const medium = (day: string) =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(day))

/** Five weeks with one to four people, without a service two weeks ago. */
async function storeFiveWeeks(site: Site) {
  const weeks = await confirmSchedule(site, [2])
  for (const [ago, count] of [4, 2, 3, 1, 2].entries()) {
    const names = Array.from({ length: count }, (_, place) => `Visitor ${ago}.${place}`)
    await storeRsvps(
      site,
      names.map((name) => testRsvp({ name, volunteerRoles: [1] })),
    )
    moveToWeek(site, `Visitor ${ago}.`, addDays(weeks.this, -7 * ago))
  }
  // No one will say how many came: the administration shows this week.
  await send(site, 'PATCH', `/api/services/${weeks.before}`, { turnout: null })
  return weeks
}

test.describe('the chart of the year', () => {
  test('has a bar for each week, a gap without service, and the same as a table', async ({ page, site }) => {
    const weeks = await storeFiveWeeks(site)
    const ago = (count: number) => addDays(weeks.this, -7 * count)
    await open(page, '/admin')
    await expect(chart(page).locator('.year__key')).toHaveText(['expected', 'this week', 'Average 2'])
    await expect(chart(page)).toContainText('This week 4')
    await expect(
      chart(page).getByRole('img', { name: `A bar for each of 5 weeks, from ${medium(ago(4))}` }),
    ).toBeVisible()
    await expect(chart(page).locator('rect')).toHaveCount(4)
    await chart(page).getByText('Show as table').click()
    await expect(chart(page).getByRole('row')).toHaveText([
      /^Week\s*People\s*Adults\s*Teens\s*Children\s*Not said$/,
      new RegExp(`^${medium(weeks.this)}\\s*4\\s*4\\s*0\\s*0\\s*0$`),
      new RegExp(`^${medium(ago(1))}\\s*2\\s*2\\s*0\\s*0\\s*0$`),
      new RegExp(`^${medium(ago(2))}\\s*No service$`),
      new RegExp(`^${medium(ago(3))}\\s*1\\s*1\\s*0\\s*0\\s*0$`),
      new RegExp(`^${medium(ago(4))}\\s*2\\s*2\\s*0\\s*0\\s*0$`),
    ])
    await chart(page)
      .getByRole('link', { name: medium(ago(3)) })
      .click()
    await expect(page).toHaveURL(`/admin?week=${ago(3)}`)
    await expect(chart(page).locator('.year__key')).toHaveText(['expected', 'this week', medium(ago(3)), 'Average 2'])
    await expect(page.locator('[data-rsvp]')).toHaveText([/Visitor 3.0/])
  })

  test('is not drawn of a single week', async ({ page, site }) => {
    await confirmSchedule(site)
    await storeRsvps(site, [testRsvp()])
    await open(page, '/admin')
    await expect(page.getByText('1 person expected')).toBeVisible()
    await expect(chart(page)).toHaveCount(0)
    await expect(
      page.getByText('A chart compares the weeks here, from the second one with responses on.'),
    ).toBeVisible()
  })

  test('is accessible and fits a phone, with all that is folded opened', async ({ page, site }) => {
    await storeFiveWeeks(site)
    await open(page, '/admin')
    await page.getByText('Show as table').click()
    await page.getByText('Other weeks').click()
    await expectNoFindings(page, 'the week of the administration')
    await page.setViewportSize({ width: 320, height: 640 })
    await expect.poll(() => overflowOf(page)).toBe(0)
    const table = page.getByRole('region', { name: 'People expected each week, as a table' })
    expect(await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
    await page.setViewportSize({ width: 375, height: 800 })
    await expect.poll(() => page.evaluate(findSmallTargets)).toEqual([])
  })
})

test.describe('the administration on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('says without a tap how many come, and who serves after scrolling once', async ({ page, site }) => {
    await storeFiveWeeks(site)
    await open(page, '/admin')
    await expect(page.getByText('4 people expected')).toBeInViewport()
    await expect(page.getByRole('term').filter({ hasText: 'Children' })).toBeInViewport()
    await page.mouse.wheel(0, 500)
    await expect(page.getByText('Visitor 0.0, Visitor 0.1, Visitor 0.2, Visitor 0.3')).toBeInViewport()
  })
})

test.describe('the week without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('is picked, searched and read as a table', async ({ page, site }) => {
    const weeks = await storeFiveWeeks(site)
    const earliest = addDays(weeks.this, -28)
    await page.goto('/admin')
    await expect(page.getByText('4 people expected')).toBeVisible()
    await page.getByText('Other weeks').click()
    await page
      .getByRole('navigation', { name: 'Week' })
      .getByRole('link', { name: medium(earliest) })
      .click()
    await expect(page.getByText('2 people expected')).toBeVisible()
    await page.getByLabel('Search').fill('4.1')
    await page.getByRole('button', { name: 'Search' }).click()
    await expect(page).toHaveURL(`/admin?week=${earliest}&q=4.1&status=&role=&sort=#responses`)
    await expect(page.locator('[data-rsvp]')).toHaveText([/Visitor 4.1/])
    await page.getByText('Show as table').click()
    await expect(page.getByRole('rowheader', { name: medium(weeks.this) })).toBeVisible()
  })
})
