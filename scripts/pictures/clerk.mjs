// Takes the pictures of docs/clerk.md, on a site with a password: what the clerk sees in a week.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import sharp from 'sharp'
import { root } from '../local-node.mjs'
import { button } from '../screenshots/steps.mjs'

const PASSWORD = 'a password for pictures'
/** The upper part of a sheet of paper, with its margin. */
const SHEET = { width: 680, height: 760 }
const PAPER_MARGIN = { top: 32, left: 32, right: 32, background: 'white' }
const MARGIN = 12

/** Each leaves the page as the next one needs it. */
const pictures = {
  async 'clerk-sign-in'(page) {
    await page.setViewportSize({ width: 420, height: 520 })
    await page.goto('/admin')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    return page.locator('.sign-in__form')
  },
  async 'clerk-week'(page) {
    await button(page, 'Sign In').click()
    await page.setViewportSize({ width: 900, height: 900 })
    await page.goto('/admin')
    return page.locator('.week')
  },
  async 'clerk-response'(page) {
    await page.setViewportSize({ width: 620, height: 1080 })
    await button(page, 'Add a response').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Martha Lind')
    await dialog.getByPlaceholder('Name').first().fill('Otto Lind')
    await dialog.getByRole('textbox', { name: 'Phone' }).fill('555-0163')
    return dialog
  },
  async 'clerk-deleted'(page) {
    await page.goto('/admin')
    await page.getByRole('button', { name: 'Delete the RSVP of Samuel Okafor' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('The response has been deleted.').first().waitFor()
    await page.getByText('Recently deleted').click()
    await page.getByText('Samuel Okafor').first().waitFor()
    return page.locator('.deleted')
  },
  async 'clerk-sheet'(page) {
    await page.getByRole('button', { name: 'Restore the RSVP of Samuel Okafor' }).click()
    await page.getByText('RSVPs Restored').first().waitFor()
    await page.setViewportSize(SHEET)
    await page.goto('/admin/sheet?messages=no')
    await page.emulateMedia({ media: 'print' })
    return undefined
  },
  async 'clerk-skip'(page) {
    await page.emulateMedia({ media: 'screen' })
    // So high that the notice is not in front of it.
    await page.setViewportSize({ width: 480, height: 6000 })
    await page.goto('/admin?tab=settings')
    await button(page, 'Next month').click()
    await page.locator('.service-calendar__day').first().click()
    await page.locator('.skipped__list').first().waitFor()
    return page.locator('.skipped')
  },
}

/** @param {(name: string) => string} fileOf */
export async function takeClerkPictures(browser, { url, folder }, fileOf) {
  const env = { ...process.env, DATABASE_URL: `file:${join(folder, 'rsvp.db')}` }
  execFileSync(join(root, 'cli', 'rsvp'), ['password'], { input: PASSWORD, env })
  const page = await browser.newPage({ baseURL: url, colorScheme: 'light', reducedMotion: 'reduce', locale: 'en-US' })
  for (const [name, open] of Object.entries(pictures)) {
    const shown = await open(page)
    await page.evaluate(() => document.fonts.ready)
    const image = shown
      ? await pictureOf(page, shown)
      : await sharp(await page.screenshot())
          .extend(PAPER_MARGIN)
          .toBuffer()
    // In few colors: the pages have few, and a phone loads all of them.
    await sharp(image).png({ palette: true, colors: 64, effort: 10 }).toFile(fileOf(name))
  }
}

/** With a little of what is around it, so that its own edge can be seen. */
async function pictureOf(page, shown) {
  await shown.scrollIntoViewIfNeeded()
  const box = await shown.evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect()
    return { x: x + scrollX, y: y + scrollY, width, height }
  })
  const clip = {
    x: Math.max(0, box.x - MARGIN),
    y: Math.max(0, box.y - MARGIN),
    width: box.width + 2 * MARGIN,
    height: box.height + 2 * MARGIN,
  }
  return page.screenshot({ clip, fullPage: true })
}
