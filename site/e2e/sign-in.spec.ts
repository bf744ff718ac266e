import type { Page } from '@playwright/test'
import { expect, storeRsvps, test, testRsvp } from './fixtures.ts'
import { blockSignIn, guarded, PASSWORD, signInForm, waitForStoredEvent } from './guarded.ts'

// Chromium logs every page with an error status.
test.use({ variables: guarded, expectedErrors: /status of (401|429)/ })

const administration = (page: Page) => page.getByRole('heading', { name: 'Administration' })

/** Whether the browser has a session cookie. */
async function hasSessionCookie(page: Page): Promise<boolean> {
  return (await page.context().cookies()).some(({ name }) => name === 'rsvp-session')
}

async function submitPassword(page: Page, password: string): Promise<void> {
  await signInForm(page).password.fill(password)
  await signInForm(page).password.press('Enter')
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(`signing in ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, () => {
    test.use({ javaScriptEnabled })

    test('is required at the address of the administration, which shows nothing else', async ({ page, site }) => {
      await storeRsvps(site, [testRsvp()])
      const reply = await page.goto('/admin?tab=settings')
      expect(reply?.status()).toBe(401)
      expect(reply?.headers()['cache-control']).toBe('no-store')
      expect(await reply?.text()).not.toMatch(/Ana|astro-island[^>]+AdminTabs/)
      await expect(page).toHaveURL('/admin?tab=settings')
      await expect(page).toHaveTitle('Sign In')
      const { heading, password, submit } = signInForm(page)
      await expect(heading).toBeVisible()
      await expect(password).toBeFocused()
      await expect(password).toHaveAttribute('type', 'password')
      await expect(password).toHaveAttribute('autocomplete', 'current-password')
      await expect(password).toHaveAccessibleDescription('')
      await expect(page.locator('form [autocomplete="username"]')).toHaveValue('administrator')
      await expect(submit).toBeVisible()
      await expect(page.getByRole('textbox')).toHaveCount(1)
      await expect(page.getByLabel('Show password')).toBeVisible({ visible: javaScriptEnabled })
      await page.getByRole('link', { name: 'Back to Main Page' }).click()
      await expect(page).toHaveURL('/')
    })

    test('leads on to what the address filters by, and to no other site', async ({ page }) => {
      await page.goto('/admin?status=attending&week=2026-11-14&q=%2F%2Fevil.example%0D%0A&next=//evil.example')
      const refused = page.waitForResponse('**/api/session')
      await submitPassword(page, 'a wrong password')
      await refused
      await expect(page.getByText('The password is wrong. Try again.')).toBeVisible()
      await submitPassword(page, PASSWORD)
      await expect(page).toHaveURL('/admin?week=2026-11-14&q=%2F%2Fevil.example&status=attending')
      await expect(page.getByLabel('Search')).toHaveValue('//evil.example')
    })

    test('leads on to the tab that the address names', async ({ page }) => {
      await page.goto('/admin?tab=share')
      await submitPassword(page, PASSWORD)
      await expect(page).toHaveURL('/admin?tab=share')
    })

    test('reports a wrong password beside the field, and succeeds with the right one', async ({ page, site }) => {
      await storeRsvps(site, [testRsvp()])
      await page.goto('/admin')
      const replied = page.waitForResponse('**/api/session')
      await submitPassword(page, 'a wrong password')
      expect((await replied).status()).toBe(401)
      const { password } = signInForm(page)
      await expect(password).toHaveAccessibleDescription('The password is wrong. Try again.')
      await expect(password).toHaveAttribute('aria-invalid', 'true')
      await expect(password).toBeFocused()
      await expect(password).toHaveValue('')
      await expect(page.getByText('The password is wrong. Try again.')).toBeInViewport()
      expect(await page.content()).not.toContain('a wrong password')

      await submitPassword(page, PASSWORD)
      await expect(page).toHaveURL('/admin')
      await expect(administration(page)).toBeVisible()
      await expect(page.getByRole('cell', { name: 'ana@cole.example' })).toBeVisible()
      await expect(page.getByText(/^Open mode/)).toHaveCount(0)
      const cookies = await page.context().cookies()
      expect(cookies.map(({ name }) => name).sort()).toEqual(['rsvp-device', 'rsvp-session'])
      for (const cookie of cookies) expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/' })
    })

    test('reports how long to wait after too many wrong passwords', async ({ page, site }) => {
      await page.request.post('/api/session', { data: { password: 'a wrong password' } })
      blockSignIn(site)
      await page.goto('/admin')
      await submitPassword(page, PASSWORD)
      const message = /^Too many wrong passwords\. Wait \d minutes, then try again\.$/
      await expect(signInForm(page).password).toHaveAccessibleDescription(message)
    })

    test('is undone by Sign Out, also after Back', async ({ page, site }) => {
      await storeRsvps(site, [testRsvp()])
      await page.goto('/admin')
      await submitPassword(page, PASSWORD)
      await expect(administration(page)).toBeVisible()
      await page.goto('/')
      await expect(page.getByRole('button', { name: 'Edit' })).toBeVisible({ visible: javaScriptEnabled })
      await page.getByRole('link', { name: 'View All Responses' }).click()
      await page.getByRole('button', { name: 'Sign Out' }).click()
      await expect(page).toHaveURL('/')
      await expect(page.getByRole('rowheader', { name: 'Ana C.' })).toBeVisible()
      await expect(page.getByRole('button', { name: 'Edit' })).toHaveCount(0)
      expect(await hasSessionCookie(page)).toBe(false)
      await page.goBack()
      await expect(signInForm(page).heading).toBeVisible()
      await expect(page.getByText('ana@cole.example')).toHaveCount(0)
    })
  })
}

test.describe('the sign-in form', () => {
  test('shows the password on request, and never again by itself', async ({ page }) => {
    await page.goto('/admin')
    const { password } = signInForm(page)
    const shown = page.getByLabel('Show password')
    await password.fill('a wrong password')
    await shown.check()
    await expect(password).toHaveAttribute('type', 'text')
    await shown.uncheck()
    await expect(password).toHaveAttribute('type', 'password')
    await shown.check()
    await password.press('Enter')
    await expect(page.getByText('The password is wrong. Try again.')).toBeVisible()
    await expect(shown).not.toBeChecked()
    await expect(password).toHaveAttribute('type', 'password')
  })

  test('is shown to a browser with the cookie of a session that has ended', async ({ page }) => {
    await page.goto('/admin')
    await submitPassword(page, PASSWORD)
    await expect(administration(page)).toBeVisible()
    await waitForStoredEvent(page)
    const before = await page.context().cookies()
    await page.getByRole('button', { name: 'Sign Out' }).click()
    await expect(page).toHaveURL('/')
    await page.context().addCookies(before)
    await page.goto('/admin')
    await expect(signInForm(page).heading).toBeVisible()
    expect(await hasSessionCookie(page)).toBe(false)
  })

  test('is where View All Responses leads without a session', async ({ page }) => {
    await page.goto('/')
    await page.getByRole('link', { name: 'View All Responses' }).click()
    await expect(signInForm(page).password).toBeFocused()
  })
})
