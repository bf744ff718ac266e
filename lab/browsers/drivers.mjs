// Firefox by WebDriver BiDi, and WebKitGTK by WebDriver on a screen of its own (Xvfb): the engine of Safari, in another
// browser. Both are Debian's.
import { spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { Failure } from '../../scripts/run.mjs'
import { freePort } from '../../scripts/testing/free-port.mjs'

const BROWSER = '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser'
const DISPLAY = ':97'
const FIREFOX = '/usr/bin/firefox-esr'

/** Scroll bars lie above the page, as on phones. */
const preferences = {
  'intl.accept_languages': 'en-US',
  'widget.gtk.overlay-scrollbars.enabled': true,
  'ui.useOverlayScrollbars': 1,
}

/** @returns {Promise<import('./walk.mjs').Driver>} */
export async function firefox(placeOf) {
  if (!existsSync(FIREFOX))
    throw new Failure('There is no Firefox: install it (Debian: `apt-get install firefox-esr`).')
  const module = join(placeOf('puppeteer-core'), 'lib', 'puppeteer', 'puppeteer-core.js')
  const { default: puppeteer } = await import(pathToFileURL(module).href)
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: FIREFOX,
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

/** @returns {Promise<import('./walk.mjs').Driver>} */
export async function webkit(placeOf) {
  if (![BROWSER, '/usr/bin/WebKitWebDriver', '/usr/bin/Xvfb'].every((path) => existsSync(path)))
    throw new Failure('There is no WebKitGTK: install it (Debian: `apt-get install webkit2gtk-driver xvfb`).')
  const { Builder, Capabilities } = createRequire(import.meta.url)(placeOf('selenium-webdriver'))
  const port = await freePort()
  const screen = spawn('Xvfb', [DISPLAY, '-screen', '0', '1400x1000x24'], { stdio: 'ignore' })
  const service = spawn('WebKitWebDriver', [`--port=${port}`], { stdio: 'ignore', env: { ...process.env, DISPLAY } })
  const capabilities = new Capabilities({
    browserName: 'MiniBrowser',
    'webkitgtk:browserOptions': { binary: BROWSER, args: ['--automation'] },
  })
  const session = await opened(() =>
    new Builder().usingServer(`http://127.0.0.1:${port}`).withCapabilities(capabilities).build(),
  )
  const features = await session.getCapabilities()
  return {
    version: `${features.get('browserName')} ${features.get('browserVersion')}`,
    go: (address) => session.get(address),
    evaluate: (source) => session.executeScript(`return ${source}`),
    async press(source) {
      await (await elementAt(source)).click()
    },
    async type(source, text) {
      await (await elementAt(source)).sendKeys(text)
    },
    async screenshot(path) {
      writeFileSync(path, Buffer.from(await session.takeScreenshot(), 'base64'))
    },
    /** Its window is never narrower than 447 pixels. */
    async resize(width, height) {
      const [across, down] = await session.executeScript('return [outerWidth - innerWidth, outerHeight - innerHeight]')
      await session
        .manage()
        .window()
        .setRect({ width: width + across, height: height + down })
      await wait(300)
    },
    async close() {
      await session.quit().catch(() => {})
      service.kill()
      screen.kill()
    },
  }

  async function elementAt(source) {
    const element = await session.executeScript(`return ${source}`)
    if (element === null) throw new Error(`There is no ${source}.`)
    return element
  }
}

/** The service and the screen take a moment to start. */
async function opened(open) {
  for (let tries = 20; ; tries--) {
    try {
      return await open()
    } catch (error) {
      if (tries === 0) throw error
      await wait(500)
    }
  }
}
