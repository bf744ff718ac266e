import { test as base, expect } from '@playwright/test'
import { openScreen } from './open.mjs'
import { screens } from './screens.mjs'
import { openSites } from './sites.mjs'

/** The first screen is what is seen without scrolling. */
const sizes = [
  { width: 320, height: 640 },
  { width: 390, height: 844, first: true },
  { width: 768, height: 1024 },
  { width: 1280, height: 800, first: true },
]
/** English, one language with long words, and one that is written from right to left. */
const languages = ['en', 'de', 'ar']
/** In pixels: further down, long lists only repeat. */
const HIGHEST = 4000

type Sites = Awaited<ReturnType<typeof openSites>>
const test = base.extend<object, { sites: Sites }>({
  sites: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants to see which fixtures are used.
    async ({}, use) => {
      const sites = await openSites(screens)
      await use(sites)
      await sites.close()
    },
    { scope: 'worker', timeout: 180_000 },
  ],
})

for (const { screen, language } of screens.flatMap((screen) => languages.map((language) => ({ screen, language })))) {
  const title = `${screen.name} ${language}`
  test(title, async ({ sites }) => {
    const { page, close } = await openScreen(sites, screen, { language })
    // Away from all controls: the one pressed last would be drawn as hovered.
    await page.mouse.move(0, 0)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      for (const { width, height, first } of sizes) {
        const name = `${title} ${width} ${colorScheme}`
        await page.setViewportSize({ width, height })
        await page.evaluate(scrollToTop)
        if (first) await expect.soft(page).toHaveScreenshot(`${name} first.png`)
        const whole = await page.evaluate(() => document.documentElement.scrollHeight)
        const clip = { x: 0, y: 0, width, height: Math.min(Math.max(whole, height), HIGHEST) }
        await expect.soft(page).toHaveScreenshot(`${name}.png`, { fullPage: true, clip })
      }
    }
    await close()
  })
}

/** Runs in the browser: two frames later, what follows the scrolling, e.g. the bar of choices, is drawn too. */
async function scrollToTop() {
  scrollTo(0, 0)
  for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
}
