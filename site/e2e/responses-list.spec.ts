import type { Page } from '@playwright/test'
import { expect, open, test } from './fixtures.ts'
import { expectSubmitted, fillForm, submit } from './form.ts'
import { guarded } from './guarded.ts'
import { dayOf, readRsvps, storeRsvps, testRsvp, testRsvps } from './stored.ts'

// A zone and a language other than the server's, and one that the site does not have: the browser must still write the
// same days as the server.
test.use({ timezoneId: 'Pacific/Kiritimati', locale: 'ja-JP' })

const detailedRsvp = testRsvp({ phone: '+1 555 0100', message: 'Pray for us', volunteerRoles: [2] })
const list = (page: Page) => page.getByRole('region', { name: /^(Recent Responses|Who's Coming\?)$/ })

test('the responses list shows the last five on a share view, and the visitor’s own at once', async ({
  page,
  site,
}) => {
  const requests: string[] = []
  page.on('request', (request) => requests.push(new URL(request.url()).pathname))
  await open(page, '/share')
  await expect(page.getByText('No responses yet.')).toBeVisible()
  await expect(page.getByRole('columnheader')).toHaveCount(0)
  await storeRsvps(site, testRsvps(7))
  await page.reload()
  const list = page.getByRole('region', { name: "Who's Coming?" })
  const names = list.getByRole('row').getByRole('rowheader')
  await expect(page.getByText('No responses yet.')).toHaveCount(0)
  await expect(list.getByRole('columnheader')).toHaveText(['Name', 'Status', 'Date'])
  await expect(names).toHaveText([7, 6, 5, 4, 3].map((number) => `Visitor ${number}`))
  await expect(list.getByRole('link')).toHaveCount(0)
  await fillForm(page)
  await submit(page).click()
  await expect(names).toHaveText(['Ana Cole', 'Visitor 7', 'Visitor 6', 'Visitor 5', 'Visitor 4'])
  const stored = await readRsvps(site)
  expect(dayOf(stored[0].createdAt)).toMatch(/^[A-Z][a-z]{2} \d{1,2}, \d{4}$/)
  await expect(list.getByRole('row').nth(1)).toHaveText(`Ana ColeAttending${dayOf(stored[0].createdAt)}`)
  expect(requests).not.toContain('/api/rsvps')
  expect(stored).toHaveLength(8)
})

test.describe('a visitor of a guarded site', () => {
  test.use({ variables: guarded })

  test('sees initials and no other details, and the own RSVP in full until it is done', async ({ page, site }) => {
    await storeRsvps(site, [detailedRsvp, testRsvp({ name: 'Ben', attending: false })])
    await open(page, '/')
    await expect(list(page).getByRole('row').nth(2).locator('th, td')).toHaveText(['Ana C.', 'Attending', /\d/])
    await expect(list(page).getByRole('rowheader', { name: 'B.', exact: true })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Edit' })).toHaveCount(0)
    await fillForm(page, 'Cy Fox')
    await submit(page).click()
    await expectSubmitted(page)
    await expect(list(page).getByRole('rowheader', { name: 'Cy Fox' })).toBeVisible()
    await page.reload()
    await expect(list(page).getByRole('rowheader', { name: 'Cy F.', exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Done' }).click()
    await expect(page.getByText('Cy Fox')).toHaveCount(0)
  })
})
