import type { Locator, Page } from '@playwright/test'
import { encode } from 'uqr'
import { expect, expectToast, open, test } from './fixtures.ts'
import { send } from './stored.ts'
import { expectUsable, sheetsOf } from './usable.ts'

const copyLink = (page: Page) => page.getByRole('button', { name: 'Copy Link' }).click()

/** Expects a picture of the code of a link, black on white in every color scheme. */
async function expectCode(shown: Locator, link: string): Promise<void> {
  const { data, size } = encode(link, { ecc: 'Q', border: 4 })
  const drawn = await shown.evaluate(async (image: HTMLImageElement, size) => {
    await image.decode()
    const canvas = Object.assign(document.createElement('canvas'), { width: size, height: size })
    const context = canvas.getContext('2d')
    context?.drawImage(image, 0, 0, size, size)
    const pixels = context?.getImageData(0, 0, size, size).data ?? []
    return Array.from({ length: size * size }, (_, place) => Number(pixels[4 * place]) < 128)
  }, size)
  expect(drawn).toEqual(data.flat())
  await expect(shown).toHaveCSS('filter', 'none')
}

test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

test('offers a mail draft, the calendar, the share sheet of a phone, and the link', async ({ page, site }) => {
  await page.addInitScript(() => {
    navigator.share = async (shared) => {
      document.body.dataset.shared = JSON.stringify(shared)
      // As where the sheet is closed, which the page does not mention.
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
  await copyLink(page)
  await expect(block.getByRole('button', { name: 'Link Copied' })).toBeFocused()
  await expect(block.getByRole('status')).toHaveText('Shareable link has been copied to clipboard!')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${site.url}/share`)
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException('no', 'NotAllowedError'))
    document.execCommand = () => false
  })
  await block.getByRole('button', { name: 'Link Copied' }).click()
  await expect(block.getByLabel('Your browser does not let us copy.')).toBeFocused()
  expect(await page.evaluate(() => String(getSelection()))).toBe(`${site.url}/share`)
})

test('draws the QR code of the share page, also in the dark scheme, to be downloaded', async ({ page, site }) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await open(page, '/share')
  const code = page.getByRole('img', { name: `QR code with the link to this page: ${site.url}/share` })
  await expect(code).toBeHidden()
  await page.getByText('Show the QR code').click()
  await expectCode(code, `${site.url}/share`)
  await open(page, '/admin?tab=share')
  await expect(page.getByText('People elsewhere cannot open this link.')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Shareable link' })).toHaveValue(`${site.url}/share`)
  await copyLink(page)
  await expectToast(page, 'Link Copied', 'Shareable link has been copied to clipboard!')
  await expectCode(page.getByRole('img', { name: `QR code with the link ${site.url}/share` }), `${site.url}/share`)
  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download SVG' }).click()
  expect((await downloading).suggestedFilename()).toBe('rsvp-qr-code.svg')
  await page.emulateMedia({ colorScheme: 'light' })
  await expectUsable(page, 'the share tab', '[role=tabpanel]')
})

test('fits the poster on one sheet with its code, whole letters, and texts much too long', async ({ page, site }) => {
  const address = page.getByText(`${new URL(site.url).host}/share`, { exact: true })
  await open(page, '/admin/poster')
  // Letters that are higher than their line are cut off.
  const texts = page.getByRole('article').locator('p, h1')
  const cut = await texts.evaluateAll((lines) =>
    lines.filter((line) => {
      const letters = new Range()
      letters.selectNodeContents(line)
      return letters.getBoundingClientRect().height > line.getBoundingClientRect().height + 1
    }),
  )
  expect(cut).toEqual([])
  await expect(page.getByText('People elsewhere cannot open this link.')).toBeVisible()
  const long = 'Wolfeschlegelsteinhausenbergerdorff and all of its neighbors '.repeat(8)
  const event = { title: long, subtitle: long, description: long, date: long, time: long, location: long }
  await send(site, 'POST', '/api/event', event)
  await send(site, 'PATCH', '/api/church', { name: long.slice(0, 80) })
  await page.reload()
  for (const format of ['A4', 'Letter'] as const)
    expect(sheetsOf(await page.pdf({ format, printBackground: true }))).toBe(1)
  const poster = (await page.getByRole('article').boundingBox()) ?? { y: 0, height: 0 }
  const link = await address.boundingBox()
  expect((link?.y ?? 0) + (link?.height ?? 0)).toBeLessThanOrEqual(poster.y + poster.height)
  await expectCode(page.getByRole('article').getByRole('img', { name: /QR/ }), `${site.url}/share`)
  await expectUsable(page, 'the poster')
})
