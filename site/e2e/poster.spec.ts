import type { Locator, Page } from '@playwright/test'
import jsQR from 'jsqr'
import sharp from 'sharp'
import { expect, open, test } from './fixtures.ts'
import { expectNoFindings, overflowOf } from './usable.ts'

const sheetsOf = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length

/** A camera reads this on the screen. Again until it does: a busy machine cannot always take a picture. */
async function expectScan(seen: Locator, link: string): Promise<void> {
  await expect(async () => {
    const { data, info } = await sharp(await seen.screenshot())
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    expect(jsQR(new Uint8ClampedArray(data), info.width, info.height)?.data).toBe(link)
  }).toPass()
}

async function print(page: Page, format: 'A4' | 'Letter'): Promise<Buffer> {
  return page.pdf({ format, printBackground: true })
}

test.describe('the QR code', () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`on the share page leads to it, in the ${colorScheme} scheme`, async ({ page, site }) => {
      await page.emulateMedia({ colorScheme })
      await open(page, '/share')
      const code = page.getByRole('img', { name: `QR code with the link to this page: ${site.url}/share` })
      await expect(code).toBeHidden()
      await page.getByText('Show the QR code').click()
      await expect(code).toBeVisible()
      await expectScan(code, `${site.url}/share`)
    })
  }

  test('in the administration can be downloaded, and leads to the poster', async ({ page, site }) => {
    await open(page, '/admin?tab=share')
    const code = page.getByRole('img', { name: `QR code with the link ${site.url}/share` })
    await expectScan(code, `${site.url}/share`)
    const downloading = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download SVG' }).click()
    expect((await downloading).suggestedFilename()).toBe('rsvp-qr-code.svg')
    await page.getByRole('link', { name: 'Print the poster' }).click()
    await expect(page).toHaveURL(`${site.url}/admin/poster`)
  })
})

test.describe('the poster', () => {
  test('fits on one sheet of both sizes, and can be scanned', async ({ page, site }) => {
    await open(page, '/admin/poster')
    await expect(page.getByText('Every Sabbath, 10:00 AM')).toBeVisible()
    await expect(page.getByText(`${new URL(site.url).host}/share`, { exact: true })).toBeVisible()
    await page.emulateMedia({ media: 'print' })
    await expect(page.getByRole('button')).toBeHidden()
    await expectScan(page.getByRole('article'), `${site.url}/share`)
    for (const format of ['A4', 'Letter'] as const) expect(sheetsOf(await print(page, format))).toBe(1)
  })

  test('has its code and its address with texts that are much too long as well', async ({ page, site }) => {
    const long = 'Wolfeschlegelsteinhausenbergerdorff and all of its neighbors '.repeat(8)
    const data = { title: long, subtitle: long, description: long, date: long, time: long, location: long }
    expect((await page.request.post(`${site.url}/api/event`, { data })).ok()).toBe(true)
    await page.request.patch(`${site.url}/api/church`, { data: { name: long.slice(0, 80) } })
    await open(page, '/admin/poster')
    for (const format of ['A4', 'Letter'] as const) expect(sheetsOf(await print(page, format))).toBe(1)
    const poster = (await page.getByRole('article').boundingBox()) ?? { y: 0, height: 0 }
    const link = await page.getByText(`${new URL(site.url).host}/share`, { exact: true }).boundingBox()
    expect((link?.y ?? 0) + (link?.height ?? 0)).toBeLessThanOrEqual(poster.y + poster.height)
    await expectScan(page.getByRole('article'), `${site.url}/share`)
  })

  test('is usable on a phone', async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 640 })
    await open(page, '/admin/poster')
    expect(await overflowOf(page)).toBe(0)
    await expectNoFindings(page, 'the poster')
  })
})
