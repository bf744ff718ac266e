import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { expect, fillForm, open, readRsvps, storeRsvps, test, testRsvp, waitForHydration } from './fixtures.ts'
import { guarded } from './guarded.ts'

const submit = (page: Page) => page.getByRole('button', { name: 'Submit RSVP' }).click()
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click()

/** Changes the RSVP that was just sent, withdraws it and takes that back. */
async function changeAndWithdraw(page: Page, hydrated: () => Promise<void>): Promise<void> {
  await page.getByRole('link', { name: 'Change or withdraw' }).click()
  await expect(page).toHaveURL(/\/answer$/)
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Ana Cole')
  await hydrated()
  await page.getByText("No, I can't").click()
  await page.getByLabel('Message').fill('We are ill')
  await save(page)
  await expect(page.getByText('Your RSVP says now what you see here.')).toBeVisible()
  await expect(page.locator('.thanks')).toContainText('Not Attending')
  await expect(page.getByLabel('Message')).toHaveValue('We are ill')
  await page.getByRole('button', { name: 'Withdraw my RSVP' }).click()
  await expect(page.getByText('You have withdrawn this RSVP')).toBeVisible()
  await page.getByRole('button', { name: 'Take that back' }).click()
  await expect(page.getByLabel('Message')).toHaveValue('We are ill')
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(`the private link ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, () => {
    test.use({ javaScriptEnabled })

    test('changes what was sent, withdraws it and takes that back', async ({ page, site }) => {
      await page.goto('/share')
      const hydrated = async () => (javaScriptEnabled ? await waitForHydration(page) : undefined)
      await hydrated()
      await fillForm(page)
      await submit(page)
      await changeAndWithdraw(page, hydrated)
      expect(await readRsvps(site)).toMatchObject([{ name: 'Ana Cole', attending: false, message: 'We are ill' }])
    })
  })
}

test.describe('the form of a private link', () => {
  test.use({ expectedErrors: /412|Failed to load resource/ })

  test('says what another device saved meanwhile, and saves the second time', async ({ page, context, site }) => {
    await open(page, '/share')
    await fillForm(page)
    await submit(page)
    await page.getByRole('link', { name: 'Change or withdraw' }).click()
    await waitForHydration(page)
    const other = await context.newPage()
    await open(other, '/answer')
    await other.getByLabel('Phone').fill('555 0100')
    await save(other)
    await expect(other.getByText('Your RSVP says now')).toBeVisible()

    await page.getByLabel('Message').fill('See you')
    await save(page)
    await expect(page.getByRole('alert')).toContainText('was changed meanwhile')
    await expect(page.getByText('Phone: 555 0100')).toBeVisible()
    await waitForHydration(page)
    await save(page)
    await expect(page.getByText('Your RSVP says now')).toBeVisible()
    expect(await readRsvps(site)).toMatchObject([{ message: 'See you' }])
  })

  test('keeps what was typed while the site is out of reach, and saves it afterwards', async ({
    page,
    context,
    site,
  }) => {
    await open(page, await sendLinked(site.url))
    await waitForHydration(page)
    await page.getByLabel('Message').fill('See you')
    await context.setOffline(true)
    await expect(page.getByText('You are offline. What you typed stays here')).toBeVisible()
    const tried = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/api/health'))
    await save(page)
    await tried
    await context.setOffline(false)
    await expect(page.getByText('Not sent yet. Everything you typed is still here')).toBeVisible()
    // A proxy replies while the site behind it is down.
    await page.route('**/api/health', (route) => route.fulfill({ status: 502, body: 'Bad Gateway' }))
    const [asked] = await Promise.all([
      page.waitForResponse('**/api/health'),
      page.getByRole('button', { name: 'Withdraw my RSVP' }).click(),
    ])
    expect(asked.status()).toBe(502)
    await expect(page).toHaveURL(/\/answer$/)
    await expect(page.getByLabel('Message')).toHaveValue('See you')
    await page.unrouteAll()
    // A button does nothing until the page has read the reply to the one pressed before.
    await expect(async () => {
      await save(page)
      await expect(page.getByText('Your RSVP says now')).toBeVisible({ timeout: 5000 })
    }).toPass()
    expect(await readRsvps(site)).toMatchObject([{ message: 'See you' }])
  })

  test('keeps a family member who does not come', async ({ page, site }) => {
    const link = await sendLinked(site.url, { familyMembers: [{ name: 'Joel', attending: false }] })
    await open(page, link)
    await page.getByLabel('Message').fill('Joel is ill')
    await save(page)
    await expect(page.getByText('Your RSVP says now')).toBeVisible()
    expect(await readRsvps(site)).toMatchObject([
      { message: 'Joel is ill', familyMembers: [{ name: 'Joel', attending: false }] },
    ])
  })
})

test.describe('a guarded site', () => {
  test.use({ variables: guarded })

  test('a private link works when it is opened from a page of another site', async ({ page, site }) => {
    await storeRsvps(site, [testRsvp({ name: 'Someone Else' })])
    const link = await sendLinked(site.url)
    const mail = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html')
      response.end(`<!doctype html><title>Mail</title><a href="${link}">Open</a>`)
    })
    await new Promise<void>((resolve) => mail.listen(0, '127.0.0.1', resolve))
    // Another host name than that of the site, and therefore another site.
    await page.goto(`http://localhost:${(mail.address() as AddressInfo).port}/`)
    await page.getByRole('link', { name: 'Open' }).click()
    await expect(page).toHaveURL(/\/answer$/)
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Ana Cole')
    await new Promise((resolve) => mail.close(resolve).closeAllConnections())
  })
})

/** Sends an RSVP without the browser, and returns its private link. */
async function sendLinked(url: string, changes: Record<string, unknown> = {}): Promise<string> {
  const headers = { 'Content-Type': 'application/json' }
  const reply = await fetch(`${url}/api/rsvp`, { method: 'POST', headers, body: JSON.stringify(testRsvp(changes)) })
  return (await reply.json()).link
}
