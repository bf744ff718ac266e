import type { BrowserContext, Page } from '@playwright/test'
import { expect, open, test, waitForHydration } from './fixtures.ts'
import { everything, fillEverything, fillForm, member, openMore, submit, thanked } from './form.ts'
import { readRsvps, send } from './stored.ts'

const CALL = '**/api/rsvp'
const kept = (page: Page) => page.getByRole('heading', { name: 'Kept on this device' })

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
  await fillEverything(page)
  await page.waitForLoadState('networkidle')
  await context.setOffline(true)
  await submit(page).click()
  await expect(kept(page)).toBeFocused()
}

// What the page itself asks for while it is offline fails, and browsers log that.
test.use({ expectedErrors: /ERR_INTERNET_DISCONNECTED|Failed to fetch|400|50[23]/ })

test.describe('a bad line, with the worker,', () => {
  test.use({ serviceWorkers: 'allow' })

  test('shows the page as it was, and sends once it is open again', async ({ page, context, site }) => {
    await openWithWorker(page)
    await context.setOffline(true)
    for (const path of ['/admin', '/share?thanks=1']) {
      const other = await context.newPage()
      await expect(other.goto(path)).rejects.toThrow('ERR_INTERNET_DISCONNECTED')
      await other.close()
    }
    for (const path of ['/Share).?fbclid=x', '/share']) {
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
    await expect(thanked(later)).toBeVisible()
    await expect(later.getByText(/^You are offline/)).toHaveCount(0)
    expect(await readRsvps(site)).toMatchObject([everything])
    await expect(later.getByRole('link', { name: 'Change or withdraw' })).toHaveAttribute('href', /\?key=/)
    expect(JSON.stringify(await context.storageState({ indexedDB: true }))).not.toContain('Ana Cole')

    // Until the visitor has seen it: the private link must not be lost.
    await later.reload()
    await openMore(later)
    await later.getByRole('button', { name: 'Done' }).click()
    await expect(thanked(later)).toHaveCount(0)
    await later.reload()
    await expect(submit(later)).toBeVisible()
    expect(await readRsvps(site)).toHaveLength(1)
  })

  test('shows the page in the language chosen last until it is online', async ({ page, context }) => {
    await openWithWorker(page)
    await page.goto('/share?language=es')
    const copied = () => page.evaluate(async () => (await caches.match('/share'))?.text())
    await expect.poll(copied).toContain('<html lang="es"')
    await context.setOffline(true)
    await page.goto('/share?language=de')
    const note = page.getByText(/^Está sin conexión: .+ \d{4}/)
    await expect(note).toBeVisible()
    await waitForHydration(page)
    const name = page.locator('input[name="name"]')
    await name.fill('Ana Cole')
    await context.setOffline(false)
    await expect(note).toHaveCount(0)
    await expect(name).toHaveValue('Ana Cole')
  })

  test('keeps what the site cannot take, and sends it once', async ({ page, context, site }) => {
    await openWithWorker(page)
    const other = await context.newPage()
    await open(other, '/share')
    await submitOffline(page, context)
    await context.route(CALL, (route) => route.fulfill({ status: 503 }))
    await context.setOffline(false)
    const [worker] = context.serviceWorkers()
    const outcome = await worker?.evaluate(async () => {
      let work: Promise<unknown> | undefined
      const event = { waitUntil: (given: Promise<unknown>) => (work = given) }
      ;(globalThis as unknown as { onsync: (given: typeof event) => void }).onsync(event)
      return work?.then(
        () => 'done',
        () => 'to be repeated',
      )
    })
    expect(outcome).toBe('to be repeated')
    await context.unroute(CALL)
    // Whichever of the tabs comes first.
    await expect.poll(async () => (await thanked(page).count()) + (await thanked(other).count())).toBeGreaterThan(0)
    for (const tab of [page, other]) await expect(kept(tab)).toHaveCount(0)
    expect(await readRsvps(site)).toMatchObject([everything])
  })
})

test.describe('a bad line', () => {
  test('gives back what the site refuses, and sends nothing unwanted', async ({ page, context, site }) => {
    await open(page, '/share')
    await submitOffline(page, context)
    await page.getByRole('button', { name: 'Do Not Send' }).click()
    await expect(submit(page)).toBeVisible()
    await context.setOffline(false)
    await page.reload()
    expect(await readRsvps(site)).toEqual([])

    await submitOffline(page, context)
    await send(site, 'PATCH', '/api/volunteer-roles/2', { retired: true })
    await context.setOffline(false)
    await expect(page.getByRole('heading', { name: 'Not accepted' })).toBeVisible()
    expect(await readRsvps(site)).toEqual([])
    await page.getByRole('button', { name: 'Correct It' }).click()
    await expect(page.getByLabel('Message')).toHaveValue('Two lines\nof thanks')
    await expect(member(page)).toHaveValue('Joel')
    await submit(page).click()
    await expect(thanked(page)).toBeVisible()
    expect(await readRsvps(site)).toHaveLength(1)
  })

  test('thanks for each of two RSVPs, one after another, with its own link', async ({ page, context, site }) => {
    await open(page, '/share')
    await submitOffline(page, context)
    await fillForm(page, 'Bea Cole')
    await submit(page).click()
    await expect(kept(page)).toHaveCount(2)
    await context.setOffline(false)
    const link = page.getByLabel('Your private link')
    const first = await link.inputValue()
    await openMore(page)
    await page.getByRole('button', { name: 'Done' }).click()
    await expect(link).not.toHaveValue(first)
    await openMore(page)
    await page.getByRole('button', { name: 'Done' }).click()
    await expect(submit(page)).toBeVisible()
    expect(await readRsvps(site)).toHaveLength(2)
  })

  test('keeps an RSVP until the site itself replies, also after "Do Not Send"', async ({ page, context, site }) => {
    await page.clock.install()
    await open(page, '/share')
    await submitOffline(page, context)
    // The sign-in page of a network.
    let replies = 0
    await context.route(CALL, (route) => {
      replies += 1
      return route.fulfill({ status: 200, body: '<h1>Welcome to our network</h1>', contentType: 'text/html' })
    })
    await context.setOffline(false)
    await expect.poll(() => replies).toBe(1)
    expect(await readRsvps(site)).toEqual([])
    await context.unroute(CALL)

    const pressed = Promise.withResolvers<void>()
    let isSent = false
    await context.route(CALL, async (route) => {
      const response = await route.fetch()
      isSent = true
      await pressed.promise
      await route.fulfill({ response })
    })
    // Repeated, because the page tries nothing while it still reads the last reply.
    await expect(async () => {
      await page.clock.runFor(50_000)
      await expect.poll(() => isSent, { timeout: 5000 }).toBe(true)
    }).toPass()
    await page.getByRole('button', { name: 'Do Not Send' }).click()
    // It waits for its turn.
    await expect.poll(() => page.evaluate(async () => (await navigator.locks.query()).pending?.length)).toBe(1)
    pressed.resolve()
    await expect(thanked(page)).toBeVisible()
    expect(await readRsvps(site)).toHaveLength(1)
  })
})
