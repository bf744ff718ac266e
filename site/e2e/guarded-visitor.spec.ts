import type { Page } from '@playwright/test'
import { expect, expectToast, fillForm, open, storeRsvps, test, testRsvp } from './fixtures.ts'
import { callAs, guarded, readRsvpsAs, signIn } from './guarded.ts'

test.use({ variables: guarded })

const private_ = testRsvp({
  phone: '+1 555 0100',
  message: 'Pray for us',
  familyMembers: [{ name: 'Joel Cole', age: 'child' }],
  volunteerRoles: [2],
})
const list = (page: Page) => page.getByRole('region', { name: /^(Recent Responses|Who's Coming\?)$/ })
const numbers = (page: Page) => list(page).getByText(/^(Not )?Attending\s*\d+$/)

/** Chooses what everybody sees; the browser is a visitor's again afterwards. */
async function choose(page: Page, publicNames: string): Promise<void> {
  await signIn(page)
  await callAs(page, 'PATCH', '/api/settings', { publicNames })
  await page.context().clearCookies()
}

async function submit(page: Page, name: string): Promise<void> {
  await fillForm(page, name)
  await page.getByRole('button', { name: 'Submit RSVP' }).click()
}

for (const path of ['/', '/share']) {
  test.describe(`a visitor of a guarded site on ${path}`, () => {
    test('reads who comes as in Ana C., and nothing else of them', async ({ page, site }) => {
      await storeRsvps(site, [private_, testRsvp({ name: 'Ben', attending: false })])
      const answer = await page.goto(path)
      const drawn = await answer?.text()
      for (const secret of ['Cole', 'example', '555', 'Pray', 'Joel']) expect(drawn).not.toContain(secret)
      await open(page, path)
      const cells = list(page).getByRole('row').nth(2).locator('th, td')
      await expect(cells).toHaveText(['Ana C.', 'Attending', /\d/])
      await expect(list(page).getByRole('rowheader', { name: 'B.', exact: true })).toBeVisible()
      await expect(page.getByRole('button', { name: 'Edit' })).toHaveCount(0)
      await expect(page.getByText(/Open mode/)).toHaveCount(0)
    })

    test('sees an own answer at once, and after that as everybody sees it', async ({ page }) => {
      await open(page, path)
      await submit(page, 'Ana Cole')
      await expectToast(page, 'RSVP Submitted', 'Thank you for your response!')
      await expect(list(page).getByRole('rowheader', { name: 'Ana Cole' })).toBeVisible()
      await page.reload()
      await expect(list(page).getByRole('rowheader', { name: 'Ana C.', exact: true })).toBeVisible()
      await expect(page.getByText('Ana Cole')).toHaveCount(0)
    })

    test('sees numbers alone where names are not shown', async ({ page, site }) => {
      await storeRsvps(site, [testRsvp(), private_, testRsvp({ name: 'Ben Roe', attending: false })])
      await choose(page, 'counts')
      await open(page, path)
      await expect(numbers(page)).toHaveText([/^Attending\s*2$/, /^Not Attending\s*1$/])
      await submit(page, 'Cy Fox')
      await expect(page.getByRole('heading', { name: 'Thank you, Cy Fox' })).toBeVisible()
      await page.reload()
      await expect(numbers(page)).toHaveText([/^Attending\s*3$/, /^Not Attending\s*1$/])
      await expect(page.getByRole('table')).toHaveCount(0)
      expect(await page.content()).not.toMatch(/Ana|Ben|Cy Fox/)
    })

    test('sees no list where none is shown, and can answer all the same', async ({ page, site }) => {
      await storeRsvps(site, [private_])
      await choose(page, 'none')
      await open(page, path)
      await submit(page, 'Cy Fox')
      await expect(page.getByRole('heading', { name: 'Thank you, Cy Fox' })).toBeVisible()
      await expect(list(page)).toHaveCount(0)
      await expect(page.getByRole('table')).toHaveCount(0)
      await expect(page.getByText(/^(Not )?Attending\s*\d+$/)).toHaveCount(0)
      await page.reload()
      expect(await page.content()).not.toMatch(/Ana|Cy Fox/)
    })

    test('reads full names where the church shows them', async ({ page, site }) => {
      await storeRsvps(site, [private_])
      await choose(page, 'full')
      await open(page, path)
      await expect(list(page).getByRole('rowheader', { name: 'Ana Cole' })).toBeVisible()
    })
  })

  test.describe(`a visitor of a guarded site on ${path} without JavaScript`, () => {
    test.use({ javaScriptEnabled: false })

    test('reads as much and answers as well, whatever is shown', async ({ page, site }) => {
      await storeRsvps(site, [private_])
      await page.goto(path)
      await expect(list(page).getByRole('rowheader', { name: 'Ana C.', exact: true })).toBeVisible()
      await submit(page, 'Ben Roe')
      await expect(page.getByText('Thank you for your response!')).toBeVisible()
      await expect(list(page).getByRole('rowheader', { name: 'Ben R.', exact: true })).toBeVisible()
      await expect(page.getByRole('button', { name: 'Edit' })).toHaveCount(0)
      await choose(page, 'counts')
      await page.goto(path)
      await expect(numbers(page)).toHaveText([/^Attending\s*2$/, /^Not Attending\s*0$/])
      await expect(page.getByRole('table')).toHaveCount(0)
      await choose(page, 'none')
      await page.goto(path)
      await expect(page.getByRole('button', { name: 'Submit RSVP' })).toBeVisible()
      await expect(list(page)).toHaveCount(0)
    })

    test('gives the same answer a second time, on a page of its own, and both are stored', async ({ page }) => {
      await choose(page, 'none')
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
