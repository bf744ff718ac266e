// Opens one screen in its state, for its picture and for the check of its page.
import { send, signIn } from '../../lab/load.ts'
import { NOW, PASSWORD } from './sites.mjs'
import { speaking } from './speaking.mjs'

export const button = (page, name) => page.getByRole('button', { name, exact: true })

/**
 * @typedef {object} Screen
 * @property {string} name the group before the first `-` is what `npm run lab -- pages --only` names
 * @property {string} site a site of sites.mjs; with a second word, one that only this screen uses and changes
 * @property {string} path
 * @property {(page: import('@playwright/test').Page, elsewhere: (call: string, body?: object, headers?: object) =>
 * Promise<import('../../lab/load.ts').Reply>) => Promise<unknown>} [prepare] what is done first; `elsewhere` is what
 * someone else sends meanwhile
 * @property {boolean} [signedIn] as administrator
 */
/** @returns {Screen} */
export const screen = (name, site, path, prepare) => ({ name, site, path, prepare })

export const signedIn = (screen) => ({ ...screen, signedIn: true })

const TIMEOUT_MS = 20_000

/**
 * @param {object} [options]
 * @param {string} [options.language] of the page
 * @param {(page: import('@playwright/test').Page, reply: import('@playwright/test').Response) => Promise<void>}
 * [options.onServed] called before the state is prepared
 */
export async function openScreen(sites, screen, { language = 'en', onServed } = {}) {
  const { url, link } = await sites.start(screen.site)
  const baseURL = sites.address(screen.site)
  const context = await sites.browser.newContext({
    baseURL,
    locale: 'en-US',
    timezoneId: 'America/Chicago',
    reducedMotion: 'reduce',
    colorScheme: 'light',
    viewport: { width: 320, height: 640 },
  })
  context.setDefaultTimeout(TIMEOUT_MS)
  try {
    if (language !== 'en') await context.addCookies([{ name: 'language', value: language, url: baseURL }])
    await context.addInitScript(replaceLinks)
    const page = await context.newPage()
    await page.clock.setFixedTime(NOW)
    if (screen.signedIn) {
      const pairs = (await signIn(url, PASSWORD)).split('; ').map((cookie) => cookie.split('='))
      await context.addCookies(pairs.map(([name, value]) => ({ name, value, url: baseURL })))
    }
    const reply = await page.goto(screen.path === 'link' ? link : screen.path)
    await waitUntilDrawn(page)
    await page.evaluate(keepNotices)
    await onServed?.(page, reply)
    await screen.prepare?.(speaking(page, language), (...call) => send(url, ...call))
    return { page, close: () => context.close() }
  } catch (error) {
    await context.close()
    throw error
  }
}

/** Waits for fonts, pictures and the start of every visible island. */
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

/** Runs in the browser: content out of sight would have the size from when it was last seen. */
function drawAll() {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('* { content-visibility: visible !important }')
  document.adoptedStyleSheets.push(sheet)
}

/** Runs in the browser: disappearing notices would be in some pictures only. */
function keepNotices() {
  const own = window.setTimeout
  Object.assign(window, { setTimeout: (run, ms = 0, ...rest) => own(run, ms >= 3000 ? 3_600_000 : ms, ...rest) })
}

/** Runs in the browser: the secret of a private link would differ in each run. */
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
