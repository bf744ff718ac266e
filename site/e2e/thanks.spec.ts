import type { Page } from '@playwright/test'
import { expect, open, test, waitForHydration } from './fixtures.ts'
import { fillForm, submit } from './form.ts'
import { send, storeRsvps, testRsvp } from './stored.ts'
import { expectStill, expectUsable, watchPage } from './usable.ts'

const thanks = (page: Page) => page.locator('.thanks')
const line = (page: Page) => page.locator('.remembered__line')
const done = (page: Page) => page.getByRole('button', { name: 'Done' }).click()
const remembered = (page: Page) => page.evaluate(() => localStorage.getItem('rsvp-remembered') ?? '')

// What the visitor has taken away is asked for once more, and not found.
test.use({ expectedErrors: /404|410/ })

/** Waits until the device remembers a line. A page that the browser is leaving cannot be asked. */
async function expectRemembered(page: Page, text: string): Promise<void> {
  await expect.poll(() => remembered(page).catch(() => 'The page was left.')).toContain(text)
}

async function sendForTwo(page: Page): Promise<void> {
  await fillForm(page)
  await page.getByRole('button', { name: 'Add Family Member' }).click()
  await page.keyboard.type('Joel')
  await submit(page).click()
}

async function sendRemembered(page: Page): Promise<void> {
  await sendForTwo(page)
  await page.getByRole('checkbox', { name: 'Remember this on this device' }).check()
  await expectRemembered(page, '"line"')
  await done(page)
}

async function answerNo(page: Page): Promise<void> {
  await waitForHydration(page)
  await page.getByText("No, I can't").click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Your RSVP says now')).toBeVisible()
}

test('the thank-you of a tab outlives reloads, says what holds, and leaves nothing behind', async ({
  page,
  context,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await open(page, '/share')
  await sendForTwo(page)
  const link = page.getByLabel('Your private link')
  const address = await link.inputValue()
  await page.addInitScript(watchPage)
  await page.goto('/')
  await expect(link).toHaveValue(address)
  await expectStill(page)
  await page.getByRole('link', { name: 'Change or withdraw' }).click()
  await answerNo(page)
  await page.getByRole('link', { name: 'Back to the invitation' }).click()
  await expect(thanks(page)).toContainText('Not Attending')
  await expect(link).toHaveValue(address)

  await done(page)
  await expect(page.getByRole('heading', { name: 'RSVP', exact: true })).toBeFocused()
  await expect(submit(page)).toBeVisible()
  await expect.poll(() => context.cookies(address).then((cookies) => cookies.map(({ name }) => name))).toEqual([])
  expect(JSON.stringify(await context.storageState({ indexedDB: true }))).not.toContain('Ana Cole')
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }))).not.toContain('Ana Cole')
  await page.reload()
  await expect(submit(page)).toBeVisible()
  await expect(thanks(page)).toHaveCount(0)
})

test('an RSVP that a device remembers stands in place of the form, until it is forgotten in all tabs', async ({
  page,
  context,
  site,
}) => {
  await send(site, 'PATCH', '/api/schedule', { timeZone: 'UTC' })
  await page.addInitScript(watchPage)
  await open(page, '/share')
  const day = (await page.getByLabel('For', { exact: true }).locator('option').first().textContent()) ?? ''
  await sendRemembered(page)
  expect(Object.keys(JSON.parse(await remembered(page))).sort()).toEqual(['endsAt', 'key', 'line', 'saysDay'])
  await expect(submit(page)).toBeHidden()
  await expect(page.getByRole('heading', { name: 'Your RSVP' })).toBeFocused()
  await expectUsable(page, 'remembered')
  await open(page, '/')
  await expect(line(page)).toHaveText(`You answered: Yes, 2 people, for ${day}`)
  await expectStill(page)
  await page.getByRole('link', { name: 'Change', exact: true }).click()
  await expect(page).toHaveURL(/\/answer$/)
  await answerNo(page)
  await expectRemembered(page, `You answered: No, for ${day}`)
  await page.getByRole('button', { name: 'Withdraw my RSVP' }).click()
  await expectRemembered(page, `You have withdrawn your RSVP for ${day}`)

  await open(page, '/share')
  const other = await context.newPage()
  await open(other, '/share')
  await expect(line(other)).toHaveText(/^You have withdrawn/)
  // The button does nothing until its code has loaded.
  await expect(async () => {
    await other.getByRole('button', { name: 'Forget on this device' }).click({ timeout: 1000 })
    await expect(line(other)).toBeHidden({ timeout: 1000 })
  }).toPass()
  await expect(other.getByText('This device no longer remembers it. Your RSVP itself stays.').first()).toBeVisible()
  for (const tab of [other, page]) await expect(submit(tab)).toBeVisible()
  await expect(other.getByRole('heading', { name: 'RSVP', exact: true })).toBeFocused()
  expect(await remembered(page)).toBe('')
})

