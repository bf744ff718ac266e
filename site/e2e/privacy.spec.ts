import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { callAs, guarded, signIn } from './guarded.ts'

const full = 'Everyone who opens this site sees your name, whether you are coming, and when you responded.'
const whoSees = {
  full,
  initial:
    'Everyone who opens this site sees your first name with the initial of your last name, or initials alone, whether you are coming, and when you responded.',
  counts: 'Everyone who opens this site sees how many people have responded, but not that you are one of them.',
  none: 'Other visitors do not see that you have responded.',
}
const open = 'The rest is seen by whoever can open this site: no password is set.'
const onlyTheChurch = 'The rest is seen only by those in the church who have the password of this site.'

/** The paragraphs after a heading. */
const section = (page: Page, title: string) => page.locator(`h2:text-is("${title}") ~ p`)

test.describe('the privacy page', () => {
  test.describe('of a guarded site', () => {
    test.use({ variables: guarded })

    test('describes the current settings to visitors', async ({ page, browser, site }) => {
      await signIn(page)
      const visitor = await browser.newPage()
      for (const [publicNames, sentence] of Object.entries(whoSees)) {
        await callAs(page, 'PATCH', '/api/settings', { publicNames })
        expect((await visitor.goto(`${site.url}/privacy`))?.status()).toBe(200)
        await expect(visitor.getByRole('heading', { level: 1, name: 'Privacy' })).toBeVisible()
        const [seen, rest] = await section(visitor, 'Who sees it').allTextContents()
        expect(seen).toContain(sentence)
        expect(rest).toContain(onlyTheChurch)
      }
      const retention = () => section(visitor, 'How long it is kept').first()
      await expect(retention()).toHaveText('Until the church deletes it.')
      await callAs(page, 'PATCH', '/api/settings', { retentionDays: 90 })
      await visitor.reload()
      await expect(retention()).toContainText('For 90 days. After that the names, addresses and messages are removed')
      await expect(visitor.getByText('A deleted RSVP can be restored for 30 days')).toBeVisible()
      await visitor.close()
    })
  })

  test('says in open mode that everything is visible, whatever the settings are', async ({ page }) => {
    await callAs(page, 'PATCH', '/api/settings', { publicNames: 'none' })
    await page.goto('/privacy')
    const [seen, rest] = await section(page, 'Who sees it').allTextContents()
    expect(seen).toContain(full)
    expect(rest).toBe(open)
  })
})

for (const [mode, variables] of Object.entries({ open: {}, guarded })) {
  test.describe(`the link to the privacy page in ${mode} mode`, () => {
    test.use({ variables, expectedErrors: /status of (401|404)/ })

    test('is in the footer of every page', async ({ page }) => {
      for (const path of ['/', '/share', '/admin', '/privacy', '/nope']) {
        await page.goto(path)
        const link = page.getByRole('contentinfo').getByRole('link', { name: 'Privacy' })
        await link.scrollIntoViewIfNeeded()
        await link.click()
        await expect(page, path).toHaveURL('/privacy')
        await expect(page.getByRole('heading', { level: 1, name: 'Privacy' })).toBeVisible()
      }
      await page.getByRole('link', { name: 'Back to Main Page' }).click()
      await expect(page).toHaveURL('/')
    })
  })
}

test.describe('the administration of a guarded site', () => {
  test.use({ variables: guarded })

  test('links to the privacy page', async ({ page }) => {
    await signIn(page)
    await page.goto('/admin')
    await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy' }).click()
    await expect(page).toHaveURL('/privacy')
  })
})
