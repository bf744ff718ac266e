import type { Page } from '@playwright/test'
import { expect, expectSubmitted, fillForm, open, send, storeRsvps, submit, test, testRsvp } from './fixtures.ts'
import { callAs, guarded, signIn } from './guarded.ts'

const detailedRsvp = testRsvp({
  ...{ phone: '+1 555 0100', message: 'Pray for us', familyMembers: [{ name: 'Joel Cole', age: 'child' }] },
  volunteerRoles: [2],
})
const list = (page: Page) => page.getByRole('region', { name: /^(Recent Responses|Who's Coming\?)$/ })
const counts = (page: Page) => list(page).getByText(/^(Not )?Attending\s*\d+$/)
/** The paragraphs after a heading. */
const section = (page: Page, title: string) => page.locator(`h2:text-is("${title}") ~ p`)

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

  test('sees what the church has chosen, and the privacy page says so', async ({ page, site, browser }) => {
    await storeRsvps(site, [detailedRsvp, testRsvp({ name: 'Ben Roe', attending: false })])
    await signIn(page)
    const visitor = await browser.newPage({ baseURL: site.url })
    for (const [publicNames, seen] of Object.entries({
      full: 'your name, whether you are coming, and when you responded.',
      initial: 'your first name with the initial of your last name, or initials alone, whether you are coming,',
      counts: 'sees how many people have responded, but not that you are one of them.',
      none: 'Other visitors do not see that you have responded.',
    })) {
      await callAs(page, 'PATCH', '/api/settings', { publicNames })
      await page.goto('/')
      const row = page.getByRole('row').filter({ hasText: 'Ana Cole' })
      await expect(row).toBeVisible()
      expect(await page.content()).not.toMatch(/555 0100|Pray for us|ana@cole/)

      await visitor.goto('/privacy')
      const [first, rest] = await section(visitor, 'Who sees it').allTextContents()
      expect(first).toContain(seen)
      expect(rest).toContain('The rest is seen only by those in the church who have the password of this site.')
      await visitor.goto('/share')
      await expect(visitor.getByRole('rowheader', { name: 'Ana Cole' })).toHaveCount(publicNames === 'full' ? 1 : 0)
      if (publicNames === 'counts') {
        await expect(counts(visitor)).toHaveText([/^Attending\s*1$/, /^Not Attending\s*1$/])
        await expect(visitor.getByRole('table')).toHaveCount(0)
      }
    }
    await visitor.close()
  })
})

test.describe('pages in open mode', () => {
  test.use({ expectedErrors: /status of 404|Failed to find the root element/ })

  test('lead to the privacy page, which says that everything is visible, whatever is set', async ({ page, site }) => {
    await send(site, 'PATCH', '/api/settings', { publicNames: 'none' })
    for (const path of ['/', '/share', '/admin', '/privacy', '/nope']) {
      await page.goto(path)
      await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy' }).click()
      await expect(page, path).toHaveURL('/privacy')
    }
    const [seen, rest] = await section(page, 'Who sees it').allTextContents()
    expect(seen).toContain('Everyone who opens this site sees your name')
    expect(rest).toBe('The rest is seen by whoever can open this site: no password is set.')
    await page.getByRole('link', { name: 'Back to Main Page' }).click()
    await expect(page).toHaveURL('/')
    await page.goto('/share')
    await expect(list(page)).toBeVisible()
  })

  test('start no island without their root element', async ({ page }) => {
    await page.route('**/nope', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, body: (await response.text()).replace('<div id="root">', '<div>') })
    })
    const failed = page.waitForEvent('pageerror')
    await page.goto('/nope')
    expect((await failed).message).toBe('Failed to find the root element')
    await page.waitForLoadState('networkidle')
    await expect(page.locator('astro-island:not([ssr])')).toHaveCount(0)
  })
})
