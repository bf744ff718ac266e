import type { Page } from '@playwright/test'
import { expect, expectToast, fillForm, open, send, test, testRsvp, waitForHydration } from './fixtures.ts'

const remember = (page: Page) => page.getByRole('checkbox', { name: 'Remember this on this device' })
const line = (page: Page) => page.locator('.remembered__line')
const form = (page: Page) => page.getByRole('button', { name: 'Submit RSVP' })
const done = (page: Page) => page.getByRole('button', { name: 'Done' }).click()
const stored = (page: Page) => page.evaluate(() => localStorage.getItem('rsvp-remembered') ?? '')

/** Waits until the device remembers a line. A page that the browser is leaving cannot be asked. */
async function expectStored(page: Page, text: string): Promise<void> {
  await expect.poll(() => stored(page).catch(() => 'The page was left.')).toContain(text)
}

/** Sends an RSVP of three, and has the device remember it. */
async function sendRemembered(page: Page, name = 'Ana Cole'): Promise<void> {
  await fillForm(page, name)
  for (const member of ['Joel', 'Mia']) {
    await page.getByRole('button', { name: 'Add Family Member' }).click()
    await page.keyboard.type(member)
  }
  await form(page).click()
  const before = await stored(page)
  await remember(page).check()
  await expect.poll(() => stored(page)).not.toBe(before)
  await expectStored(page, '"line"')
}

/** How much has moved since the page was opened. */
async function shiftOf(page: Page): Promise<number> {
  return page.evaluate(async () => {
    await document.fonts.ready
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    return Object(window).shifted
  })
}

