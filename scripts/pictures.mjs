// Takes the pictures in docs/pictures: the share page on a phone, the administration on a desktop, the list in a terminal,
// and what the clerk sees in a week. `npx node scripts/pictures.mjs`, or with the beginning of a name only those.
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { spawn } from '@lydell/node-pty'
import xterm from '@xterm/headless'
import sharp from 'sharp'
import { addDays } from '#db/values/dates.ts'
import { send, signIn } from '../lab/load.ts'
import { localEnvironment, root } from './local-node.mjs'
import { button, openScreen } from './screenshots/open.mjs'
import { openSites, PASSWORD } from './screenshots/sites.mjs'

/** Around an element, so that its own edge can be seen. */
const MARGIN = 12
const PAPER = { top: 32, left: 32, right: 32, background: 'white' }
const OWNER = { name: 'Samuel Okafor', email: 'samuel.okafor@example.org' }
/** Long enough for the screen of a terminal to be complete. */
const DRAWING_MS = 1500
const TERMINAL = { cols: 110, rows: 16 }
const terminalColors = { 1: '#e06c75', 2: '#7fc77f', 6: '#6fb7c7' }

/** The turnouts of previous services, latest first. */
const TURNOUTS = [11, 8, 4, 7, 10, 11, 14, 5, 15, 9, 4, 6]

/** Screens, each in its size; without `shown` the whole screen. */
const pictures = [
  { name: 'share', site: 'documents', path: '/share', width: 390, height: 844 },
  { name: 'admin', site: 'documents', path: '/admin', width: 1280, height: 844 },
  {
    name: 'clerk-sign-in',
    site: 'guarded',
    path: '/admin',
    ...{ width: 420, height: 640, shown: '.sign-in__form' },
    prepare: fillSignIn,
  },
  {
    name: 'clerk-administrators',
    site: 'guarded',
    path: '/admin?tab=settings#administrators',
    ...{ width: 480, height: 900, shown: '.panel:has(#administrators)' },
    async prepare(page) {
      await fillSignIn(page)
      await button(page, 'Sign In').click()
      await page.getByRole('link', { name: /^Administrators/ }).click()
      await page.locator('.listed').last().waitFor()
    },
  },
  { name: 'clerk-week', site: 'documents', path: '/admin', width: 900, height: 900, shown: '.week' },
  {
    name: 'clerk-response',
    site: 'documents',
    path: '/admin',
    ...{ width: 620, height: 1080, shown: '[role=dialog], dialog[open]' },
    async prepare(page) {
      await button(page, 'Add a response').click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Martha Lind')
      await dialog.getByPlaceholder('Name').first().fill('Otto Lind')
      await dialog.getByRole('textbox', { name: 'Phone' }).fill('555-0163')
    },
  },
  {
    name: 'clerk-deleted',
    site: 'documents deleted',
    path: '/admin',
    ...{ width: 620, height: 1080, shown: '.deleted' },
    async prepare(page) {
      await page.setViewportSize({ width: 620, height: 1080 })
      await page
        .getByRole('button', { name: /^Delete the RSVP of/ })
        .first()
        .click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete', exact: true }).click()
      await page.getByText('Recently deleted').click()
      await page
        .getByRole('button', { name: /^Restore the RSVP of/ })
        .first()
        .waitFor()
    },
  },
  { name: 'clerk-sheet', site: 'documents', path: '/admin/sheet?messages=no', width: 680, height: 760, isPaper: true },
  {
    name: 'clerk-skip',
    site: 'documents skip',
    path: '/admin?tab=settings#schedule',
    // So high that the notice is not in front of it.
    ...{ width: 480, height: 6000, shown: '.skipped' },
    async prepare(page) {
      await button(page, 'Next month').click()
      await page.locator('.service-calendar__day').first().click()
      await page.locator('.skipped .item').first().waitFor()
    },
  },
]

const [begin = ''] = process.argv.slice(2)
const sites = await openSites(pictures)
const { url, environment } = await sites.start('documents')
for (const [week, turnout] of TURNOUTS.entries())
  await send(url, `PATCH /api/services/${addDays('2026-11-14', -7 * week)}`, { turnout })
