import type { Locator, Page, Route } from '@playwright/test'
import { edit, event, openWithEvent } from './event-editing.ts'
import { expect, expectToast, fillForm, open, send, test } from './fixtures.ts'

test.use({ expectedErrors: /Failed to (sync event details|load resource)/ })

/** Holds the calls to an address; the function that it returns waits for one and refuses it. */
async function holdToRefuse(page: Page, address: string, status = 503): Promise<() => Promise<void>> {
  const held: Route[] = []
  await page.route(address, (route) => void held.push(route))
  return async () => {
    await expect.poll(() => held.length).toBe(1)
    await held.pop()?.fulfill({ status, body: 'no' })
  }
}

/** Presses a button whose call is held, refuses the call, and expects the focus to stay on the button. */
async function expectFocusKept(button: Locator, refuse: () => Promise<void>): Promise<void> {
  await button.press('Enter')
  await expect(button).toBeDisabled()
  await expect(button).toBeFocused()
  await refuse()
  await expect(button).toBeEnabled()
  await expect(button).toBeFocused()
}

test.describe('the keyboard focus, when a call fails,', () => {
  for (const status of [500, 503]) {
    test(`returns to the button of the form: ${status}`, async ({ page }) => {
      const refuse = await holdToRefuse(page, '**/api/rsvp', status)
      await open(page, '/share')
      await fillForm(page)
      const submit = page.locator('.rsvp-form__submit')
      await submit.press('Enter')
      await expect(submit).toHaveText('Submitting...')
      await expect(submit).toHaveAttribute('disabled')
      await refuse()
      await expectToast(page, 'Error', 'Failed to submit RSVP. Please try again.')
      await expect(submit).toHaveText('Submit RSVP')
      await expect(submit).toBeFocused()
    })
  }

  test('returns to the button of the form: no connection', async ({ page }) => {
    await open(page, '/share')
    await fillForm(page)
    await page.route('**/api/rsvp', (route) => route.abort())
    const submit = page.getByRole('button', { name: 'Submit RSVP' })
    await submit.press('Enter')
    await expectToast(page, 'Error', 'Failed to submit RSVP. Please try again.')
    await expect(submit).toBeFocused()
  })

  test('stays on the button that loads a list again', async ({ page }) => {
    const refuse = await holdToRefuse(page, '**/api/rsvps/deleted')
    await open(page, '/admin')
    await page.getByText('Recently deleted').click()
    await refuse()
    const again = page.getByRole('button', { name: 'Try Again' })
    await expectFocusKept(again, refuse)
  })

  test('stays on the button that sends the event again, and moves to Edit once it is sent', async ({ page, site }) => {
    await send(site, 'POST', '/api/event', event)
    await openWithEvent(page, '/')
    const refuse = await holdToRefuse(page, '**/api/event')
    const again = page.getByRole('button', { name: 'Send Again' })
    await edit(page, { Time: '11 AM' })
    await refuse()
    await expectFocusKept(again, refuse)
    await page.unrouteAll()
    await again.press('Enter')
    await expect(again).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Edit' })).toBeFocused()
  })

  test('moves from the button that sends the event again to the sign-in link once the session has ended', async ({
    page,
    site,
  }) => {
    await send(site, 'POST', '/api/event', event)
    await openWithEvent(page, '/')
    await page.route('**/api/event', (route) => route.fulfill({ status: 503, body: 'no' }))
    await edit(page, { Time: '11 AM' })
    const again = page.getByRole('button', { name: 'Send Again' })
    await expect(again).toBeVisible()
    await page.route('**/api/event', (route) => route.fulfill({ status: 401, body: 'no' }))
    await again.press('Enter')
    await expect(page.getByRole('link', { name: 'Sign in' })).toBeFocused()
  })

  test('stays on the button of a role that could not be retired', async ({ page }) => {
    await page.route('**/api/volunteer-roles/*', (route) => route.fulfill({ status: 503, body: 'busy' }))
    await open(page, '/admin?tab=settings')
    await page.getByRole('button', { name: 'Retire Usher' }).click()
    await page.getByRole('button', { name: 'Retire', exact: true }).press('Enter')
    await expectToast(page, 'Error', 'Failed to retire the role')
    await expect(page.getByRole('button', { name: 'Retire Usher' })).toBeFocused()
  })
})