test.describe('an RSVP', () => {
  test.use({ expectedErrors: /404|410/ })

  test('is remembered where that is asked for, with its link and its line alone, and stands in place of the form', async ({
    page,
    site,
  }) => {
    await send(site, 'PATCH', '/api/schedule', { timeZone: 'UTC' })
    await page.addInitScript(() => {
      Object.assign(window, { shifted: 0 })
      new PerformanceObserver((list) => {
        for (const shift of list.getEntries()) Object(window).shifted += 'value' in shift ? Number(shift.value) : 0
      }).observe({ type: 'layout-shift', buffered: true })
    })
    await open(page, '/share')
    const day = (await page.getByLabel('For', { exact: true }).locator('option').first().textContent()) ?? ''
    await fillForm(page)
    await form(page).click()
    await expect(remember(page)).not.toBeChecked()
    expect(await stored(page)).toBe('')
    await sendRemembered(page)
    await expect(remember(page)).toHaveAccessibleDescription(/^Whoever uses this device then sees it here/)
    expect(Object.keys(JSON.parse(await stored(page))).sort()).toEqual(['act', 'endsAt', 'key', 'line', 'saysDay'])
    await done(page)
    await expect(form(page)).toBeHidden()
    await expect(page.getByRole('heading', { name: 'Your RSVP' })).toBeFocused()

    for (const path of ['/share', '/']) {
      await open(page, path)
      await page.waitForLoadState('networkidle')
      await expect(line(page)).toHaveText(`You answered: Yes, 3 people, for ${day} · Change`)
      await expect(form(page)).toBeHidden()
      expect(await shiftOf(page)).toBeLessThan(0.01)
    }
    await page.getByRole('link', { name: 'Respond for another family' }).click()
    await expect(page.getByRole('radio', { name: "Yes, I'll attend" })).toBeFocused()
    await expect(page.getByText("Yes, I'll attend")).toBeInViewport()
    await sendRemembered(page, 'Bea Cole')
    await done(page)
    await expect(line(page)).toBeVisible()
    expect(JSON.parse(await stored(page)).line).toBe(`You answered: Yes, 3 people, for ${day}`)

    await open(page, '/share')
    await line(page).getByRole('link', { name: 'Change' }).click()
    await expect(page).toHaveURL(/\/answer$/)
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Bea Cole')
    await waitForHydration(page)
    await page.getByText("No, I can't").click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(page.getByText('Your RSVP says now')).toBeVisible()
    await expectStored(page, `You answered: No, for ${day}`)
    await page.getByRole('button', { name: 'Withdraw my RSVP' }).click()
    await expectStored(page, `You have withdrawn your RSVP for ${day}`)
    await open(page, '/share')
    await expect(line(page)).toHaveText(`You have withdrawn your RSVP for ${day} · Take that back`)
    await line(page).getByRole('link', { name: 'Take that back' }).click()
    await page.getByRole('button', { name: 'Take that back' }).click()
    await expectStored(page, 'You answered: No')
  })

  test('is forgotten where that is asked for, in all tabs, and the form comes back', async ({ page, context }) => {
    await open(page, '/share')
    await sendRemembered(page)
    const other = await context.newPage()
    await open(other, '/share')
    await expect(line(other)).toHaveText(/^You answered: Yes, 3 people, for /)
    // The button does nothing until its code has loaded.
    await expect(async () => {
      await other.getByRole('button', { name: 'Forget on this device' }).click({ timeout: 1000 })
      await expect(line(other)).toBeHidden({ timeout: 1000 })
    }).toPass()
    await expectToast(other, 'Forgotten', 'This device no longer remembers it. Your RSVP itself stays.')
    await expect(form(other)).toBeVisible()
    await expect(other.getByRole('heading', { name: 'RSVP', exact: true })).toBeFocused()
    await expect(remember(page)).not.toBeChecked()
    expect(await stored(page)).toBe('')
    await done(page)
    await expect(form(page)).toBeVisible()
  })

  test('is forgotten once its link is dead or its service over, and stays while the site cannot say so', async ({
    page,
    site,
  }) => {
    const remembered = { key: '0123456789012345678901', line: 'You answered: No', saysDay: false }
    const later = { ...remembered, endsAt: '2100-01-01T00:00:00.000Z' }
    const put = (value: unknown) =>
      page.evaluate((text) => localStorage.setItem('rsvp-remembered', text), JSON.stringify(value))
    await open(page, '/share')
    await page.route('**/api/answer', (route) => route.fulfill({ status: 404, body: '<h1>Hotel Wi-Fi</h1>' }))
    await put(later)
    await open(page, '/share')
    await page.waitForLoadState('networkidle')
    await expect(line(page)).toHaveText('You answered: No · Change')
    await page.unroute('**/api/answer')
    await page.reload()
    await expect(form(page)).toBeVisible()
    expect(await stored(page)).toBe('')

    for (const broken of [
      { ...remembered, endsAt: '2020-01-01T00:00:00.000Z' },
      { ...later, key: 'x"><img>' },
      [],
      1,
    ]) {
      await put(broken)
      await open(page, '/share')
      await expect(form(page)).toBeVisible()
      await expect(line(page)).toBeHidden()
    }
    expect((await fetch(`${site.url}/share`)).status).toBe(200)
  })

  test('is not offered to be remembered where the browser keeps nothing', async ({ page }) => {
    await page.addInitScript(() => {
      Storage.prototype.setItem = () => {
        throw new DOMException('full', 'QuotaExceededError')
      }
    })
    await open(page, '/share')
    await fillForm(page)
    await form(page).click()
    await expect(page.getByRole('link', { name: 'Change or withdraw' })).toBeVisible()
    await expect(remember(page)).toHaveCount(0)
  })

  test('is shown again as it is after Back, changed or erased meanwhile', async ({ page, site }) => {
    await open(page, '/share')
    await sendRemembered(page)
    await done(page)
    await expect(line(page)).toHaveText(/^You answered: Yes/)
    await page.getByRole('link', { name: 'Privacy' }).click()
    const { key } = JSON.parse(await stored(page))
    const headers = { 'Link-Key': key, 'Content-Type': 'application/json' }
    const change = { method: 'PATCH', headers, body: JSON.stringify({ ...testRsvp(), attending: false }) }
    expect((await fetch(`${site.url}/api/answer`, change)).status).toBe(200)
    await page.goBack()
    await expect(line(page)).toHaveText(/^You answered: No, 2 people of your family/)
  })
})

test.describe('what a device remembers, without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('is not shown', async ({ page }) => {
    await page.goto('/share')
    await expect(page.locator('.remembered')).toBeHidden()
    await expect(form(page)).toBeVisible()
  })
})
