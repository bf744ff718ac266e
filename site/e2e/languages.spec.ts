import { expect, fillForm, open, test, waitForHydration } from './fixtures.ts'
import { expectNoFindings, overflowOf } from './usable.ts'

test.describe('a visitor whose browser prefers Arabic', () => {
  test.use({ locale: 'ar', viewport: { width: 320, height: 640 } })

  test('responds from right to left, and reads the thanks in Arabic', async ({ page }) => {
    await open(page, '/share')
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
    await expectNoFindings(page, 'the invitation in Arabic')
    await page.getByRole('button', { name: 'إرسال الرد' }).click()
    await expect(page.getByText('الاسم مطلوب')).toBeVisible()
    await page.getByText('نعم، سأحضر', { exact: true }).click()
    await page.getByLabel('الاسم', { exact: true }).fill('Ana Cole')
    await page.getByLabel('البريد الإلكتروني').fill('ana@church.example')
    await page.getByRole('button', { name: 'إرسال الرد' }).click()
    await expect(page.getByRole('heading', { name: /شكرًا، .*Ana Cole/ })).toBeFocused()
    expect(await overflowOf(page)).toBe(0)
  })
})

test.describe('the choice of a language', () => {
  test('keeps what was typed, and is remembered', async ({ page }) => {
    await open(page, '/share')
    await fillForm(page)
    await expect.poll(() => page.evaluate(() => sessionStorage.getItem('rsvp-draft'))).toContain('ana%40cole.example')
    await page.locator('.languages summary').click()
    await page.getByRole('link', { name: 'Español' }).click()
    await expect(page.getByRole('heading', { name: '¿Quién viene?' })).toBeVisible()
    await expect(page.getByLabel('Nombre', { exact: true })).toHaveValue('Ana Cole')
    await open(page, '/privacy')
    await expect(page.getByRole('heading', { name: 'Privacidad' })).toBeVisible()
    await page.locator('.languages summary').click()
    await page.getByRole('link', { name: 'English' }).click()
    await expect(page.getByRole('heading', { name: 'Privacy' })).toBeVisible()
  })

  test('leads a clerk back to where it was made', async ({ page }) => {
    await open(page, '/admin?tab=settings')
    await page.locator('.languages summary').click()
    await page.getByRole('link', { name: 'Deutsch' }).click()
    await expect(page.getByRole('tab', { name: 'Einstellungen' })).toHaveAttribute('aria-selected', 'true')
    await waitForHydration(page)
    await page.getByRole('button', { name: 'Zeitplan speichern' }).click()
    await expect(page.getByText('Zeitplan gespeichert', { exact: true })).toBeVisible()
    await expectNoFindings(page, 'the settings in German')
  })
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false, locale: 'fr-FR' })

  test('the page is in the language of the browser, and another one can be chosen', async ({ page }) => {
    await page.goto('/share')
    await expect(page.getByRole('heading', { name: 'Qui vient ?' })).toBeVisible()
    await page.locator('.languages summary').click()
    await page.getByRole('link', { name: '한국어' }).click()
    await expect(page.getByRole('heading', { name: '누가 오나요?' })).toBeVisible()
  })
})
