import { expect, fillForm, open, test, testRsvp } from './fixtures.ts'
import { callAs, guarded, signIn } from './guarded.ts'

test.use({ variables: guarded })

test.describe('a response that may be spam', () => {
  test('is stored, and the administrator sees why it is suspicious', async ({ page }) => {
    await page.request.post('/api/rsvp', { data: testRsvp({ name: 'Slow Cole' }), headers: { 'Form-Age': '2000' } })
    await page.request.post('/api/rsvp', { data: testRsvp({ name: 'Fast Cole' }), headers: { 'Form-Age': '1999' } })
    await callAs(page, 'POST', '/api/rsvp', testRsvp({ name: 'Eager Cole', website: 'https://spam.example' }))
    await signIn(page)
    await open(page, '/admin')
    await expect(page.locator('[data-label="Name"]')).toHaveText([
      /^Eager Cole\s*Perhaps spam: filled in what people do not see$/,
      /^Fast Cole\s*Perhaps spam: sent within two seconds$/,
      'Slow Cole',
    ])
    await open(page, '/')
    await expect(page.getByRole('rowheader', { name: 'Eager Cole' })).toBeVisible()
    await expect(page.getByText(/spam/)).toHaveCount(0)
  })
})

for (const javaScriptEnabled of [true, false]) {
  test.describe(`the honeypot field ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, () => {
    test.use({ javaScriptEnabled })

    test('is invisible and out of reach of the keyboard, and marks a response that fills it in', async ({ page }) => {
      await page.goto('/share')
      const hidden = page.locator('input[name="website"]')
      await expect(hidden).toHaveCount(1)
      await expect(page.getByRole('textbox', { name: 'Leave this empty' })).toHaveCount(0)
      await page.getByLabel('Name', { exact: true }).focus()
      for (let presses = 0; presses < 30; presses++) {
        await expect(hidden).not.toBeFocused()
        await page.keyboard.press(presses < 12 ? 'Shift+Tab' : 'Tab')
      }
      await fillForm(page)
      await hidden.fill('https://spam.example', { force: true })
      const replied = page.waitForResponse((response) => response.request().method() === 'POST')
      await page.getByRole('button', { name: 'Submit RSVP' }).click()
      await replied
      await expect(page.getByText(/Thank you/).first()).toBeVisible()
      await signIn(page)
      const [stored] = await (await page.request.get('/api/rsvps')).json()
      expect(stored).toMatchObject({ name: 'Ana Cole', suspicion: 'hidden-field' })
    })
  })
}