await addPeople(await sites.start('guarded'))
for (const picture of pictures) if (picture.name.startsWith(begin)) await take(picture)
if ('list'.startsWith(begin)) await takeTerminal(['list', '--week', 'this'])
await sites.close()

/** Gives the owner a name, and invites two others. */
async function addPeople({ url }) {
  const cookie = await signIn(url, PASSWORD)
  const call = (name, body) => send(url, name, body, { cookie })
  await call('PATCH /api/account', OWNER)
  await call('POST /api/administrators', { name: 'Martha Lind', email: 'martha.lind@example.org', role: 'clerk' })
  await call('POST /api/administrators', { name: 'Noemi Johansson', email: 'noemi@example.org', role: 'reader' })
}

async function fillSignIn(page) {
  await page.getByLabel('Email').fill(OWNER.email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
}

async function take(picture) {
  const { page, close } = await openScreen(sites, picture)
  await page.setViewportSize({ width: picture.width, height: picture.height })
  if (picture.isPaper) await page.emulateMedia({ media: 'print' })
  const taken = await page.screenshot(picture.shown && { clip: await placeOf(page, picture.shown), fullPage: true })
  const image = picture.isPaper ? await sharp(taken).extend(PAPER).toBuffer() : taken
  // With a palette, which makes them smaller: the pages have few colors.
  await sharp(image).png({ palette: true, effort: 10 }).toFile(fileOf(picture.name))
  await close()
}

async function placeOf(page, shown) {
  await page.locator(shown).first().scrollIntoViewIfNeeded()
  const box = await page
    .locator(shown)
    .first()
    .evaluate((element) => {
      const { x, y, width, height } = element.getBoundingClientRect()
      return { x: x + scrollX, y: y + scrollY, width, height }
    })
  const [x, y] = [Math.max(0, box.x - MARGIN), Math.max(0, box.y - MARGIN)]
  return { x, y, width: box.width + 2 * MARGIN, height: box.height + 2 * MARGIN }
}

/** Runs the built command in a real terminal and draws its screen as a page. */
async function takeTerminal(words) {
  const terminal = new xterm.Terminal({ ...TERMINAL, allowProposedApi: true })
  const env = { ...localEnvironment(environment), TERM: 'xterm-256color' }
  const command = spawn(join(root, 'cli', 'rsvp'), words, { name: env.TERM, ...TERMINAL, cwd: root, env })
  command.onData((text) => terminal.write(text))
  await wait(DRAWING_MS)
  command.kill()
  const lines = Array.from({ length: TERMINAL.rows }, (_, row) => {
    const line = terminal.buffer.active.getLine(row)
    const cells = Array.from({ length: TERMINAL.cols }, (_, column) => spanOf(line.getCell(column)))
    return cells.join('').trimEnd()
  })
  const page = await sites.browser.newPage({ viewport: { width: 1000, height: 420 }, deviceScaleFactor: 2 })
  await page.setContent(`<style>pre { margin: 0; padding: 20px; width: max-content; border-radius: 8px;
    font: 14px/1.45 'DejaVu Sans Mono', monospace; color: #e6e1d8; background: #23211f }</style>
    <body style="background: transparent"><pre>${lines.join('\n')}</pre>`)
  await page.locator('pre').screenshot({ path: fileOf('list') })
}

function spanOf(cell) {
  const text = (cell.getChars() || (cell.getWidth() === 0 ? '' : ' ')).replace('&', '&amp;').replace('<', '&lt;')
  const color = cell.isFgPalette() ? terminalColors[cell.getFgColor()] : undefined
  const style = [color && `color:${color}`, cell.isBold() && 'font-weight:bold', cell.isDim() && 'opacity:.65']
  const said = style.filter(Boolean).join(';')
  return said === '' ? text : `<span style="${said}">${text}</span>`
}

function fileOf(name) {
  return join(root, 'docs', 'pictures', `${name}.png`)
}
