import type { BrowserContext, Page, Route } from '@playwright/test'
import { expect, expectToast, fillForm, open, readRsvps, test } from './fixtures.ts'

const CALL = '**/api/rsvp'

async function keepOffline(page: Page, context: BrowserContext): Promise<void> {
  await fillForm(page)
  await page.waitForLoadState('networkidle')
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Submit RSVP' }).click()
  await expect(page.getByRole('heading', { name: 'Kept on this device' })).toBeVisible()
}

/** Replies in place of the site until it is stopped. */
async function replyInstead(context: BrowserContext, reply: Parameters<Route['fulfill']>[0]): Promise<() => number> {
  let count = 0
  await context.route(CALL, (route) => {
    count += 1
    return route.fulfill(reply)
  })
  return () => count
}

test.describe('the outbox', () => {
  test.use({ expectedErrors: /ERR_INTERNET_DISCONNECTED|Failed to fetch|503/ })

  test('keeps an RSVP until the site itself has replied, not the sign-in page of a network', async ({
    page,
    context,
    site,
  }) => {
    await open(page, '/share')
    await keepOffline(page, context)
    const count = await replyInstead(context, { contentType: 'text/html', body: '<h1>Welcome to our network</h1>' })
    await context.setOffline(false)
    await expect.poll(count).toBeGreaterThan(0)
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Kept on this device' })).toBeVisible()
    await page.getByRole('button', { name: 'Send Now' }).click()
    await expectToast(page, 'Error', 'Failed to submit RSVP. Please try again.')
    await context.unroute(CALL)
    await page.getByRole('button', { name: 'Send Now' }).click()
    await expect(page.getByRole('heading', { name: 'Thank you, Ana Cole' })).toBeVisible()
    expect(await readRsvps(site)).toHaveLength(1)
  })

  test('tries again on a line that is back and still dead, also when the visitor comes back, and stores it once', async ({
    page,
    context,
    site,
  }) => {
    await page.clock.install()
    await open(page, '/share')
    await page.clock.pauseAt(Date.now() + 3_600_000)
    await keepOffline(page, context)
    const count = await replyInstead(context, { status: 503, body: '' })
    await context.setOffline(false)
    await expect.poll(count).toBe(1)
    // Repeated, because the page tries nothing while it still reads the last reply.
    const until = (act: () => Promise<unknown>, isReached: (options: { timeout: number }) => Promise<void>) =>
      expect(async () => {
        await act()
        await isReached({ timeout: 5000 })
      }).toPass()
    const isTriedAgain = (before: number) => (options: object) => expect.poll(count, options).toBeGreaterThan(before)
    // Five seconds, ten, twenty …, each shorter by up to a quarter.
    for (const seconds of [7, 13, 25]) await until(() => page.clock.runFor(seconds * 1000), isTriedAgain(count()))
    await until(() => page.evaluate(() => dispatchEvent(new Event('focus'))), isTriedAgain(count()))
    expect(await readRsvps(site)).toEqual([])
    await context.unroute(CALL)
    const thanks = page.getByRole('heading', { name: 'Thank you, Ana Cole' })
    await until(
      () => page.clock.runFor(50_000),
      (options) => expect(thanks).toBeVisible(options),
    )
    await page.clock.runFor(600_000)
    expect(await readRsvps(site)).toHaveLength(1)
  })

  for (const act of ['Change It', 'Do Not Send'])
    test(`says that it was stored where "${act}" was pressed too late`, async ({ page, context, site }) => {
      await open(page, '/share')
      await keepOffline(page, context)
      let pressed = () => {}
      const pressing = new Promise<void>((resolve) => {
        pressed = resolve
      })
      let isSent = false
      await context.route(CALL, async (route) => {
        const response = await route.fetch()
        isSent = true
        await pressing
        await route.fulfill({ response })
      })
      await context.setOffline(false)
      await expect.poll(() => isSent).toBe(true)
      await page.getByRole('button', { name: act }).click()
      // It waits for its turn.
      await expect.poll(() => page.evaluate(async () => (await navigator.locks.query()).pending?.length)).toBe(1)
      pressed()
      await expect(page.getByRole('heading', { name: 'Thank you, Ana Cole' })).toBeVisible()
      await expect(page.getByRole('link', { name: 'Change or withdraw' })).toBeVisible()
      expect(await readRsvps(site)).toHaveLength(1)
    })
})

test.describe('the worker', () => {
  test.use({ serviceWorkers: 'allow', expectedErrors: /ERR_INTERNET_DISCONNECTED|Failed to fetch|503/ })

  test('is woken up again while the site cannot take what waits', async ({ page, context }) => {
    await open(page, '/share')
    await page.evaluate(() => navigator.serviceWorker.ready)
    await keepOffline(page, context)
    await replyInstead(context, { status: 503, body: '' })
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
  })
})
