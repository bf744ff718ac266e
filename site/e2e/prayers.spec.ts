import type { Page } from '@playwright/test'
import { expect, open, type Site, test, toast } from './fixtures.ts'
import { callAs, guarded, PASSWORD, signIn } from './guarded.ts'
import { changeDatabase, testRsvp } from './stored.ts'
import { expectDarkContrast, expectUsable, longRsvp } from './usable.ts'

test.use({ variables: guarded, expectedErrors: /status of 403/ })

const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const request = (page: Page, text: string) => page.getByRole('listitem').filter({ hasText: text })

/** A reader with the password of the owner. */
function addPastor(site: Site): void {
  const columns = 'name, email, role, password_hash, created_at'
  const values = "'Ruth Cole', 'ruth@example.org', 'reader', password_hash, 0"
  changeDatabase(site, `INSERT INTO administrators (${columns}) SELECT ${values} FROM administrators LIMIT 1`)
}

test('an owner has the form ask for prayer requests, and says who reads them', async ({ page, site }) => {
  addPastor(site)
  await signIn(page)
  await open(page, '/admin?tab=settings')
  const settings = panel(page, 'Prayer requests')
  await settings.getByLabel('Ask for prayer requests in the form').check()
  await settings.getByLabel('Keep each prayer request').selectOption('90 days')
  await settings.getByRole('button', { name: 'Save' }).click()
  await expect(toast(page)).toContainText('Settings Updated')
  await expect(settings.getByRole('status')).toContainText('No one reads those for the pastor yet.')
  await expectUsable(page, 'prayer requests that no one reads', '#prayers')
  await settings.getByLabel('Ruth Cole').selectOption('All of them')
  await expect(settings.getByRole('status')).toBeHidden()
  // The owner reads none, unless they say so.
  await page.goto('/admin/prayers')
  await expect(page.getByRole('main')).toContainText('You read no prayer requests.')
  await open(page, '/admin?tab=settings')
  await expect(settings.getByLabel('Keep each prayer request')).toHaveValue('90')
  await expect(settings.getByLabel('Ruth Cole')).toHaveValue('pastor')
})

test.describe('a pastor on a phone', () => {
  test.use({ viewport: { width: 320, height: 640 }, colorScheme: 'dark' })

  test('reads the prayer requests, and ticks off who was prayed for and who wants a visit', async ({ page, site }) => {
    addPastor(site)
    changeDatabase(site, "UPDATE administrators SET prayers = 'pastor' WHERE name = 'Ruth Cole'")
    await page.request.post('/api/session', { data: { email: 'ruth@example.org', password: PASSWORD } })
    await open(page, '/admin/prayers')
    await expect(page.getByRole('main')).toContainText('The form does not ask for prayer requests.')
    changeDatabase(site, 'UPDATE settings SET prayers = 1')
    const prayer = 'For my mother.\nShe is in hospital.'
    await callAs(page, 'POST', '/api/rsvp', testRsvp({ phone: '555 0100', prayer }))
    await callAs(page, 'POST', '/api/rsvp', { ...longRsvp, prayer: 'x'.repeat(300) })
    await open(page, '/admin')
    await page.getByRole('link', { name: 'Prayer requests' }).click()
    const ana = request(page, 'Ana Cole')
    await expect(ana).toContainText('Only the pastor')
    await expect(ana.getByRole('link', { name: '555 0100' })).toHaveAttribute('href', 'tel:5550100')
    const prayed = ana.getByRole('button', { name: 'Prayed' })
    const toVisit = ana.getByRole('button', { name: 'To visit' })
    await prayed.click()
    await expect(prayed).toHaveAttribute('aria-pressed', 'true')
    await toVisit.press('Enter')
    await expect(toVisit).toHaveAttribute('aria-pressed', 'true')
    await expectUsable(page, 'prayer requests')
    await expectDarkContrast(page, 'prayer requests')
    // A second press takes it back.
    await prayed.click()
    await expect(prayed).toHaveAttribute('aria-pressed', 'false')
    await expect(toVisit).toHaveAttribute('aria-pressed', 'true')
  })
})
