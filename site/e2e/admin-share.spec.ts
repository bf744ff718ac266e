import type { Page } from '@playwright/test'
import { expect, expectToast, open, test } from './fixtures.ts'

const field = (page: Page) => page.getByRole('textbox', { name: 'Shareable link' })
const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText())
const refuseClipboard = () => {
  navigator.clipboard.writeText = () => Promise.reject(new DOMException('no', 'NotAllowedError'))
}

test.describe('the share tab', () => {
  test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

  test('copies the link, which cannot be edited', async ({ page, site }) => {
    await open(page, '/admin?tab=share')
    await expect(page.getByRole('heading', { name: 'Share RSVP Form' })).toBeVisible()
    await expect(page.getByText(/read-only view that hides administrative features/)).toBeVisible()
    await expect(field(page)).toHaveValue(`${site.url}/share`)
    await expect(field(page)).not.toBeEditable()
    await page.getByRole('button', { name: 'Copy Link' }).click()
    await expectToast(page, 'Link Copied', 'Shareable link has been copied to clipboard!')
    expect(await copied(page)).toBe(`${site.url}/share`)
  })

  test('says that a link to this computer does not work elsewhere', async ({ page }) => {
    await open(page, '/admin?tab=share')
    await expect(page.getByText('This link works on this computer only.')).toBeVisible()
  })

  test('copies the link with execCommand where the clipboard is not allowed', async ({ page, site }) => {
    await page.addInitScript(refuseClipboard)
    await open(page, '/admin?tab=share')
    await page.getByRole('button', { name: 'Copy Link' }).click()
    await expectToast(page, 'Link Copied', 'Shareable link has been copied to clipboard!')
    expect(await copied(page)).toBe(`${site.url}/share`)
  })

  test('leaves the link selected where copying is not allowed at all', async ({ page, site }) => {
    await page.addInitScript(refuseClipboard)
    await page.addInitScript(() => {
      document.execCommand = () => false
    })
    await open(page, '/admin?tab=share')
    await page.getByRole('button', { name: 'Copy Link' }).click()
    await expectToast(page, 'Link Selected', 'Your browser does not let us copy.')
    const selected = await field(page).evaluate((input: HTMLInputElement) =>
      input.value.slice(input.selectionStart ?? 0, input.selectionEnd ?? 0),
    )
    expect(selected).toBe(`${site.url}/share`)
    await expect(field(page)).toBeFocused()
  })
})
