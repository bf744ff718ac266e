import type { Page } from '@playwright/test'
import { dayText } from '#db/values/day-text.ts'
import {
  expect,
  expectToast,
  open,
  readRsvps,
  send,
  storeRsvps,
  test,
  testRsvp,
  toast,
  waitForHydration,
} from './fixtures.ts'
import { confirmSchedule } from './weeks.ts'

const note = (page: Page) => page.getByRole('region', { name: 'Sent more than once' })
const people = (page: Page) => page.locator('.week-figures__people')
const marked = (page: Page) => page.locator('[data-rsvp]').filter({ hasText: 'Sent again: the newest counts' })
const names = async (site: Parameters<typeof readRsvps>[0]) =>
  (await readRsvps(site)).map(({ name }: { name: string }) => name)

test.describe('who sends the form again', () => {
  test('is pointed out, counted once and merged; Undo brings it back', async ({ page, site }) => {
    const weeks = await confirmSchedule(site)
    await storeRsvps(site, [
      testRsvp({ familyMembers: [{ name: 'Joel Cole', age: 'child' }] }),
      testRsvp({ name: 'Ben Roe', email: 'ben@roe.example' }),
      // A relative whom a search for her name and e-mail finds.
      testRsvp({ name: 'Joel Cole', message: 'With Ana Cole' }),
    ])
    await open(page, '/admin')
    await expect(people(page)).toHaveText('4 people expected')
    await expect(note(page)).toHaveCount(0)
    await storeRsvps(site, [testRsvp({ name: 'ana cole' })])
    await page.reload()
    await expect(people(page)).toHaveText('3 people expected')
    await expect(page.getByText('1 response was sent again; the newest counts.')).toBeVisible()
    await expect(note(page)).toContainText(`ana cole sent 2 responses for ${dayText(weeks.this)}.`)
    await expect(marked(page)).toContainText(['Joel Cole'])
    await note(page).getByRole('link', { name: 'Show those of ana cole' }).click()
    await expect(page.locator('[data-rsvp]')).toHaveCount(2)
    await expect(page.getByText('2 of 4 responses match.')).toBeVisible()
    await expect(page.getByRole('checkbox', { name: 'Only the duplicates of ana cole' })).toBeChecked()
    await waitForHydration(page)

    await note(page).getByRole('button', { name: 'Merge the RSVPs of ana cole' }).press('Enter')
    await expectToast(page, 'Responses Merged', '1 response was merged into the newest.')
    await expect(note(page)).toHaveCount(0)
    await expect(page.getByText('1 of 3 responses match. It has no duplicates any more')).toBeVisible()
    expect(await names(site)).toEqual(['ana cole', 'Joel Cole', 'Ben Roe'])
    await toast(page).getByRole('button', { name: 'Undo' }).press('Enter')
    await expectToast(page, 'RSVPs Restored', '1 response is back in the list.')
    await expect(note(page)).toContainText('ana cole sent 2 responses')
    await page.goto('/admin/sheet')
    await expect(page.getByText('1 response was sent again; the newest counts.')).toBeVisible()
  })

  test.describe('and is overtaken', () => {
    test.use({ expectedErrors: /status of 412/ })

    test('can be merged with all others; what was changed meanwhile is left', async ({ page, site }) => {
      await storeRsvps(
        site,
        ['Ana', 'Bea', 'Cy', 'Ana', 'Bea', 'Cy'].map((name) => testRsvp({ name: `${name} Cole` })),
      )
      await open(page, '/admin')
      await expect(note(page).getByRole('listitem')).toHaveCount(3)
      // The first one of Ana is the newest from now on.
      await send(site, 'PATCH', '/api/rsvps/1', { message: 'Changed' })
      await note(page).getByRole('button', { name: 'Merge all 3' }).click()
      const left = '2 responses were merged into the newest of each. 1 could not be merged: look at what is left.'
      await expectToast(page, 'Responses Merged', left)
      await expect(note(page).getByRole('listitem')).toHaveCount(1)
      await expect(note(page).getByRole('button', { name: 'Merge the RSVPs of Ana Cole' })).toBeFocused()
      // Another administrator is first.
      await send(site, 'POST', '/api/rsvps/1/merge', {})
      await note(page).getByRole('button', { name: 'Merge the RSVPs of Ana Cole' }).click()
      await expectToast(page, 'Nothing Merged', 'These responses were merged or changed meanwhile.')
      expect(await names(site)).toEqual(['Cy Cole', 'Bea Cole', 'Ana Cole'])
    })
  })

  test.describe('without JavaScript', () => {
    test.use({ javaScriptEnabled: false })

    test('is shown alone in the table and on paper, until another filter is chosen', async ({ page, site }) => {
      const weeks = await confirmSchedule(site)
      await storeRsvps(site, [testRsvp(), testRsvp({ name: 'Joel Cole', message: 'With Ana Cole' }), testRsvp()])
      await page.goto('/admin')
      await note(page).getByRole('link', { name: 'Show those of Ana Cole' }).click()
      await expect(page).toHaveURL(`${site.url}/admin?week=${weeks.this}&same=3#responses`)
      await expect(page.locator('[data-rsvp]')).toHaveCount(2)
      await page.goto(`/api/rsvps/print?week=${weeks.this}&same=3`)
      await expect(page.getByText('2 in this list')).toBeVisible()
      await page.goBack()
      for (const id of [1, 3]) await fetch(`${site.url}/api/rsvps/${id}`, { method: 'DELETE' })
      await page.reload()
      await expect(page.getByText('These duplicates were deleted or changed meanwhile.')).toBeVisible()
      await page.getByRole('checkbox', { name: 'Only the duplicates of response 3' }).uncheck()
      await page.getByRole('button', { name: 'Search' }).click()
      await expect(page.locator('[data-rsvp]')).toContainText(['Joel Cole'])
    })
  })
})