test('a remembered RSVP is forgotten once its link is dead or its service over, and no earlier', async ({ page }) => {
  await open(page, '/share')
  const old = { key: '0123456789012345678901', line: 'You answered: No', saysDay: false }
  const put = (value: object) =>
    page.evaluate((text) => localStorage.setItem('rsvp-remembered', text), JSON.stringify(value))
  await page.route('**/api/answer', (route) => route.fulfill({ status: 404, body: '<h1>Hotel Wi-Fi</h1>' }))
  await put({ ...old, endsAt: '2100-01-01T00:00:00.000Z' })
  await open(page, '/share')
  await page.waitForLoadState('networkidle')
  await expect(line(page)).toHaveText('You answered: No')
  await page.unroute('**/api/answer')
  await page.reload()
  await expect(submit(page)).toBeVisible()
  expect(await remembered(page)).toBe('')
  await put({ ...old, endsAt: '2020-01-01T00:00:00.000Z' })
  await open(page, '/share')
  await expect(submit(page)).toBeVisible()
  await expect(line(page)).toBeHidden()
})

test('the first screen has the day, the place and both choices, until one is made', async ({ page, site }) => {
  await send(site, 'PATCH', '/api/schedule', { timeZone: 'UTC' })
  await storeRsvps(site, [testRsvp({ name: 'Ben Roe' })])
  // The administrator's page has a button more.
  for (const { path, ...size } of [
    { path: '/share', width: 360, height: 740 },
    { path: '/', width: 390, height: 844 },
    { path: '/share', width: 1280, height: 800 },
  ]) {
    await page.setViewportSize(size)
    await page.goto(path)
    const day = await page.getByLabel('For', { exact: true }).locator('option').first().textContent()
    await expect(page.locator('.fact--day')).toContainText(`${day}`)
    await expect(page.locator('.fact--day')).toBeInViewport({ ratio: 1 })
    await expect(page.locator('.fact--hours')).toContainText('to 12:00')
    expect(await page.locator('.fact--hours').evaluate(countLines), `${size.width} px`).toBe(1)
    await expect(page.getByRole('link', { name: '123 Main Street' })).toBeInViewport({ ratio: 1 })
    for (const text of ["Yes, I'll attend", "No, I can't"])
      await expect(page.getByText(text), `${size.width} px`).toBeInViewport({ ratio: 1 })
  }

  // On a phone, a bar has them while the form is out of sight, until one is chosen.
  await page.setViewportSize({ width: 320, height: 560 })
  await open(page, '/share')
  const bar = page.getByRole('region', { name: 'Will you be attending?' }).filter({ visible: true })
  await expect(bar).toBeVisible()
  await page.mouse.wheel(0, 10_000)
  await page.getByRole('button', { name: 'No' }).click()
  await expect(page.getByRole('radio', { name: "No, I can't" })).toBeChecked()
  await expect(page.getByRole('radio', { name: "No, I can't" })).toBeFocused()
  await expect(page.getByText("Yes, I'll attend")).toBeInViewport()
  await page.mouse.wheel(0, 10_000)
  await expect(bar).toHaveCount(0)
})

/** Runs in the browser. */
function countLines(element: Element): number {
  const range = document.createRange()
  range.selectNodeContents(element)
  return new Set(Array.from(range.getClientRects(), ({ top }) => Math.round(top))).size
}
