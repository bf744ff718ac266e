import { mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { dayText } from '#db/values/dates.ts'
import { expect, expectToast, open, test, toast } from './fixtures.ts'
import { callAs, guarded, PASSWORD, readRsvpsAs, signIn } from './guarded.ts'
import { changeDatabase, storeRsvps, testRsvp } from './stored.ts'
import { expectNoFindings, expectUsable, longRsvp } from './usable.ts'

const BACKUP_DIR = mkdtempSync(join(tmpdir(), 'rsvp-keeping-'))
const server = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'rsvp@example.org' }
// Browsers log what is refused.
test.use({ variables: { ...guarded, ...server, BACKUP_DIR }, expectedErrors: /status of (400|403|503)/ })

const SETTINGS = '/admin?tab=settings'
const group = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name }).click()
const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const dialog = (page: Page) => page.getByRole('alertdialog')

test('lets an owner set how long responses are kept, erase, back up and read the audit', async ({ page, site }) => {
  await storeRsvps(site, [testRsvp(), testRsvp({ name: 'Ben Cole' }), testRsvp({ email: 'cy@roe.example' })])
  changeDatabase(
    site,
    `UPDATE rsvps SET created_at = datetime('now', '-100 days') WHERE id <= 2;
    INSERT INTO administrators (id, name, role, created_at, removed_at) VALUES (50, '=Ruth', 'clerk', 0, 1);
    INSERT INTO audit_entries (at, actor, action, subject, administrator_id)
      WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 55)
      SELECT '2026-01-05T14:00:00.000Z', 'session 3', 'response deleted', n, 50 FROM numbers`,
  )
  await signIn(page)
  await open(page, `${SETTINGS}#keeping`)
  const keeping = panel(page, 'How Long Responses Are Kept')
  const save = keeping.getByRole('button', { name: 'Save' })
  await keeping.getByLabel('Keep responses').selectOption('90 days')
  await save.click()
  await expect(dialog(page)).toHaveAccessibleName('Keep responses for 90 days?')
  await expect(dialog(page)).toContainText('2 responses are older already.')
  await page.keyboard.press('Escape')
  await expect(save).toBeFocused()
  await save.press('Enter')
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await expectToast(page, 'Settings Updated', 'How long responses are kept has been changed.')
  expect(await (await page.request.get('/api/settings')).json()).toMatchObject({ retentionDays: 90 })

  await page.getByText('Full names', { exact: true }).click()
  await expectToast(page, 'Settings Updated', 'The public list has been changed.')

  const erasing = panel(page, 'Erase for Good')
  const email = erasing.getByLabel('Email')
  const find = erasing.getByRole('button', { name: 'Find Responses' })
  await find.click()
  await expect(email).toBeFocused()
  await email.fill('no.one@cole.example')
  await email.press('Enter')
  await expect(erasing.getByRole('status')).toHaveText('Nothing is stored under that address.')
  await email.fill('ana@cole.example')
  await find.click()
  await expect(dialog(page)).toHaveAccessibleName('Erase 2 responses for good?')
  await expectNoFindings(page, 'the question before erasing', '[role=alertdialog]')
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  expect(await readRsvpsAs(page)).toHaveLength(3)
  await find.click()
  await dialog(page).getByRole('button', { name: 'Erase' }).click()
  await expectToast(page, 'Erased 2 responses for good', 'Older backups may still hold them.')
  expect(await readRsvpsAs(page)).toMatchObject([{ email: 'cy@roe.example' }])
  await expect(page.getByRole('heading', { name: 'Erase for Good' })).toBeFocused()

  await group(page, 'Server')
  const backups = panel(page, 'Backups')
  await backups.getByRole('button', { name: 'Make One Now' }).press('Enter')
  await expectToast(page, 'Backup Made', 'Everything that is stored now is in it.')
  await expect(backups).toContainText(/rsvp-.+Z\.db/)
  const [name] = /rsvp-[\w.-]+Z\.db/.exec((await backups.textContent()) ?? '') ?? []
  expect(readdirSync(BACKUP_DIR)).toContain(name)
  const press = () => backups.getByRole('button', { name: 'Download One' }).press('Enter')
  const [download] = await Promise.all([page.waitForEvent('download'), press()])
  expect(download.suggestedFilename()).toMatch(/^rsvp-\d{4}-[-\dT.]+Z\.db$/)

  await page.getByText('Show what was done').click()
  const entries = panel(page, 'Audit').getByRole('listitem')
  await expect(entries).toHaveCount(50)
  for (const hasText of ['Administrator Signed in session', '=Ruth Response deleted 55'])
    await expect(entries.filter({ hasText })).toHaveCount(1)
  await expectUsable(page, 'the backups and the audit', '.settings')
  // By keyboard, the focus goes on to what was added.
  await page.getByRole('button', { name: 'Earlier entries' }).press('Enter')
  await expect(entries.nth(50)).toBeFocused()
})

