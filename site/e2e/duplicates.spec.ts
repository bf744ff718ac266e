import type { Page } from '@playwright/test'
import { dayText } from '#db/values/dates.ts'
import { expect, expectToast, hold, open, people, test, toast, waitForHydration } from './fixtures.ts'
import { confirmSchedule, readRsvps, storeRsvps, testRsvp } from './stored.ts'
import { expectUsable } from './usable.ts'

const note = (page: Page) => page.getByRole('region', { name: 'Sent more than once' })

test('points out who sent a form twice, counts them once, and merges both until Undo', async ({ page, site }) => {
  const weeks = await confirmSchedule(site)
  await storeRsvps(site, [
    testRsvp({
      familyMembers: [{ name: 'Joel Cole', age: 'child' }],
      volunteerRoles: [3],
      message: 'Pray for Joel',
      firstVisit: true,
    }),
    testRsvp({ name: 'Ben Roe', email: 'ben@roe.example' }),
    // A relative whom a search for her name and e-mail finds.
    testRsvp({ name: 'Joel Cole', message: 'With Ana Cole' }),
  ])
  await open(page, '/admin')
  await expect(people(page)).toHaveText('4 people expected from 3 responses')
  await expect(note(page)).toHaveCount(0)
  await storeRsvps(site, [testRsvp({ name: 'ana cole' })])
  await page.reload()
  await expect(people(page)).toHaveText('3 people expected from 3 responses')
  await expect(note(page)).toContainText(`ana cole sent 2 responses for ${dayText(weeks.this)}.`)
  await waitForHydration(page)

  const merging = page.getByRole('dialog', { name: 'Merge the Responses' })
  const sides = merging.locator('.entry-merged__rsvp')
  await note(page).getByRole('button', { name: 'Merge the RSVPs of ana cole' }).press('Enter')
  await expect(sides.nth(0)).toContainText(/The newest.*Family Members -.*Message -/s)
  await expect(sides.nth(1)).toContainText(/Before.*Family Members Joel Cole.*Volunteer Roles Music.*Pray for Joel/s)
  await expect(merging.getByRole('textbox', { name: 'Family member 1' })).toHaveValue('Joel Cole')
  await expect(merging.getByRole('checkbox', { name: 'Music' })).toBeChecked()
  await expectUsable(page, 'the merge', 'dialog[open]')
  await merging.getByLabel('Message').fill('Pray for Joel and Mia')
  await merging.getByRole('button', { name: 'Merge' }).press('Enter')
  const handing = page.getByRole('dialog', { name: 'A new link for ana cole' })
  const link = handing.getByLabel('Private link')
  await expect(link).toHaveValue(/\/answer\?key=[\w-]{22}$/)
  await expect(handing).toContainText('Earlier links have ended')
  const own = await page.request.get(await link.inputValue())
  expect(await own.text()).toContain('Pray for Joel and Mia')
  await handing.getByRole('button', { name: 'Done' }).press('Enter')
  await expectToast(page, 'Responses Merged', '1 response of ana cole was merged into the newest.')
  await expect(note(page)).toHaveCount(0)
  const [kept] = await readRsvps(site)
  expect(kept).toMatchObject({
    name: 'ana cole',
    message: 'Pray for Joel and Mia',
    volunteerSignups: [{ role: { name: 'Music' } }],
    familyMembers: [{ name: 'Joel Cole', age: 'child', attending: true }],
  })
  await toast(page).getByRole('button', { name: 'Undo' }).press('Enter')
  await expectToast(page, 'RSVPs Restored', '1 response is back in the list.')
  await expect(note(page)).toContainText('ana cole sent 2 responses')
  expect((await readRsvps(site))[0]).toMatchObject({
    message: null,
    familyMembers: [],
    volunteerSignups: [],
    firstVisit: false,
  })

  // A dialog that is opened meanwhile stays.
  await waitForHydration(page)
  const release = await hold(page, '**/api/rsvps?same=*')
  const replied = page.waitForResponse(/same=/)
  await note(page).getByRole('button', { name: 'Merge the RSVPs of ana cole' }).click()
  await page.getByRole('button', { name: 'Add a response' }).click()
  // Its code loads first: until it shows, the merge may come before it.
  await expect(page.getByRole('dialog')).toHaveAccessibleName('Add a Response')
  release()
  await (await replied).finished()
  await expect(page.getByRole('dialog')).toHaveAccessibleName('Add a Response')
})
