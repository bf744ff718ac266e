import type { Locator, Page } from '@playwright/test'
import jsQR from 'jsqr'
import sharp from 'sharp'
import { expect, expectToast, open, send, test } from './fixtures.ts'
import { overflowOf } from './usable.ts'

const copyLink = (page: Page) => page.getByRole('button', { name: 'Copy Link' }).click()
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

test.describe('the share tab', () => {
  test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

  test('copies the link, or else leaves it selected', async ({ page, site }) => {
    const field = page.getByRole('textbox', { name: 'Shareable link' })
    const copied = () => page.evaluate(() => navigator.clipboard.readText())
    await open(page, '/admin?tab=share')
    await expect(page.getByText('This link works on this computer only.')).toBeVisible()
    await expect(field).not.toBeEditable()
    for (const isAllowed of [true, false]) {
      await page.evaluate(() => navigator.clipboard.writeText('Nothing yet'))
      if (!isAllowed)
        await page.evaluate(() => {
          navigator.clipboard.writeText = () => Promise.reject(new DOMException('no', 'NotAllowedError'))
        })
      await copyLink(page)
      await expectToast(page, 'Link Copied', 'Shareable link has been copied to clipboard!')
      await expect.poll(copied).toBe(`${site.url}/share`)
    }
    await page.evaluate(() => {
      document.execCommand = () => false
    })
    await copyLink(page)
    await expectToast(page, 'Link Selected', 'Your browser does not let us copy.')
    const selected = await field.evaluate((input: HTMLInputElement) =>
      input.value.slice(input.selectionStart ?? 0, input.selectionEnd ?? 0),
    )
    expect(selected).toBe(`${site.url}/share`)
    await expect(field).toBeFocused()
  })
})

test.describe('the share block', () => {
  test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

  test('offers a mail draft, the calendar, and the share sheet of a phone', async ({ page, site }) => {
    await page.addInitScript(() => {
      navigator.share = async (shared) => {
        document.body.dataset.shared = JSON.stringify(shared)
        // As where the sheet is closed: nothing is said of it.
        throw new DOMException('closed', 'AbortError')
      }
    })
    await open(page, '/share')
    const block = page.getByRole('region', { name: 'Share with others' })
    await expect(block.getByRole('link', { name: 'Email' })).toHaveAttribute('href', /^mailto:/)
    await block.getByText('Subscribe to the calendar').click()
    const address = `${site.url.replace('http:', 'webcal:')}/calendar.ics`
    await expect(block.getByRole('link', { name: 'iPhone, Outlook and others' })).toHaveAttribute('href', address)
    await expect(block.getByLabel('Address to subscribe to')).toHaveValue(`${site.url}/calendar.ics`)
    await block.getByRole('button', { name: 'Share' }).click()
    expect(JSON.parse((await page.locator('body').getAttribute('data-shared')) ?? '')).toEqual({
      title: 'Sabbath Worship Service',
      text: 'Join us for Sabbath Worship Service!',
      url: `${site.url}/share`,
    })
  })

  test('copies the link, or else shows it selected', async ({ page, site }) => {
    await page.clock.install()
    await open(page, '/share')
    const block = page.getByRole('region', { name: 'Share with others' })
    await expect(block.getByRole('button', { name: 'Share' })).toHaveCount(0)
    await copyLink(page)
    await expect(block.getByRole('button', { name: 'Link Copied' })).toBeFocused()
    await expect(block.getByRole('status')).toHaveText('Shareable link has been copied to clipboard!')
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${site.url}/share`)
    // Pressed once more, it is said once more, and for as long.
    await page.clock.runFor(2000)
    await block.getByRole('status').evaluate((status) => {
      const watch = () => (status.dataset.said = `${status.dataset.said ?? ''}|${status.textContent}`)
      new MutationObserver(watch).observe(status, { childList: true })
    })
    await block.getByRole('button', { name: 'Link Copied' }).click()
    await expect(block.getByRole('status')).toHaveAttribute('data-said', /^\|\|Share/)
    await page.clock.runFor(2000)
    await expect(block.getByRole('status')).toHaveText('Shareable link has been copied to clipboard!')
    await page.clock.runFor(1000)
    await expect(block.getByRole('status')).toBeEmpty()
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new DOMException('no', 'NotAllowedError'))
      document.execCommand = () => false
    })
    await copyLink(page)
    await expect(block.getByLabel('Your browser does not let us copy.')).toBeFocused()
    expect(await page.evaluate(() => String(getSelection()))).toBe(`${site.url}/share`)
  })
})

test.describe('the QR code', () => {
  test('leads to the share page, in both schemes, and can be downloaded', async ({ page, site }) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await open(page, '/share')
      const code = page.getByRole('img', { name: `QR code with the link to this page: ${site.url}/share` })
      await expect(code).toBeHidden()
      await page.getByText('Show the QR code').click()
      await expectScan(code, `${site.url}/share`)
    }
    await open(page, '/admin?tab=share')
    await expectScan(page.getByRole('img', { name: `QR code with the link ${site.url}/share` }), `${site.url}/share`)
    const downloading = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download SVG' }).click()
    expect((await downloading).suggestedFilename()).toBe('rsvp-qr-code.svg')
  })
})

test.describe('the poster', () => {
  test('fits on one sheet and can be scanned, with texts that are much too long', async ({ page, site }) => {
    const address = page.getByText(`${new URL(site.url).host}/share`, { exact: true })
    const long = 'Wolfeschlegelsteinhausenbergerdorff and all of its neighbors '.repeat(8)
    const texts = { title: long, subtitle: long, description: long, date: long, time: long, location: long }
    await send(site, 'POST', '/api/event', texts)
    await send(site, 'PATCH', '/api/church', { name: long.slice(0, 80) })
    await open(page, '/admin/poster')
    for (const format of ['A4', 'Letter'] as const)
      expect(sheetsOf(await page.pdf({ format, printBackground: true }))).toBe(1)
    const poster = (await page.getByRole('article').boundingBox()) ?? { y: 0, height: 0 }
    const link = await address.boundingBox()
    expect((link?.y ?? 0) + (link?.height ?? 0)).toBeLessThanOrEqual(poster.y + poster.height)
    await expectScan(page.getByRole('article'), `${site.url}/share`)
    await page.setViewportSize({ width: 320, height: 640 })
    expect(await overflowOf(page)).toBe(0)
  })
})
