import { expect, open, test } from './fixtures.ts'

test.describe('the lines between the parts of the RSVP form', () => {
  for (const width of [320, 768, 1280]) {
    test(`are as wide as the form for either choice: ${width} pixels`, async ({ page }) => {
      await page.setViewportSize({ width, height: 800 })
      await open(page, '/share')
      for (const choice of ["Yes, I'll attend", "No, I can't"]) {
        await page.getByText(choice).click()
        const gaps = await page.locator('.rsvp-form form').evaluate((form) => {
          const { left, right } = form.getBoundingClientRect()
          const ruled = [...form.children].filter(
            (part) => getComputedStyle(part).borderTopWidth === '1px' && part.checkVisibility(),
          )
          return ruled.map((part) => part.getBoundingClientRect()).map((box) => [box.left - left, right - box.right])
        })
        expect(gaps.length).toBeGreaterThan(3)
        expect(gaps.flat()).toEqual(Array(2 * gaps.length).fill(0))
      }
    })
  }
})
