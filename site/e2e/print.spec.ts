import type { Page } from '@playwright/test'
import { expect, open, storeManyRsvps, storeRsvps, test, testRsvps } from './fixtures.ts'

/** How many pages a PDF has. */
const countSheets = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length

/** All texts of the page, including CSS counters, which only the accessibility tree contains. */
async function textsWithGenerated(page: Page): Promise<unknown[]> {
  const session = await page.context().newCDPSession(page)
  const { nodes } = await session.send('Accessibility.getFullAXTree')
  return nodes.filter(({ role }) => role?.value === 'StaticText').map(({ name }) => name?.value)
}

test.describe('a printed list', () => {
  for (const path of ['/', '/share', '/admin']) {
    test(`fits on one sheet and says when it was printed: ${path}`, async ({ page, site }) => {
      await storeRsvps(site, testRsvps(5))
      await open(page, path)
      expect(countSheets(await page.pdf({ preferCSSPageSize: true }))).toBe(1)
      await page.emulateMedia({ media: 'print' })
      await expect(page.getByText(/^As of [A-Z][a-z]+ \d+, \d{4}/)).toBeVisible()
      await expect(page.getByRole('heading', { name: /Sabbath Worship Service|RSVP Responses/ })).toBeVisible()
      await expect(page.getByText('Recently deleted')).toBeHidden()
      await expect(page.locator('.reply-bar')).toBeHidden()
      await expect(page.getByRole('link', { name: 'Privacy' })).toBeHidden()
      expect((await textsWithGenerated(page)).join('|')).toContain('5| in this list')
    })
  }

  test('of many pages is whole, without anything that moves, as it is searched and sorted', async ({ page, site }) => {
    await storeManyRsvps(site, 2500)
    await open(page, '/admin?q=visitor+1&sort=name')
    await page.emulateMedia({ media: 'print' })
    const found = Array.from({ length: 2500 }, (_, place) => `Visitor ${place + 1}`).filter((name) =>
      name.includes('1'),
    )
    await expect(page.getByText(`1–100 of ${found.length.toLocaleString('en-US')}`)).toBeVisible()
    await page.emulateMedia({ media: 'screen' })
    await page.getByRole('link', { name: /^Print all/ }).click()
    await expect(page.getByRole('rowheader')).toHaveText(found.sort())
    await expect(page.getByText(`${found.length.toLocaleString('en-US')} in this list`)).toBeVisible()
    await expect(page.getByText(/^As of [A-Z][a-z]+ \d+, \d{4}/)).toBeVisible()
    expect(await page.locator('script, input, button').count()).toBe(0)
    await page.getByRole('link', { name: 'Back to the administration' }).click()
    await expect(page).toHaveURL('/admin?week=all&q=visitor+1&sort=name')
  })
})
