import { expect, open, test } from './fixtures.ts'

test.describe('the rules between the parts of the RSVP form', () => {
  for (const width of [320, 768, 1280]) {
    test(`are all as long as the form is wide, whoever comes: ${width} pixels`, async ({ page }) => {
      await page.setViewportSize({ width, height: 800 })
      await open(page, '/share')
      for (const answer of ["Yes, I'll attend", "No, I can't"]) {
        await page.getByText(answer).click()
        const missing = await page.locator('.rsvp-form form').evaluate((form) => {
          const { left, right } = form.getBoundingClientRect()
          const ruled = [...form.children].filter(
            (part) => getComputedStyle(part).borderTopWidth === '1px' && part.checkVisibility(),
          )
          return ruled.map((part) => part.getBoundingClientRect()).map((box) => [box.left - left, right - box.right])
        })
        expect(missing.length).toBeGreaterThan(3)
        expect(missing.flat()).toEqual(Array(2 * missing.length).fill(0))
      }
    })
  }
})
