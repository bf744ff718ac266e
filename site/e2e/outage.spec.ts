import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Page } from '@playwright/test'
import {
  expect,
  expectToast,
  fillForm,
  pickRole,
  readRsvps,
  send,
  shortDeadlines,
  storeRsvps,
  test,
  testRsvps,
  toast,
} from './fixtures.ts'

test.use({ ownSite: true, variables: shortDeadlines, expectedErrors: /status of 503|Failed to initialize event/ })

const event = { title: 'Harvest', subtitle: 's', description: 'd', date: 'd', time: 't', location: 'l' }

/** Opens a page and refuses its calls until `end` is called. */
async function openInOutage(page: Page, path: string): Promise<{ requests: string[]; end: () => Promise<void> }> {
  const requests: string[] = []
  page.on('request', (request) => requests.push(new URL(request.url()).pathname))
  await page.route('**/api/**', (route) => route.fulfill({ status: 503, body: 'busy' }))
  expect((await page.goto(path))?.status()).toBe(503)
  return { requests, end: () => page.unrouteAll() }
}

test.describe('an outage that outlasts the first call of a page', () => {
  test('is reported for each missing part, which loads when the outage is over', async ({ page, site, context }) => {
    test.slow()
    await send(site, 'POST', '/api/event', event)
    await storeRsvps(site, testRsvps(2))
    const [form, without, admin] = [page, await context.newPage(), await context.newPage()]
    await form.clock.install()
    const other = new DatabaseSync(join(site.folder, 'rsvp.db'))
    other.exec('BEGIN EXCLUSIVE')
    const [formOutage, withoutOutage, adminOutage] = await Promise.all([
      openInOutage(form, '/share'),
      openInOutage(without, '/share'),
      openInOutage(admin, '/admin?tab=settings'),
    ])
    other.exec('ROLLBACK')
    other.close()

    // Before the administration is back: what it reads of the event then, the other pages of the browser show as well.
    await expect(form.getByText('Loading...', { exact: true })).toBeVisible()
    // Open mode has no sign-in form.
    await expect(admin.getByRole('heading', { level: 1 })).toHaveText('Administration')
    await expect(admin.getByRole('status').filter({ hasText: 'The database is not responding.' })).toBeVisible()
    await expect(admin.getByText('The settings could not be loaded.').first()).toBeVisible()
    await adminOutage.end()
    await admin.getByRole('button', { name: 'Try Again' }).first().click()
    await expect(admin.getByRole('switch', { name: 'Family RSVP' })).toBeVisible()

    await expect(form.getByText('Part of this form has not loaded yet.')).toBeVisible()
    await expect(toast(form).filter({ hasText: 'settings' })).toHaveCount(0)
    await fillForm(form, 'Visitor 9')
    await form.getByRole('button', { name: 'Submit RSVP' }).click()
    await expect(form.getByText('Not sent: submit again to send it without that part.')).toBeVisible()
    expect(formOutage.requests).not.toContain('/api/rsvp')

    await formOutage.end()
    await form.clock.runFor('00:10')
    await expect(form.getByRole('heading', { level: 1 })).toHaveText('Harvest')
    await expect(form.getByRole('group', { name: 'Family Members' })).toBeVisible()
    await pickRole(form, 'Usher')
    await expect(form.getByRole('radio', { name: 'iCal' })).toBeVisible()
    expect(formOutage.requests).toContain('/api/volunteer-roles')
    await expect(form.getByText('Part of this form')).toHaveCount(0)
    await form.getByRole('button', { name: 'Submit RSVP' }).click()
    await expectToast(form, 'RSVP Submitted', 'Thank you for your response!')
    const [stored] = await readRsvps(site)
    expect(stored).toMatchObject({ name: 'Visitor 9', volunteerSignups: [{ role: { name: 'Usher' } }] })
    const count = formOutage.requests.length
    await form.clock.runFor('10:00')
    expect(formOutage.requests.slice(count)).toEqual([])

    // Roles are requested only if the sign-up is on. With the clock of all pages stopped, only the button tries again.
    // The last try by itself is over before the outage is: it would take the button away.
    const lastTry = without.waitForResponse('**/api/features')
    await without.clock.pauseAt(Date.now() + 3_600_000)
    await lastTry
    await send(site, 'PATCH', '/api/features', { volunteerSignup: false })
    await withoutOutage.end()
    await without.locator('form').getByRole('button', { name: 'Try Again' }).click()
    await expect(without.getByRole('group', { name: 'Family Members' })).toBeVisible()
    await expect(without.getByText('Part of this form')).toHaveCount(0)
    expect(withoutOutage.requests).toContain('/api/features')
    expect(withoutOutage.requests).not.toContain('/api/volunteer-roles')
  })
})
