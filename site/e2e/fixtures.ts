import {
  type BrowserContext,
  test as base,
  type ConsoleMessage,
  expect,
  type Locator,
  type Page,
} from '@playwright/test'
import { openSharedSites, type Site } from '../../scripts/testing/shared-sites.ts'

/** Most tests have no service worker, and Chromium logs the 412 of a page that stores the event after another one. */
const isHarmless = (message: ConsoleMessage) =>
  message.text() === 'Service Worker registration blocked by Playwright' ||
  (message.text().includes('status of 412') && message.location().url.endsWith('/api/event'))

export type { Site }

type Fixtures = {
  /** Additions to the server's environment, e.g. the password in `guarded`. Tests with the same ones share a process. */
  variables: Record<string, string>
  site: Site
  expectedErrors: RegExp | undefined
  /**
   * Whether notices disappear after five seconds, and an empty form appears after three where the code of the thank-you does
   * not load, as for people: a test on a busy machine may be slower.
   */
  noticesExpire: boolean
  failOnErrors: undefined
}

/**
 * Every test gets the built server with an empty database; its process may have served other tests. A console error or
 * warning, an exception or a CSP report on any page fails the test, unless it matches `expectedErrors`.
 */
export const test = base.extend<Fixtures, { sites: ReturnType<typeof openSharedSites> }>({
  sites: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a function asks for from its pattern.
    async ({}, use) => {
      const sites = openSharedSites()
      await use(sites)
      await sites.stop()
    },
    { scope: 'worker' },
  ],
  variables: [{}, { option: true }],
  // One that is shared logs every request, so that all tests can share it.
  site: async ({ sites, variables }, use) => use(await sites.take({ LOG_LEVEL: 'info', ...variables })),
  baseURL: async ({ site }, use) => use(site.url),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a function asks for from its pattern.
  expectedErrors: async ({}, use) => use(undefined),
  noticesExpire: [false, { option: true }],
  failOnErrors: [
    async ({ context, expectedErrors, noticesExpire }, use) => {
      if (process.env.SLOW_LINE) await slowDown(context)
      if (!noticesExpire) await context.addInitScript(lengthenWaits)
      const errors: string[] = []
      context.on('console', (message) => {
        if (/error|warning/.test(message.type()) && !isHarmless(message)) errors.push(message.text())
      })
      context.on('weberror', (error) => errors.push(error.error().message))
      await context.addInitScript(() =>
        addEventListener('securitypolicyviolation', (event) => {
          throw new Error(`CSP: ${event.violatedDirective}`)
        }),
      )
      await use(undefined)
      expect(errors.filter((error) => !expectedErrors?.test(error))).toEqual([])
    },
    { auto: true },
  ],
})
export { expect }

/** Shows notices for an hour, and waits as long for the thank-you, unless a test installs its own clock. */
function lengthenWaits(): void {
  const own = window.setTimeout
  function setTimeout(run: () => void, ms = 0, ...rest: unknown[]) {
    const closes = ms !== 0 && ms !== 1000 && /\/assets\/Toast\./.test(new Error().stack?.split('\n')[2] ?? '')
    return own(run, closes || ms === 3000 ? 3_600_000 : ms, ...rest)
  }
  Object.assign(window, { setTimeout })
}

/**
 * Delays code, and each call before and after it, by more than what a test does between two steps: one that looks at
 * something once, before what it did has had its effect, then fails each time and not on a busy machine alone.
 */
async function slowDown(context: BrowserContext): Promise<void> {
  const wait = () => new Promise<void>((resolve) => setTimeout(resolve, 600))
  await context.route('**/assets/*', async (route) => {
    await wait()
    await route.fallback()
  })
  // Node waits, because a test may have stopped the clock of the page.
  await context.exposeBinding('waitInNode', wait)
  await context.addInitScript(() => {
    const { fetch: own } = window
    const waitInNode: () => Promise<void> = Reflect.get(window, 'waitInNode')
    window.fetch = async (...call) => {
      await waitInNode()
      const reply = await own(...call)
      await waitInNode()
      return reply
    }
  })
}

/** Opens a page and waits until it is hydrated: earlier clicks are the subject of other tests. */
export async function open(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await waitForHydration(page)
}

export async function waitForHydration(page: Page): Promise<void> {
  const notHydrated = 'astro-island[client="load"][ssr], form[action^="/api/rsvp"]:not([novalidate])'
  await expect(page.locator(notHydrated)).toHaveCount(0)
  await page.waitForFunction(areIslandsHydrated)
}

/** Astro calls an island hydrated once React has begun with it. What is chosen before React has ended is lost. */
function areIslandsHydrated(): boolean {
  return Array.from(document.querySelectorAll('astro-island[client="load"]')).every((island) => {
    const key = Object.keys(island).find((name) => name.startsWith('__reactContainer$')) ?? ''
    return Reflect.get(island, key)?.stateNode.current.memoizedState.isDehydrated === false
  })
}

/** Holds back what the page asks of an address, by one method or by any, until the function that it returns is called. */
export async function hold(page: Page, address: string, method?: string): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route(address, async (route) => {
    if (method === undefined || route.request().method() === method) await released
    await route.continue()
  })
  return release
}

/** The visible notice, without the copy of its text that is announced to screen readers. */
export function toast(page: Page): Locator {
  return page.getByRole('region', { name: /^Notifications/ }).getByRole('listitem')
}

export async function expectToast(page: Page, title: string, description: string): Promise<void> {
  await expect(toast(page)).toHaveCount(1)
  await expect(toast(page)).toContainText(title + description)
}

/** A part of the administration, e.g. `Settings`. */
export const tab = (page: Page, name?: string) => page.getByRole('tab', name ? { name } : {})

/** The responses that the administration lists. */
export const rows = (page: Page) => page.locator('[data-rsvp]')

/** How many people the administration expects. */
export const people = (page: Page) => page.locator('.week-figures__people')

/** Presses a button by the keyboard. */
export const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).press('Enter')

/** Deletes the responses that are ticked. */
export async function deleteSelected(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Delete Selected' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
}
