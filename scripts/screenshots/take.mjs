// Takes one screen in all widths and both color schemes.
import { join } from 'node:path'
import { openScreen } from './open.mjs'

/** The first screen is what is seen without scrolling. */
const sizes = [
  { width: 320, height: 640 },
  { width: 390, height: 844, first: true },
  { width: 768, height: 1024 },
  { width: 1280, height: 800, first: true },
]
const schemes = ['light', 'dark']
/** What is further down a long list is like what is above it. */
const HIGHEST = 4000

/** The pictures of a screen, e.g. `share-empty 390 dark first`. */
export function picturesOf({ name }) {
  return schemes.flatMap((scheme) =>
    sizes.flatMap(({ width, first }) => [
      `${name} ${width} ${scheme}`,
      ...(first ? [`${name} ${width} ${scheme} first`] : []),
    ]),
  )
}

/** Returns how high the page is in each width. */
export async function takeScreen(browser, sites, screen, folder) {
  const { page, close } = await openScreen(browser, sites, screen)
  try {
    return await takePictures(page, screen, folder)
  } finally {
    await close()
  }
}

async function takePictures(page, { name }, folder) {
  const heights = {}
  // Where it points at nothing: what was pressed last would have the look of what is pointed at.
  await page.mouse.move(0, 0)
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme })
    for (const { width, height, first } of sizes) {
      await page.setViewportSize({ width, height })
      await page.evaluate(afterDrawing)
      const path = (end) => join(folder, `${name} ${width} ${colorScheme}${end}.png`)
      if (first) await page.screenshot({ path: path(' first') })
      heights[width] = await page.evaluate(() => document.documentElement.scrollHeight)
      const clip = { x: 0, y: 0, width, height: Math.min(Math.max(heights[width], height), HIGHEST) }
      await page.screenshot({ path: path(''), fullPage: true, clip })
    }
  }
  return heights
}

/** Runs in the browser. The second frame has what the first one changed. */
async function afterDrawing() {
  scrollTo(0, 0)
  for (let frame = 0; frame < 2; frame++) await new Promise((resolve) => requestAnimationFrame(resolve))
}
