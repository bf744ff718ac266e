import type { Page } from '@playwright/test'
import { changeDatabase, expect, open, type Site, test, testRsvp, toast } from './fixtures.ts'
import { callAs, guarded, PASSWORD, signIn } from './guarded.ts'
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
  await settings.getByLabel('Erase each after so many days').fill('soon')
  await settings.getByRole('button', { name: 'Save' }).click()
  await expect(settings.getByLabel('Erase each')).toHaveAccessibleDescription(/^.*Type a whole number of days/)
  await settings.getByLabel('Erase each').fill('60')
  await settings.getByRole('button', { name: 'Save' }).click()
  await expect(toast(page)).toContainText('Settings Updated')
  await expect(settings.getByRole('status')).toContainText('No one may read the prayer requests for the pastor yet')
  await expectUsable(page, 'prayer requests that no one reads')

  const people = panel(page, 'Administrators')
  await people.getByRole('button', { name: 'Change Ruth Cole' }).click()
  await page.getByRole('combobox', { name: 'Prayer requests' }).selectOption('All of them')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect(people.getByText('Prayer requests: All of them')).toBeVisible()
  await expect(settings.getByRole('status')).toBeHidden()
  // The owner reads none, unless they say so.
  await open(page, '/admin')
  await expect(page.getByRole('link', { name: 'Prayer requests' })).toBeHidden()
  expect((await page.goto('/admin/prayers'))?.status()).toBe(403)
  await expect(page.getByRole('main')).toContainText('You read no prayer requests.')
  await open(page, '/admin?tab=settings')
  await people.getByRole('button', { name: 'Change Administrator' }).click()
  await expect(page.getByRole('dialog').getByLabel('Name')).toBeHidden()
  await page.getByRole('combobox', { name: 'Prayer requests' }).selectOption('Those shared with those who pray')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect(people.getByText('Prayer requests: Those shared with those who pray')).toBeVisible()
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
    for (const rsvp of [
      testRsvp({ name: 'Ana Cole', phone: '555 0100', prayer }),
      { ...longRsvp, prayer: 'x'.repeat(300) },
    ])
      await callAs(page, 'POST', '/api/rsvp', rsvp)
    await open(page, '/admin')
    await page.getByRole('link', { name: 'Prayer requests' }).click()
    const ana = request(page, 'Ana Cole')
    await expect(ana).toContainText('Only the pastor')
    await expect(ana.getByRole('link', { name: '555 0100' })).toHaveAttribute('href', 'tel:5550100')
    const [prayed, toVisit] = [
      ana.getByRole('button', { name: 'Prayed' }),
      ana.getByRole('button', { name: 'To visit' }),
    ]
    await expect(prayed).toHaveAttribute('aria-pressed', 'false')
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
    const reply = await page.request.get('/admin/prayers')
    expect(reply.headers()).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'same-origin' })
    await page.screenshot({ path: '/tmp/prayer/pastor.png', fullPage: true })
  })
})
