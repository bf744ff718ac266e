import { expect, open, storeRsvps, test, testRsvp, testRsvps } from './fixtures.ts'
import { overflowOf } from './usable.ts'

const paths = ['/', '/share', '/admin', '/admin?tab=settings', '/admin?tab=share', '/privacy', '/nope']

test.describe('text of twice the size', () => {
  test.use({
    viewport: { width: 390, height: 844 },
    expectedErrors: /404/,
    // Time zones with long names, and different ones: the settings show both.
    variables: { TZ: 'America/Kentucky/Monticello' },
    timezoneId: 'America/Argentina/Buenos_Aires',
  })

  test('fits a phone: nothing scrolls sideways, and no tab overlaps another', async ({ page, site }) => {
    await storeRsvps(site, [
      ...testRsvps(3),
      testRsvp({ phone: '+1 555 0100', message: 'Please keep a seat.', familyMembers: [{ name: 'Joel' }] }),
    ])
    for (const path of paths) {
      await open(page, path)
      await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'))
      for (const width of [320, 390, 768, 1280]) {
        await page.setViewportSize({ width, height: 844 })
        await expect.poll(() => overflowOf(page), `${path} at ${width} px`).toBe(0)
      }
      const tabs = await page.getByRole('tab').all()
      const overflows = tabs.map((tab) => tab.evaluate((element) => element.scrollWidth - element.clientWidth))
      expect(await Promise.all(overflows)).toEqual(tabs.map(() => 0))
    }
  })
})
