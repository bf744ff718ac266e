// Takes the pictures in docs/pictures with sample responses of some weeks: the share page on a phone, the administration on a
// desktop, the list in a terminal, and what the clerk does in a week.
// Usage: npx node scripts/pictures/pictures.mjs [clerk], with which only the clerk's are taken
import { join } from 'node:path'
import { chromium as playwrightChromium } from '@playwright/test'
import { addDays } from '#db/values/dates.ts'
import { root } from '../local-node.mjs'
import { startBuiltServer } from '../testing/built-server.mjs'
import { chromium as chromiumPath } from '../testing/chromium.mjs'
import { takeClerkPictures } from './clerk.mjs'
import { terminalPage } from './terminal-page.mjs'

const people = [
  { name: 'Ruth Haddad', message: 'We bring bread for the meal.', volunteerRoles: [6] },
  { name: 'Samuel Okafor', familyMembers: [{ name: 'Joy Okafor', age: 'adult' }] },
  { name: 'Lydia Meyer', attending: false, message: 'Please pray for my mother this week.' },
  {
    name: 'Marco Santos',
    phone: '555-0142',
    familyMembers: [{ name: 'Tiago Santos', age: 'child' }],
    volunteerRoles: [3],
  },
  { name: 'Esther Kim', phone: '555-0117', volunteerRoles: [1, 4] },
  { name: 'Noemi Johansson', familyMembers: [{ name: 'Elsa Johansson', age: 'teen' }] },
]

/** How many of them came to the services before, the latest first. */
const EARLIER = [5, 6, 4, 5, 3, 6, 5, 4, 4, 5, 2, 3]

const site = await startBuiltServer()
const { services } = await send('PATCH /api/schedule', { timeZone: 'America/Chicago' })
await send('PATCH /api/volunteer-roles/1', { needed: 2 })
await send('PATCH /api/volunteer-roles/3', { needed: 1 })
for (const [weeks, count] of EARLIER.entries()) {
  const serviceDate = addDays(services[0].date, -7 * (weeks + 1))
  for (const person of people.slice(0, count))
    await send('POST /api/rsvps', { ...person, attending: true, serviceDate })
  await send(`PATCH /api/services/${serviceDate}`, { turnout: count + 2 + (weeks % 3) })
}
for (const person of people) {
  const email = `${person.name.toLowerCase().replace(' ', '.')}@example.org`
  await send('POST /api/rsvp', { attending: true, email, ...person })
}
const browser = await playwrightChromium.launch({ executablePath: await chromiumPath(), args: ['--no-sandbox'] })
if (process.argv[2] !== 'clerk') {
  await picture('share', '/share', { width: 390, height: 844 })
  await picture('admin', '/admin', { width: 1280, height: 844 })
  await terminalPicture('list', ['list', '--week', 'this'])
}
await takeClerkPictures(browser, site, fileOf)
await browser.close()
await site.stop()

async function send(call, body) {
  const [method, path] = call.split(' ')
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(site.url + path, { method, headers, body: JSON.stringify(body) })
  if (!reply.ok) throw new Error(`${call}: ${await reply.text()}`)
  return reply.json()
}

async function picture(name, path, viewport) {
  const page = await browser.newPage({ viewport, colorScheme: 'light' })
  await page.goto(site.url + path)
  await page.evaluate(() => document.fonts.ready)
  await page.screenshot({ path: fileOf(name) })
}

async function terminalPicture(name, words) {
  const page = await browser.newPage({ viewport: { width: 1000, height: 420 }, deviceScaleFactor: 2 })
  const database = `file:${join(site.folder, 'rsvp.db')}`
  await page.setContent(await terminalPage(words, { columns: 110, rows: 16, database }))
  await page.locator('pre').screenshot({ path: fileOf(name) })
}

function fileOf(name) {
  return join(root, 'docs', 'pictures', `${name}.png`)
}
