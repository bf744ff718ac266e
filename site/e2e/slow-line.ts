import type { BrowserContext } from '@playwright/test'

/** In milliseconds; longer than what a test does between two steps. */
const DELAY = 600

/**
 * Delays code, and each call before and after it: a test that looks at something once, before what it did has had its
 * effect, then fails each time and not on a busy machine alone.
 */
export async function slowDown(context: BrowserContext): Promise<void> {
  const wait = () => new Promise<void>((resolve) => setTimeout(resolve, DELAY))
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
