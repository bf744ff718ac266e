// Firefox by WebDriver BiDi.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Failure } from '../../scripts/run.mjs'

const BINARY = '/usr/bin/firefox-esr'

/** Scroll bars lie above the page, as on phones. */
const preferences = {
  'intl.accept_languages': 'en-US',
  'widget.gtk.overlay-scrollbars.enabled': true,
  'ui.useOverlayScrollbars': 1,
}

/** @returns {Promise<import('./walk.mjs').Driver>} */
export async function firefox(placeOf) {
  if (!existsSync(BINARY)) throw new Failure('There is no Firefox: install it (Debian: `apt-get install firefox-esr`).')
  const module = join(placeOf('puppeteer-core'), 'lib', 'puppeteer', 'puppeteer-core.js')
  const { default: puppeteer } = await import(pathToFileURL(module).href)
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: BINARY,
    headless: true,
    extraPrefsFirefox: preferences,
  })
  const page = await browser.newPage()
  return {
    version: await browser.version(),
    go: (address) => page.goto(address),
    evaluate: (source) => page.evaluate(source),
    async press(source) {
      await (await elementAt(source)).click()
    },
    async type(source, text) {
      await (await elementAt(source)).type(text)
    },
    async screenshot(path) {
      await page.screenshot({ path })
    },
    resize: (width, height) => page.setViewport({ width, height }),
    close: () => browser.close(),
  }

  async function elementAt(source) {
    const element = (await page.evaluateHandle(source)).asElement()
    if (element === null) throw new Error(`There is no ${source}.`)
    return element
  }
}
