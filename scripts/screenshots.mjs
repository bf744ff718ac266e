// Writes pictures of the screens to `screenshots/`, on a phone and a laptop, light and dark, in three languages.
// The beginnings of names select: `npm run screenshots -- share admin-settings`.
import { join } from 'node:path'
import { chromium as playwright } from '@playwright/test'
import { sampleRsvp } from '#db/rsvp/sample.ts'
import { root } from './local-node.mjs'
import { Failure, finish } from './run.mjs'
import { startBuiltServer } from './testing/built-server.mjs'
import { chromium } from './testing/chromium.mjs'

const JSON_TYPE = { 'content-type': 'application/json' }
const folder = join(root, 'screenshots')
const devices = { phone: { width: 390, height: 844 }, laptop: { width: 1280, height: 800 } }
/** English, one language with long words, and one that is written from right to left. */
const languages = ['en', 'de', 'ar']

/** By name: an address, and steps before the picture, which hold in every language because they look for no text. */
const screens = {
  main: ['/'],
  'main-edit': ['/', (page) => page.locator('.invitation__edit').click()],
  share: ['/share'],
  'share-errors': ['/share', (page) => page.locator('.rsvp-form__submit').click()],
  privacy: ['/privacy'],
  guard: ['/guard'],
  'not-found': ['/no-such-page'],
  admin: ['/admin?week=all'],
  'admin-deletion': ['/admin?week=all', (page) => page.locator('tbody input[type=checkbox]').first().check()],
  'admin-settings': ['/admin?tab=settings'],
  'admin-share': ['/admin?tab=share'],
  poster: ['/admin/poster'],
  sheet: ['/admin/sheet'],
  prayers: ['/admin/prayers'],
  'share-thanks': ['/share', respond],
  'private-link': ['/share', respond, (page) => page.locator('.thanks a[href*="key="]').first().click()],
}

finish(async () => {
  const words = process.argv.slice(2)
  const names = Object.keys(screens).filter((name) => words.length === 0 || words.some((word) => name.startsWith(word)))
  if (names.length === 0) throw new Failure(`Name some of ${Object.keys(screens).join(', ')}.`)
  await using site = await startBuiltServer()
  for (let place = 0; place < 12; place++) {
    const body = JSON.stringify(sampleRsvp(Math.random, [1, 2, 3]))
    const reply = await fetch(`${site.url}/api/rsvp`, { method: 'POST', headers: JSON_TYPE, body })
    if (!reply.ok) throw new Failure(await reply.text())
  }
  const browser = await playwright.launch({ executablePath: await chromium(), args: ['--no-sandbox'] })
  for (const name of names)
    for (const language of languages) for (const device of Object.keys(devices)) await take(name, language, device)
  await browser.close()
  console.log(`The pictures are in ${folder}.`)

  async function take(name, language, device) {
    const [path, ...steps] = screens[name]
    const context = await browser.newContext({ baseURL: site.url, viewport: devices[device] })
    await context.addCookies([{ name: 'language', value: language, url: site.url }])
    const page = await context.newPage()
    await page.goto(path, { waitUntil: 'networkidle' })
    for (const step of steps) await step(page)
    await page.waitForLoadState('networkidle')
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: join(folder, `${name} ${language} ${device} ${colorScheme}.png`), fullPage: true })
    }
    await context.close()
  }
})

async function respond(page) {
  await page.locator('[name=attending][value=true]').check({ force: true })
  await page.locator('[name=name]').fill('Ana Cole')
  await page.locator('[name=email]').fill('ana@cole.example')
  await page.locator('.rsvp-form__submit').click()
  await page.locator('.thanks').waitFor()
}