test('asks for prayer requests if an owner wants that, and shows them on a phone', async ({ page, site }) => {
  const columns = 'name, email, role, password_hash, created_at'
  const pastor = "'Ruth Cole', 'ruth@example.org', 'reader', password_hash, 0"
  changeDatabase(site, `INSERT INTO administrators (${columns}) SELECT ${pastor} FROM administrators LIMIT 1`)
  await signIn(page)
  await open(page, `${SETTINGS}#prayers`)
  const settings = panel(page, 'Prayer requests')
  await settings.getByLabel('Ask for prayer requests in the form').check()
  await settings.getByLabel('Keep each prayer request').selectOption('90 days')
  await settings.getByRole('button', { name: 'Save' }).click()
  await expect(toast(page)).toContainText('Settings Updated')
  await expect(settings.getByRole('status')).toContainText('No one reads those for the pastor yet.')
  await settings.getByLabel('Ruth Cole').selectOption('All of them')
  await expect(settings.getByRole('status')).toBeHidden()
  // The owner reads none, unless they say so.
  await page.goto('/admin/prayers')
  await expect(page.getByRole('main')).toContainText('You read no prayer requests.')

  const prayer = 'For my mother.\nShe is in hospital.'
  await callAs(page, 'POST', '/api/rsvp', testRsvp({ phone: '555 0100', prayer }))
  await callAs(page, 'POST', '/api/rsvp', { ...longRsvp, prayer: 'x'.repeat(300) })
  await page.request.post('/api/session', { data: { email: 'ruth@example.org', password: PASSWORD } })
  await page.setViewportSize({ width: 320, height: 640 })
  await open(page, '/admin')
  await page.getByRole('link', { name: 'Prayer requests' }).click()
  const ana = page.getByRole('listitem').filter({ hasText: 'Ana Cole' })
  await expect(ana).toContainText('Only the pastor')
  for (const [name, href] of Object.entries({
    '555 0100': 'tel:5550100',
    'ana@cole.example': 'mailto:ana@cole.example',
  }))
    await expect(ana.getByRole('link', { name })).toHaveAttribute('href', href)
  const prayed = ana.getByRole('button', { name: 'Prayed' })
  const toVisit = ana.getByRole('button', { name: 'To visit' })
  await prayed.click()
  await expect(prayed).toHaveAttribute('aria-pressed', 'true')
  await toVisit.press('Enter')
  await expect(toVisit).toHaveAttribute('aria-pressed', 'true')
  await expectUsable(page, 'prayer requests')
  // A second press takes it back.
  await prayed.click()
  await expect(prayed).toHaveAttribute('aria-pressed', 'false')
  await expect(toVisit).toHaveAttribute('aria-pressed', 'true')
})

test('sends failed mail again, offers each a choice, and takes a reason for skipping', async ({ page, site }) => {
  await signIn(page)
  await callAs(page, 'PATCH', '/api/account', { name: 'Ruth Cole', email: 'ruth@cole.example' })
  const refused = 'The mail server refused the message for good (550). The address may not exist.'
  const failure = JSON.stringify({ message: refused, refusal: 'mail-refused', values: { reply: '550' } })
  const moment = new Date().toISOString()
  changeDatabase(
    site,
    `INSERT INTO mail_queue (key, kind, administrator_id, created_at, due_at, ends_at, failed_at, failure)
    SELECT 'digest 1', 'digest', id, '${moment}', '${moment}', '2999-01-01', '${moment}', '${failure}' FROM administrators`,
  )
  await callAs(page, 'PATCH', '/api/schedule', { weekday: 6, timeZone: 'UTC' })
  const [, { date }] = (await (await page.request.get('/api/schedule')).json()).services
  await open(page, `${SETTINGS}#mail`)
  const mail = panel(page, 'Mail')
  await expect(mail.getByRole('listitem')).toContainText(refused)
  await expectUsable(page, 'mail in the settings', '#mail')
  await mail.getByRole('button', { name: 'Send again: What has come in' }).press('Enter')
  await expectToast(page, 'Waiting to be Sent', 'It goes out within a minute.')
  await expect(mail.getByRole('heading', { name: 'Mail' })).toBeFocused()
  await mail.getByRole('button', { name: 'Send a test message to me' }).press('Enter')
  await expect(toast(page)).toContainText('The mail server cannot be reached')

  await group(page, 'You')
  const own = page.getByRole('group', { name: 'What you get by mail' })
  await expect(own.getByRole('checkbox')).toHaveCount(2)
  // Unlike an email or a password, it needs no new proof.
  changeDatabase(site, 'UPDATE sessions SET proven_at = 0')
  const saved = page.waitForResponse('/api/account')
  await own.getByRole('checkbox', { name: 'The sheet' }).check()
  expect((await saved).status()).toBe(200)
  expect((await page.request.patch('/api/account', { data: { name: 'Eve' } })).status()).toBe(403)

  await group(page, 'Invitation')
  const reason = page.getByRole('textbox', { name: 'Reason (optional)' })
  await reason.fill('The heating is broken.')
  await page.getByLabel('Day Without a Service').fill(date)
  const skipping = page.waitForRequest((request) => request.method() === 'PATCH')
  await page.getByRole('button', { name: 'Skip It' }).click()
  expect((await skipping).postDataJSON()).toMatchObject({ skipReason: 'The heating is broken.' })
  await expectToast(page, 'Service Skipped', `There is no service on ${dayText(date)}.`)
  // It is not sent with the next one.
  await expect(reason).toHaveValue('')
})
