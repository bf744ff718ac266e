// Takes the pictures in docs/pictures: the share page on a phone, the administration on a desktop,
// and what the clerk sees in a week. `npx node scripts/pictures.mjs`, or with the beginning of a name only those.
import { join } from 'node:path'
import sharp from 'sharp'
import { addDays } from '#db/values/dates.ts'
import { send, signIn } from '../lab/load.ts'
import { root } from './local-node.mjs'
import { button, openScreen, screen } from './screenshots/open.mjs'
import { openSites, PASSWORD } from './screenshots/sites.mjs'

/** Around an element, so that its own edge can be seen. */
const MARGIN = 12
const PAPER = { top: 32, left: 32, right: 32, background: 'white' }
const OWNER = {
  name: 'Samuel Okafor',
  email: 'samuel.okafor@example.org',
} /** The turnouts of previous services, latest first. */
const TURNOUTS = [11, 8, 4, 7, 10, 11, 14, 5, 15, 9, 4, 6]

/** Screens, each in its size; without `shown` the whole screen. */
const pictures = [
  { ...screen('share', 'documents', '/share'), width: 390, height: 844 },
  { ...screen('admin', 'documents', '/admin'), width: 1280, height: 844 },
  { ...screen('clerk-sign-in', 'guarded', '/admin', fillSignIn), width: 420, height: 640, shown: '.sign-in__form' },
  {
    ...screen('clerk-administrators', 'guarded', '/admin?tab=settings#administrators', async (page) => {
      await fillSignIn(page)
      await button(page, 'Sign In').click()
      await page.locator('.panel:has(#administrators) .listed').last().waitFor()
    }),
    ...{ width: 480, height: 900, shown: '.panel:has(#administrators)' },
  },
  { ...screen('clerk-week', 'documents', '/admin'), width: 900, height: 900, shown: '.week' },
  {
    ...screen('clerk-response', 'documents', '/admin', async (page) => {
      await button(page, 'Add a response').click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Martha Lind')
      await dialog.getByPlaceholder('Name').first().fill('Otto Lind')
      await dialog.getByRole('textbox', { name: 'Phone' }).fill('555-0163')
    }),
    ...{ width: 620, height: 1080, shown: '[role=dialog], dialog[open]' },
  },
  {
    ...screen('clerk-deleted', 'documents deleted', '/admin', async (page) => {
      await page.setViewportSize({ width: 620, height: 1080 })
      await page.locator('button[aria-label^="Delete the RSVP of"]').first().click()
      await button(page.getByRole('alertdialog'), 'Delete').click()
      await page.getByText('Recently deleted').click()
      await page.locator('button[aria-label^="Restore the RSVP of"]').first().waitFor()
    }),
    ...{ width: 620, height: 1080, shown: '.deleted' },
  },
  { ...screen('clerk-sheet', 'documents', '/admin/sheet?messages=no'), width: 680, height: 760, isPaper: true },
  {
    ...screen('clerk-skip', 'documents skip', '/admin?tab=settings#schedule', async (page) => {
      await button(page, 'Next month').click()
      await page.locator('.service-calendar__day').first().click()
      await page.locator('.skipped .item').first().waitFor()
    }),
    // So high that the notice is not in front of it.
    ...{ width: 480, height: 6000, shown: '.skipped' },
  },
]

const [begin = ''] = process.argv.slice(2)
const sites = await openSites(pictures)
const { url } = await sites.start('documents')
for (const [week, turnout] of TURNOUTS.entries())
  await send(url, `PATCH /api/services/${addDays('2026-11-14', -7 * week)}`, { turnout })
await addPeople(await sites.start('guarded'))
for (const picture of pictures) if (picture.name.startsWith(begin)) await take(picture)
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
  const element = page.locator(shown).first()
  await element.scrollIntoViewIfNeeded()
  const box = await element.evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect()
    return { x: x + scrollX, y: y + scrollY, width, height }
  })
  const [x, y] = [Math.max(0, box.x - MARGIN), Math.max(0, box.y - MARGIN)]
  return { x, y, width: box.width + 2 * MARGIN, height: box.height + 2 * MARGIN }
}

function fileOf(name) {
  return join(root, 'docs', 'pictures', `${name}.png`)
}
