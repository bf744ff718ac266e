// Takes the pictures in docs/pictures with sample responses: the share page on a phone, the administration on a desktop, and the
// list in a terminal.
// Usage: node scripts/pictures/pictures.mjs
import { join } from 'node:path'
import { chromium as playwrightChromium } from '@playwright/test'
import { root } from '../local-node.mjs'
import { startBuiltServer } from '../testing/built-server.mjs'
import { chromium as chromiumPath } from '../testing/chromium.mjs'
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

const site = await startBuiltServer()
for (const person of people) {
  const email = `${person.name.toLowerCase().replace(' ', '.')}@example.org`
  const body = JSON.stringify({ attending: true, email, ...person })
  await fetch(`${site.url}/api/rsvp`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
}
const browser = await playwrightChromium.launch({ executablePath: await chromiumPath(), args: ['--no-sandbox'] })
await picture('share', '/share', { width: 390, height: 844 })
await picture('admin', '/admin', { width: 1280, height: 844 })
await terminalPicture('list', ['list'])
await browser.close()
await site.stop()

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
