// Writes pictures of the screens to `screenshots/`: on phones, a tablet and a laptop, light and dark, in three languages.
// The beginnings of names select: `npm run screenshots -- share admin-settings`.
import { join } from 'node:path'
import { chromium as playwright } from '@playwright/test'
import { sampleRsvp } from '#db/rsvp/sample.ts'
import { root } from './local-node.mjs'
import { Failure, finish } from './run.mjs'
import { startBuiltServer } from './testing/built-server.mjs'
import { chromium } from './testing/chromium.mjs'

const folder = join(root, 'screenshots')
const devices = {
  small: { width: 320, height: 568 },
  phone: { width: 390, height: 844 },
  landscape: { width: 844, height: 390 },
  tablet: { width: 768, height: 1024 },
  laptop: { width: 1280, height: 800 },
}
/** English, one language with long words, and one that is written from right to left. */
const languages = ['en', 'de', 'ar']

const event = {
  title: 'Sunday Worship at Grace',
  subtitle: 'Come as you are, with the whole family',
  eventTitle: 'Second Sunday of Advent',
  description:
    'We light the second candle, sing the old songs and hear why they were written. The children have their own hour from the sermon on. Afterwards there is soup, bread and coffee in the hall, and nobody has to hurry home.',
  date: 'Every Sunday',
  time: '10:30 AM',
  location: '41 Mill Lane, Springfield',
  contact: 'Ruth Cole, 555-0142, office@grace.example',
  whatToExpect: 'About ninety minutes. Someone at the door shows you where to sit.',
  parking: 'Behind the hall, from Orchard Road.',
  children: 'From three years on, in the room on the left.',
}
const schedule = { weekday: 0, startTime: '10:30', durationMinutes: 90 }

/** By name: an address, and steps before the picture, which hold in every language because they look for no text. */
const screens = {
  main: ['/'],
  'main-edit': ['/', (page) => page.locator('.invitation__edit').click()],
  share: ['/share'],
  'share-yes': ['/share', choose(true)],
  'share-no': ['/share', choose(false)],
  'share-errors': ['/share', (page) => page.locator('.rsvp-form__submit').click()],
  'share-thanks': ['/share', choose(true), respond],
  'share-thanks-first-visit': ['/share', choose(true), (page) => page.locator('[name=firstVisit]').check(), respond],
  'share-thanks-no': ['/share', choose(false), respond],
  'share-again': ['/share', choose(true), respond, (page) => page.reload({ waitUntil: 'networkidle' })],
  answer: ['/share', choose(true), respond, openLink],
  'answer-withdrawn': ['/share', choose(true), respond, openLink, act('withdraw')],
  'answer-weeks': ['/share', choose(true), everyWeek, respond, openLink],
  'answer-ended': ['/share', choose(true), everyWeek, respond, openLink, endEveryWeek],
  'answer-sent': ['/answer?sent'],
  'answer-unknown': ['/answer'],
  'mail-stop': ['/mail/stop'],
  invitation: ['/invitation'],
  guard: ['/guard'],
  privacy: ['/privacy'],
  'not-found': ['/no-such-page'],
  admin: ['/admin'],
  'admin-all': ['/admin?week=all'],
  'admin-selection': ['/admin', (page) => page.locator('tbody input[type=checkbox]').first().check()],
  'admin-settings': ['/admin?tab=settings'],
  'admin-settings-people': ['/admin?tab=settings#names'],
  'admin-settings-server': ['/admin?tab=settings#address'],
  'admin-share': ['/admin?tab=share'],
  poster: ['/admin/poster'],
  sheet: ['/admin/sheet'],
  prayers: ['/admin/prayers'],
}

finish(async () => {
  const words = process.argv.slice(2)
  const names = Object.keys(screens).filter((name) => words.length === 0 || words.some((word) => name.startsWith(word)))
  if (names.length === 0) throw new Failure(`Name some of ${Object.keys(screens).join(', ')}.`)
  await using site = await startBuiltServer()
  await send('POST /api/event', event)
  await send('PATCH /api/schedule', schedule)
  await send('PATCH /api/settings', { prayers: true })
  await send('PATCH /api/church', { name: 'Grace Church' })
  for (let place = 0; place < 12; place++) await send('POST /api/rsvp', sampleRsvp(Math.random, [1, 2, 3]))
  const prayer = { prayer: 'For my mother, who is in hospital since Tuesday.', prayerAudience: 'group' }
  await send('POST /api/rsvp', { ...sampleRsvp(Math.random, [1]), phone: '555-0142', ...prayer })
  const browser = await playwright.launch({ executablePath: await chromium(), args: ['--no-sandbox'] })
  for (const name of names) for (const language of languages) await take(name, language)
  await browser.close()
  console.log(`The pictures are in ${folder}.`)

  async function send(call, body) {
    const [method, path] = call.split(' ')
    const headers = { 'content-type': 'application/json' }
    const reply = await fetch(site.url + path, { method, headers, body: JSON.stringify(body) })
    if (!reply.ok) throw new Failure(`${call}: ${await reply.text()}`)
  }

  async function take(name, language) {
    const [path, ...steps] = screens[name]
    const context = await browser.newContext({ baseURL: site.url, viewport: devices.phone })
    await context.addCookies([{ name: 'language', value: language, url: site.url }])
    const page = await context.newPage()
    await page.goto(path, { waitUntil: 'networkidle' })
    for (const step of steps) await step(page)
    await page.waitForLoadState('networkidle')
    for (const [device, viewport] of Object.entries(devices)) {
      await page.setViewportSize(viewport)
      for (const colorScheme of ['light', 'dark']) {
        await page.emulateMedia({ colorScheme })
        await page.screenshot({
          path: join(folder, `${name} ${language} ${device} ${colorScheme}.png`),
          fullPage: true,
        })
      }
    }
    await context.close()
  }
})

function choose(attending) {
  return (page) => page.locator(`[name=attending][value=${attending}]`).check({ force: true })
}

function everyWeek(page) {
  return page.locator('[name=standing][value=true]').check({ force: true })
}

async function respond(page) {
  await page.locator('[name=name]').fill('Ana Cole')
  await page.locator('[name=email]').fill('ana@cole.example')
  await page.locator('.rsvp-form__submit').click()
  await page.locator('.thanks').waitFor()
}

async function openLink(page) {
  await page.goto(await page.locator('.thanks a[href*="key="]').first().getAttribute('href'))
}

function act(action) {
  return (page) => page.locator(`[name=action][value=${action}]`).first().click()
}

async function endEveryWeek(page) {
  await page.locator('main summary').last().click()
  await act('end')(page)
}
