import type { Page } from '@playwright/test'
import { expect, expectToast, fillForm, open, storeRsvps, test, testRsvp } from './fixtures.ts'
import { callAs, guarded, readRsvpsAs, signIn } from './guarded.ts'

test.use({ variables: guarded })

const detailedRsvp = testRsvp({
  phone: '+1 555 0100',
  message: 'Pray for us',
  familyMembers: [{ name: 'Joel Cole', age: 'child' }],
  volunteerRoles: [2],
})
const list = (page: Page) => page.getByRole('region', { name: /^(Recent Responses|Who's Coming\?)$/ })
const counts = (page: Page) => list(page).getByText(/^(Not )?Attending\s*\d+$/)

/** Chooses as an administrator what visitors see, and signs out. */
async function choosePublicNames(page: Page, publicNames: string): Promise<void> {
  await signIn(page)
  await callAs(page, 'PATCH', '/api/settings', { publicNames })
  await page.context().clearCookies()
}

async function submit(page: Page, name: string): Promise<void> {
  await fillForm(page, name)
  await page.getByRole('button', { name: 'Submit RSVP' }).click()
}

/** Ends the thank-you, which a reload of its tab brings back. */
async function done(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('heading', { name: /^Thank you/ })).toHaveCount(0)
}

for (const path of ['/', '/share']) {
  test.describe(`a visitor of a guarded site on ${path}`, () => {
    test('sees names with initials, e.g. Ana C., and no other details', async ({ page, site }) => {
      await storeRsvps(site, [detailedRsvp, testRsvp({ name: 'Ben', attending: false })])
      const reply = await page.goto(path)
      const html = await reply?.text()
      for (const secret of ['Cole', 'example', '555 0100', 'Pray', 'Joel']) expect(html).not.toContain(secret)
      await open(page, path)
      const cells = list(page).getByRole('row').nth(2).locator('th, td')
      await expect(cells).toHaveText(['Ana C.', 'Attending', /\d/])
      await expect(list(page).getByRole('rowheader', { name: 'B.', exact: true })).toBeVisible()
      await expect(page.getByRole('button', { name: 'Edit' })).toHaveCount(0)
      await expect(page.getByText(/Open mode/)).toHaveCount(0)
    })

    test('sees their own RSVP in full at once, and after a reload as other visitors do', async ({ page }) => {
      await open(page, path)
      await submit(page, 'Ana Cole')
      await expectToast(page, 'RSVP Submitted', 'Thank you for your response!')
      await expect(list(page).getByRole('rowheader', { name: 'Ana Cole' })).toBeVisible()
      await page.reload()
      await expect(list(page).getByRole('rowheader', { name: 'Ana C.', exact: true })).toBeVisible()
      await done(page)
      await expect(page.getByText('Ana Cole')).toHaveCount(0)
    })

    test('sees counts alone where names are not shown', async ({ page, site }) => {
      await storeRsvps(site, [testRsvp(), detailedRsvp, testRsvp({ name: 'Ben Roe', attending: false })])
      await choosePublicNames(page, 'counts')
      await open(page, path)
      await expect(counts(page)).toHaveText([/^Attending\s*2$/, /^Not Attending\s*1$/])
      await submit(page, 'Cy Fox')
      await expect(page.getByRole('heading', { name: 'Thank you, Cy Fox' })).toBeVisible()
      await page.reload()
      await done(page)
      await expect(counts(page)).toHaveText([/^Attending\s*3$/, /^Not Attending\s*1$/])
      await expect(page.getByRole('table')).toHaveCount(0)
      expect(await page.content()).not.toMatch(/Ana|Ben|Cy Fox/)
    })

    test('sees no list where none is shown, and can still submit an RSVP', async ({ page, site }) => {
      await storeRsvps(site, [detailedRsvp])
      await choosePublicNames(page, 'none')
      await open(page, path)
      await submit(page, 'Cy Fox')
      await expect(page.getByRole('heading', { name: 'Thank you, Cy Fox' })).toBeVisible()
      await expect(list(page)).toHaveCount(0)
      await expect(page.getByRole('table')).toHaveCount(0)
      await expect(page.getByText(/^(Not )?Attending\s*\d+$/)).toHaveCount(0)
      await page.reload()
      await done(page)
      expect(await page.content()).not.toMatch(/Ana|Cy Fox/)
    })

    test('sees full names where the church shows them', async ({ page, site }) => {
      await storeRsvps(site, [detailedRsvp])
      await choosePublicNames(page, 'full')
      await open(page, path)
      await expect(list(page).getByRole('rowheader', { name: 'Ana Cole' })).toBeVisible()
    })
  })

  test.describe(`a visitor of a guarded site on ${path} without JavaScript`, () => {
    test.use({ javaScriptEnabled: false })

    test('sees the same list and can submit an RSVP, whatever is shown', async ({ page, site }) => {
      await storeRsvps(site, [detailedRsvp])
      await page.goto(path)
      await expect(list(page).getByRole('rowheader', { name: 'Ana C.', exact: true })).toBeVisible()
      await submit(page, 'Ben Roe')
      await expect(page.getByText('Thank you for your response!')).toBeVisible()
      await expect(list(page).getByRole('rowheader', { name: 'Ben R.', exact: true })).toBeVisible()
      await expect(page.getByRole('button', { name: 'Edit' })).toHaveCount(0)
      await choosePublicNames(page, 'counts')
      await page.goto(path)
      await expect(counts(page)).toHaveText([/^Attending\s*2$/, /^Not Attending\s*0$/])
      await expect(page.getByRole('table')).toHaveCount(0)
      await choosePublicNames(page, 'none')
      await page.goto(path)
      await expect(page.getByRole('button', { name: 'Submit RSVP' })).toBeVisible()
      await expect(list(page)).toHaveCount(0)
    })

    test('can submit the same RSVP again on a new page, and both are stored', async ({ page }) => {
      await choosePublicNames(page, 'none')
      for (const count of [1, 2]) {
        await page.goto(path)
        await submit(page, 'Ana Cole')
        await expect(page.getByText('Thank you for your response!')).toBeVisible()
        await signIn(page)
        expect(await readRsvpsAs(page)).toHaveLength(count)
        await page.context().clearCookies()
      }
    })
  })
}
