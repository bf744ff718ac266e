import { expect, open, storeRsvps, test, testRsvp, testRsvps } from './fixtures.ts'

test.describe('for a screen reader', () => {
  test('the ages of every family member have a name of its own, and no plain button has formnovalidate', async ({
    page,
  }) => {
    await open(page, '/share')
    const add = page.getByRole('button', { name: 'Add Family Member' })
    await add.click()
    await page.keyboard.type('Joel')
    await add.click()
    await expect(page.getByRole('radiogroup', { name: 'Age group of Joel' })).toBeVisible()
    await expect(page.getByRole('radiogroup', { name: 'Age group of family member 2' })).toBeVisible()
    await expect(page.locator('[type=button][formnovalidate]')).toHaveCount(0)
  })

  test('tables have a caption, and rows a header', async ({ page, site }) => {
    await storeRsvps(site, [...testRsvps(2), testRsvp()])
    const captions = { '/': 'Recent Responses', '/share': "Who's Coming?", '/admin': 'Responses' }
    for (const [path, name] of Object.entries(captions)) {
      await open(page, path)
      await expect(page.getByRole('table', { name, exact: true })).toBeVisible()
      await expect(page.getByRole('rowheader', { name: 'Ana Cole' })).toHaveText('Ana Cole')
      await expect(page.getByRole('rowheader')).toHaveCount(3)
    }
  })
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('the administration says above its responses that it needs JavaScript', async ({ page }) => {
    await page.goto('/admin')
    const sentence = page.getByText('The administration needs JavaScript.')
    const search = page.getByRole('searchbox')
    expect((await sentence.boundingBox())?.y).toBeLessThan((await search.boundingBox())?.y ?? 0)
  })
})
