import { subDays } from 'date-fns/subDays'
import { expect, expectToast, open, test, toast } from './fixtures.ts'
import { callAs, guarded, signIn } from './guarded.ts'
import { changeDatabase, confirmSchedule, storeRsvps, testRsvp } from './stored.ts'
import { expectUsable } from './usable.ts'

test('a household that comes every week is marked, found, asked about in time and ended; one that phones is entered', async ({
  page,
  site,
}) => {
  await confirmSchedule(site)
  await storeRsvps(site, [testRsvp(), testRsvp({ name: 'Ben Roe', email: 'ben@roe.example', standing: true })])
  const quiet = page.getByText(/^1 household that comes every week has not been heard of since/)
  const summary = page.locator('#standing > summary')
  const household = (name: string) => page.locator('#standing').getByRole('listitem').filter({ hasText: name })
  await open(page, '/admin')
  await expect(quiet).toHaveCount(0)
  await expect(page.locator('[data-rsvp] th')).toHaveText(['Ben RoeEvery week', 'Ana Cole'])
  await page.getByRole('checkbox', { name: 'Every week' }).check()
  await expect(page.getByText('This week, 1 of 2 responses')).toBeVisible()
  changeDatabase(site, `UPDATE standing_rsvps SET seen_at = '${subDays(new Date(), 340).toISOString()}'`)

  await open(page, '/admin')
  await quiet.getByRole('link', { name: 'Who comes every week' }).press('Enter')
  await expect(summary).toBeFocused()
  await expect(page.getByText('1 household comes every week.')).toBeVisible()
  await expect(household('Ben Roe')).toContainText(/Since .* · Last heard of on .* · Ends on .* unless/)
  await expect(household('Ben Roe').getByRole('link')).toHaveAttribute('href', 'mailto:ben@roe.example')
  await expectUsable(page, 'who comes every week', '#standing')

  await page.getByRole('button', { name: 'Ben Roe still comes every week' }).press('Enter')
  await expectToast(page, 'Still comes', 'Ben Roe is expected every week for another year.')
  await expect(quiet).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Ben Roe still comes every week' })).toHaveCount(0)

  await page.getByRole('button', { name: 'Delete the RSVP of Ben Roe' }).press('Enter')
  await expect(page.getByRole('alertdialog', { name: 'Delete RSVP' })).toContainText('This is only for that week.')
  await page.getByRole('button', { name: 'Cancel' }).press('Enter')
  await page.getByRole('button', { name: 'Edit the RSVP of Ben Roe' }).press('Enter')
  await expect(page.getByRole('dialog')).toContainText('What you change here is only for this week.')
  await page.getByRole('button', { name: 'Cancel' }).press('Enter')

  await page.getByRole('button', { name: 'Add a response' }).press('Enter')
  const form = page.getByRole('dialog', { name: 'Add a Response' })
  const everyWeek = form.getByRole('checkbox', { name: 'Every week from this service on' })
  await form.getByRole('radio', { name: 'Not Attending' }).check({ force: true })
  await expect(everyWeek).toHaveCount(0)
  await form.getByRole('radio', { name: 'Attending', exact: true }).check({ force: true })
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Martha Lind')
  await everyWeek.check()
  await form.getByRole('button', { name: 'Save' }).press('Enter')
  await expect(form.getByText('Saved: Martha Lind, 1 person, every week from ')).toBeVisible()
  await form.getByRole('button', { name: 'Done' }).press('Enter')
  await expect(page.locator('[data-rsvp]').filter({ hasText: 'Every week' })).toHaveCount(2)
  await expect(page.getByText('2 households come every week.')).toBeVisible()

  await page.getByRole('button', { name: 'End “every week” for Ben Roe' }).press('Enter')
  await expect(page.getByRole('alertdialog')).toContainText('The weeks that are over stay as they were.')
  await page.getByRole('alertdialog').getByRole('button', { name: 'End' }).press('Enter')
  await expectToast(page, '“Every week” Ended', 'Ben Roe is no longer expected every week.')
  await expect(page.locator('[data-rsvp] th')).toHaveText(['Martha LindEvery week', 'Ana Cole'])
})

const server = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'rsvp@example.org' }

test.describe('mail in the settings', () => {
  test.use({ variables: { ...guarded, ...server }, expectedErrors: /status of 503/ })

  test('shows what was not sent, sends it again, and lets each administrator choose', async ({ page, site }) => {
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
    await open(page, '/admin?tab=settings')
    const mail = page.getByRole('region', { name: 'Mail', exact: true })
    await expect(mail.getByRole('listitem')).toContainText(refused)
    await expectUsable(page, 'mail in the settings', '#mail')
    await mail.getByRole('button', { name: 'Send again: What has come in' }).press('Enter')
    await expectToast(page, 'Waiting to be Sent', 'It goes out within a minute.')
    await expect(mail.getByRole('heading', { name: 'Mail' })).toBeFocused()
    await mail.getByRole('button', { name: 'Send a test message to me' }).press('Enter')
    await expect(toast(page)).toContainText('The mail server cannot be reached')

    const own = page.getByRole('group', { name: 'What you get by mail' })
    await expect(own.getByRole('checkbox')).toHaveCount(2)
    // Unlike an email or a password, it needs no new proof.
    changeDatabase(site, 'UPDATE sessions SET proven_at = 0')
    const saved = page.waitForResponse('/api/account')
    await own.getByRole('checkbox', { name: 'The sheet' }).check()
    expect((await saved).status()).toBe(200)
    expect((await page.request.patch('/api/account', { data: { name: 'Eve' } })).status()).toBe(403)
    await page.reload()
    await expect(own.getByRole('checkbox', { name: 'The sheet' })).toBeChecked()
  })
})
