// Takes one screen in all widths and both color schemes.
import { join } from 'node:path'
import { send } from './responses.mjs'
import { NOW } from './sites.mjs'
import { signIn } from './steps.mjs'

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
const TIMEOUT_MS = 20_000

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
  const { url, link } = await sites.start(screen.site)
  const context = await browser.newContext({
    baseURL: sites.address(screen.site),
    locale: 'en-US',
    timezoneId: 'America/Chicago',
    reducedMotion: 'reduce',
    colorScheme: schemes[0],
    viewport: sizes[0],
  })
  context.setDefaultTimeout(TIMEOUT_MS)
  try {
    await context.addInitScript(replaceLinks)
    const page = await context.newPage()
    await page.clock.setFixedTime(NOW)
    if (screen.signedIn) await signIn(page)
    await page.goto(screen.path === 'link' ? link : screen.path)
    await waitUntilDrawn(page)
    await page.evaluate(keepNotices)
    await screen.prepare?.(page, (call, body) => send(url, call, body))
    return await takePictures(page, screen, folder)
  } finally {
    await context.close()
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

/** Waits until fonts and pictures are there, and every island that is visible somewhere has started. */
async function waitUntilDrawn(page) {
  await page.evaluate(() => document.fonts.ready)
  await page.evaluate(drawAll)
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
  await page.waitForFunction(() => document.querySelector('astro-island[ssr]') === null)
  await page.waitForFunction(() =>
    [...document.images].every(({ complete, loading }) => complete || loading === 'lazy'),
  )
  await page.evaluate(() => scrollTo(0, 0))
}

/** Runs in the browser: what is out of sight would only have its size from when it was last seen. */
function drawAll() {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('* { content-visibility: visible !important }')
  document.adoptedStyleSheets.push(sheet)
}

/** Runs in the browser. The second frame has what the first one changed. */
async function afterDrawing() {
  scrollTo(0, 0)
  for (let frame = 0; frame < 2; frame++) await new Promise((resolve) => requestAnimationFrame(resolve))
}

/** Runs in the browser: a notice that disappears would be in some pictures only. */
function keepNotices() {
  const own = window.setTimeout
  Object.assign(window, { setTimeout: (run, ms = 0, ...rest) => own(run, ms >= 3000 ? 3_600_000 : ms, ...rest) })
}

/** Runs in the browser: the secret of a private link would be another one in each run. */
function replaceLinks() {
  const own = window.fetch
  async function fetch(...words) {
    const reply = await own(...words)
    if (!reply.url.endsWith('/api/rsvp')) return reply
    const body = (await reply.text()).replace(/(?<=key=)[\w-]+/g, 'a-secret-that-never-changes')
    return new Response(body, reply)
  }
  Object.assign(window, { fetch })
}
