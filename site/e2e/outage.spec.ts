import { withOverrides } from '../../scripts/testing/overrides.mjs'
import { expect, open, test, toast } from './fixtures.ts'
import { expectSubmitted, fillForm, pickRole, submit } from './form.ts'
import { event, openDatabase, readRsvps, send, storeRsvps, testRsvps } from './stored.ts'
import { expectStill, watchPage } from './usable.ts'

test.describe('an outage', () => {
  // It waits one second for its database, not the product's five.
  test.use({ variables: withOverrides({ REQUEST_DEADLINE_MS: 1000 }) })
  test.use({ expectedErrors: /status of 503|Failed to initialize event/ })

  test('is reported for each missing part, which loads when it is over', async ({ page: form, site, context }) => {
    await send(site, 'POST', '/api/event', event)
    await storeRsvps(site, testRsvps(2))
    const [list, admin] = [await context.newPage(), await context.newPage()]
    await form.clock.install()
    const other = openDatabase(site)
    other.exec('BEGIN EXCLUSIVE')
    await form.route('**/api/**', (route) => route.fulfill({ status: 503, body: 'busy' }))
    await admin.route('**/api/**', (route) => route.fulfill({ status: 503, body: 'busy' }))
    const pages = [form.goto('/share'), open(list, '/admin?q=visitor'), open(admin, '/admin?tab=settings')] as const
    const [reply] = await Promise.all(pages)
    expect(reply?.status()).toBe(503)
    // Open mode has no sign-in form.
    await expect(list.getByRole('heading', { level: 1 })).toHaveText('Administration')
    await expect(list.getByRole('status').filter({ hasText: 'The database is not responding.' })).toBeVisible()
    await expect(list.getByText('The responses could not be loaded.')).toBeVisible()
    await expect(list.getByLabel('Search')).toHaveValue('visitor')
    // Before any page is back: what one reads of the event then, the others of the browser show as well.
    await expect(form.getByText('Loading...', { exact: true })).toBeVisible()
    other.exec('ROLLBACK')
    other.close()
    await list.getByRole('button', { name: 'Try Again' }).first().click()
    await expect(list.getByRole('row')).toHaveCount(3)
    await expect(list).toHaveURL('/admin?q=visitor')
    await expect(admin.getByText('The settings could not be loaded.').first()).toBeVisible()
    await admin.unrouteAll()
    await admin.getByRole('region', { name: 'Features Settings' }).getByRole('button', { name: 'Try Again' }).click()
    await expect(admin.getByRole('switch', { name: 'Family RSVP' })).toBeVisible()

    await expect(form.getByRole('group', { name: 'Family Members' })).toHaveCount(0)
    await expect(toast(form).filter({ hasText: 'settings' })).toHaveCount(0)
    await fillForm(form, 'Visitor 9')
    await form.unrouteAll()
    await form.clock.runFor('00:10')
    await expect(form.getByRole('heading', { level: 1 })).toHaveText('Harvest')
    await expect(form.getByRole('group', { name: 'Family Members' })).toBeVisible()
    await pickRole(form, 'Usher')
    await expect(form.getByRole('radio', { name: 'iCal' })).toBeVisible()
    await submit(form).click()
    await expectSubmitted(form)
    const [stored] = await readRsvps(site)
    expect(stored).toMatchObject({ name: 'Visitor 9', volunteerSignups: [{ role: { name: 'Usher' } }] })
  })
})

test('moves nothing while a page loads', async ({ page, site }) => {
  await send(site, 'POST', '/api/event', event)
  await storeRsvps(site, testRsvps(20))
  await page.addInitScript(() => {
    const stale = { content: { pageTitle: 'Last year' }, hydrated: true, unsent: false }
    localStorage.setItem('event-store', JSON.stringify(stale))
  })
  await page.addInitScript(watchPage)
  for (const path of ['/share', '/admin']) {
    await open(page, path)
    await expectStill(page, path === '/share')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(path === '/admin' ? 'Administration' : 'Harvest')
  }
})

test.describe('a page without its root element', () => {
  test.use({ expectedErrors: /status of 404|Failed to find the root element/ })

  test('starts no island', async ({ page }) => {
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
