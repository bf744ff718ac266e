import { expect, open, storeRsvps, test, testRsvp } from './fixtures.ts'
import { callAs, guarded, signIn } from './guarded.ts'

test.use({ variables: guarded })

const name = (page: import('@playwright/test').Page) => page.getByRole('row').filter({ hasText: 'Ana Cole' })

test.describe('the administrator of a guarded site', () => {
  test('sees full names on the main page, whatever visitors see', async ({ page, site }) => {
    await storeRsvps(site, [testRsvp({ phone: '+1 555 0100', message: 'Pray for us' })])
    await signIn(page)
    for (const publicNames of ['initial', 'counts', 'none']) {
      await callAs(page, 'PATCH', '/api/settings', { publicNames })
      await open(page, '/')
      await page.getByRole('region', { name: 'Recent Responses' }).scrollIntoViewIfNeeded()
      await expect(name(page)).toBeVisible()
      expect(await page.content()).not.toMatch(/555 0100|Pray for us|ana@cole/)
      await open(page, '/share')
      await expect(name(page)).toHaveCount(0)
    }
  })
})
