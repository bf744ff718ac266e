import type { BrowserContext, Page } from '@playwright/test'
import { expect, expectToast, fillForm, open, pickRole, readRsvps, send, test, waitForHydration } from './fixtures.ts'

/** Opens the page, and waits until the worker has a copy of it. */
async function openWithWorker(page: Page): Promise<void> {
  await open(page, '/share')
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
    while (!(await caches.match('/share'))) await new Promise((resolve) => setTimeout(resolve, 50))
  })
}

async function submitOffline(page: Page, context: BrowserContext): Promise<void> {
  await waitForHydration(page)
  await fillForm(page)
  await page.getByLabel('Message').fill('We bring bread')
  await page.getByRole('button', { name: 'Add Family Member' }).click()
  await page.keyboard.type('Joel')
  await pickRole(page, 'Usher')
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Submit RSVP' }).click()
  await expect(page.getByRole('heading', { name: 'Kept on this device' })).toBeFocused()
}

const stored = {
  name: 'Ana Cole',
  message: 'We bring bread',
  familyMembers: [{ name: 'Joel' }],
  volunteerSignups: [{ role: { name: 'Usher' } }],
}

test.describe('a bad line', () => {
  // What the page itself asks for while it is offline fails, and browsers log that.
  test.use({ serviceWorkers: 'allow', expectedErrors: /ERR_INTERNET_DISCONNECTED|Failed to fetch|400/ })

  test('shows the page in the language that was chosen last', async ({ page, context }) => {
    await openWithWorker(page)
    await page.goto('/share?language=es')
    await page.waitForFunction(async () => (await (await caches.match('/share'))?.text())?.includes('lang="es"'))
    await context.setOffline(true)
    for (const path of ['/share?language=es', '/share']) {
      await page.goto(path)
      await expect(page.getByText(/^Está sin conexión: .+ \d{4}/)).toBeVisible()
      await expect(page.getByRole('heading', { name: '¿Quién viene?' })).toBeVisible()
    }
  })

  test('shows the page as it was, and what is sent from it arrives once it is open again', async ({
    page,
    context,
    site,
  }) => {
    await openWithWorker(page)
    await context.setOffline(true)
    for (const path of ['/share', '/']) {
      await page.goto(path)
      await expect(page.getByText(/^You are offline: this is the page as it was on /)).toBeVisible()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sabbath Worship Service')
    }
    await submitOffline(page, context)
    expect(await readRsvps(site)).toEqual([])
    await page.close()

    await context.setOffline(false)
    const later = await context.newPage()
    await later.goto('/share')
    await expect(later.getByRole('heading', { name: 'Thank you, Ana Cole' })).toBeVisible()
    await expect(later.getByText(/^You are offline/)).toHaveCount(0)
    expect(await readRsvps(site)).toMatchObject([stored])
    await expect(later.getByRole('link', { name: 'Change or withdraw' })).toHaveAttribute('href', /\?key=/)

    const left = JSON.stringify(await context.storageState({ indexedDB: true }))
    expect(left).toContain('Ana Cole')
    expect(left).not.toContain('bread')

    // Until the visitor has seen it: the private link must not be lost.
    await later.reload()
    await later.getByRole('button', { name: 'Done' }).click()
    await expect(later.getByRole('heading', { name: 'Thank you, Ana Cole' })).toHaveCount(0)
    await expect(later.getByRole('button', { name: 'Submit RSVP' })).toBeVisible()
    await later.reload()
    await expect(later.getByRole('button', { name: 'Submit RSVP' })).toBeVisible()
    expect(await readRsvps(site)).toHaveLength(1)
  })

  test('sends from an open page as soon as the device is online, once, though two pages try', async ({
    page,
    context,
    site,
  }) => {
    await openWithWorker(page)
    const other = await context.newPage()
    await open(other, '/share')
    await submitOffline(page, context)
    await context.setOffline(false)
    await expect(page.getByRole('heading', { name: 'Thank you, Ana Cole' })).toBeVisible()
    await expect(other.getByRole('heading', { name: 'Thank you, Ana Cole' })).toBeVisible()
    expect(await readRsvps(site)).toMatchObject([stored])
  })

  test('keeps what the site refuses, says why, and gives it back to be corrected', async ({ page, context, site }) => {
    await openWithWorker(page)
    await submitOffline(page, context)
    await send(site, 'PATCH', '/api/volunteer-roles/2', { retired: true })
    await context.setOffline(false)
    await expect(page.getByRole('heading', { name: 'Not accepted' })).toBeVisible()
    expect(await readRsvps(site)).toEqual([])
    await page.getByRole('button', { name: 'Correct It' }).click()
    await expect(page.getByLabel('Message')).toHaveValue('We bring bread')
    await expect(page.getByLabel('Name of family member 1')).toHaveValue('Joel')
    await page.getByRole('button', { name: 'Submit RSVP' }).click()
    await expect(page.getByRole('heading', { name: 'Thank you, Ana Cole' })).toBeVisible()
    expect(await readRsvps(site)).toHaveLength(1)
  })

  test('is not sent where the visitor does not want it any more', async ({ page, context, site }) => {
    await openWithWorker(page)
    await submitOffline(page, context)
    await page.getByRole('button', { name: 'Do Not Send' }).click()
    await expect(page.getByRole('button', { name: 'Submit RSVP' })).toBeVisible()
    await context.setOffline(false)
    await page.reload()
    expect(await readRsvps(site)).toEqual([])
  })

  test('is a failure like others in a browser that keeps nothing', async ({ page, context, site }) => {
    await page.addInitScript(() => Object.defineProperty(window, 'indexedDB', { value: undefined }))
    await open(page, '/share')
    await fillForm(page)
    // The code that sends it has to be there.
    await page.waitForLoadState('networkidle')
    await context.setOffline(true)
    await expect(page.getByText('You are offline. What you typed stays here.')).toBeVisible()
    await page.getByRole('button', { name: 'Submit RSVP' }).click()
    await expectToast(page, 'Error', 'Failed to submit RSVP. Please try again.')
    await context.setOffline(false)
    await page.getByRole('button', { name: 'Submit RSVP' }).click()
    await expect(page.getByRole('heading', { name: 'Thank you, Ana Cole' })).toBeVisible()
    expect(await readRsvps(site)).toHaveLength(1)
  })

  test('leaves the administration alone, and knows no other page', async ({ page, context }) => {
    await openWithWorker(page)
    await open(page, '/admin')
    await context.setOffline(true)
    await expect(page.goto('/admin')).rejects.toThrow('ERR_INTERNET_DISCONNECTED')
    await expect(page.goto('/share?thanks=1')).rejects.toThrow('ERR_INTERNET_DISCONNECTED')
  })
})
