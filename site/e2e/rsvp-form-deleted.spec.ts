import { expect, expectToast, fillForm, open, readRsvps, test } from './fixtures.ts'

test.use({ expectedErrors: /Failed to load resource/ })

test.describe('an RSVP that was deleted before the reply reached its visitor', () => {
  test('is reported as deleted, and is stored again when it is submitted again', async ({ page, site }) => {
    const keys: (string | undefined)[] = []
    await page.route('**/api/rsvp', async (route) => {
      keys.push(route.request().headers()['idempotency-key'])
      const response = await route.fetch()
      if (keys.length === 1) await route.abort('connectionreset')
      else await route.fulfill({ response })
    })
    const submit = page.getByRole('button', { name: 'Submit RSVP' })
    await open(page, '/share')
    await fillForm(page)
    await submit.click()
    await expectToast(page, 'Error', 'Failed to submit RSVP. Please try again.')
    const [{ id }] = await readRsvps(site)
    await fetch(`${site.url}/api/rsvps/${id}`, { method: 'DELETE' })

    await submit.click()
    const sentence = 'This response was stored, and it has been deleted since. If it still holds, submit it once more.'
    await expectToast(page, 'Error', sentence)
    // It stays after the notice has gone.
    await expect(page.locator('form').getByText(sentence)).toBeVisible()
    await expect(page.getByText('Not sent yet.')).toHaveCount(0)
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Ana Cole')
    expect(await readRsvps(site)).toEqual([])

    await submit.click()
    await expectToast(page, 'RSVP Submitted', 'Thank you for your response!')
    await expect(page.locator('form').getByText(sentence)).toHaveCount(0)
    expect(keys[1]).toBe(keys[0])
    expect(keys[2]).not.toBe(keys[0])
    expect(await readRsvps(site)).toMatchObject([{ name: 'Ana Cole' }])
  })
})
