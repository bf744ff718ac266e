import type { Page } from '@playwright/test'
import { expect, open, test } from './fixtures.ts'
import { expectSubmitted, fillForm, openMore, submit } from './form.ts'
import { guarded } from './guarded.ts'
import { dayOf, readRsvps, storeRsvps, testRsvp } from './stored.ts'

// A zone and a language other than the server's, and one that the site does not have: the browser must still write the
// same days as the server.
test.use({ timezoneId: 'Pacific/Kiritimati', locale: 'ja-JP' })

const detailedRsvp = testRsvp({ phone: '+1 555 0100', message: 'Pray for us', volunteerRoles: [2] })
const list = (page: Page) => page.getByRole('region', { name: /^(Recent Responses|Who's Coming\?)$/ })

test.use({ variables: guarded })

test('shows visitors of a guarded site five rows of initials, and their own RSVP in full', async ({ page, site }) => {
  const requests: string[] = []
  page.on('request', (request) => requests.push(new URL(request.url()).pathname))
  const names = list(page).getByRole('rowheader')
  await open(page, '/share')
  await expect(page.getByText('No responses yet.')).toBeVisible()
  await expect(page.getByRole('columnheader')).toHaveCount(0)
  const others = ['Al Roe', 'Bo Roe', 'Ida Roe', 'Ed Roe'].map((name) => testRsvp({ name }))
  await storeRsvps(site, [...others, testRsvp({ name: 'Ben', attending: false }), detailedRsvp])
  await open(page, '/share')
  await expect(page.getByText('No responses yet.')).toHaveCount(0)
  await expect(list(page).getByRole('columnheader')).toHaveText(['Name', 'Status', 'Date'])
  await expect(names).toHaveText(['Ana C.', 'B.', 'Ed R.', 'Ida R.', 'Bo R.'])
  await expect(list(page).getByRole('row').nth(1).locator('th, td')).toHaveText(['Ana C.', 'Attending', /\d/])
  await expect(list(page).getByRole('link')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Edit' })).toHaveCount(0)
  await fillForm(page, 'Cy Fox')
  await submit(page).click()
  await expectSubmitted(page)
  await expect(names).toHaveText(['Cy Fox', 'Ana C.', 'B.', 'Ed R.', 'Ida R.'])
  const [stored] = await readRsvps(site)
  expect(dayOf(stored.createdAt)).toMatch(/^[A-Z][a-z]{2} \d{1,2}, \d{4}$/)
  await expect(list(page).getByRole('row').nth(1)).toHaveText(`Cy FoxAttending${dayOf(stored.createdAt)}`)
  expect(requests).not.toContain('/api/rsvps')
  await page.reload()
  await expect(list(page).getByRole('rowheader', { name: 'Cy F.', exact: true })).toBeVisible()
  await openMore(page)
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByText('Cy Fox')).toHaveCount(0)
})
