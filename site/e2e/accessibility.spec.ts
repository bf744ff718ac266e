import { addDays } from '#db/values/dates.ts'
import { expect, open, test } from './fixtures.ts'
import { addMember, submit } from './form.ts'
import { confirmSchedule, moveToWeek, storeRsvps } from './stored.ts'
import { expectUsable, longRsvps } from './usable.ts'

test.use({ expectedErrors: /status of (400|404|410)/ })

// All other states of pages are checked in the tests that lead to them.
test('shows pages with nothing to do, and the unfolded week, accessibly and on a phone', async ({ page, site }) => {
  const weeks = await confirmSchedule(site)
  await storeRsvps(site, longRsvps)
  moveToWeek(site, 'Visitor', weeks.before)
  moveToWeek(site, 'Visitor 5', addDays(weeks.before, -28))
  for (const path of ['/privacy', '/nope', '/invitation', '/admin?week=last']) {
    await open(page, path)
    if (path.startsWith('/admin')) {
      await expect(page.getByRole('region', { name: 'How many really came?' })).toBeVisible()
      await page.getByText('Other weeks').click()
    }
    await expectUsable(page, path)
  }
})

test('shows the form with errors accessibly and on a phone, without JavaScript', async ({ page }) => {
  // The page as it is without JavaScript, while axe can still run its own.
  await page.route('**/*', async (route) => {
    if (!['document', 'stylesheet'].includes(route.request().resourceType())) return route.continue()
    const response = await route.fetch({ maxRedirects: 0 })
    const text = (await response.text()).replace(/<script\b[\s\S]*?<\/script>/g, '')
    await route.fulfill({ response, body: text.replace(/\(scripting:\s*none\)/g, 'all') })
  })
  await page.goto('/share')
  await addMember(page).click()
  await page.getByLabel('Name', { exact: true }).fill('A')
  await page.getByLabel('Email').fill('a@b')
  await submit(page).click()
  await expect(page.getByText('Invalid email address')).toBeVisible()
  await expectUsable(page, 'with errors')
})
