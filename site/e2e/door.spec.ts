import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { signInForm } from './guarded.ts'
import { expectUsable } from './usable.ts'

const PASSWORD = 'four strange horses walk'
const administration = (page: Page) => page.getByRole('heading', { name: 'Administration' })
const email = (page: Page) => page.getByLabel('Email', { exact: true })

// A page may store its event at the moment in which a test ends the session.
test.use({ expectedErrors: /status of (400|401|403|410)|initialize event ResponseError: 401/ })

// A process of its own: a site that becomes guarded is of no use to another test.
test.use({ variables: { LOG_LEVEL: 'warn' }, viewport: { width: 320, height: 640 } })

test('leads from the banner to the first owner, and from then on to the sign-in', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('link', { name: 'Guard this site' }).click()
  await expect(page).toHaveURL('/guard')
  await expect(page.getByText('Passkeys need the public address of this site')).toBeVisible()
  await expectUsable(page, 'the page to guard the site')
  const { password } = signInForm(page)
  await page.getByLabel('Name', { exact: true }).fill('Ruth Cole')
  await email(page).fill('Ruth@Cole.example')
  await password.fill('password1234')
  await password.press('Enter')
  await expect(password).toHaveAccessibleDescription(/At least 12 characters\. .+ Guessers try this password first/)
  await expect(password).toHaveValue('')
  await expect(email(page)).toHaveValue('Ruth@Cole.example')
  await password.fill(PASSWORD)
  await password.press('Enter')
  await expect(page).toHaveURL('/admin')
  await expect(administration(page)).toBeVisible()
  await expect(page.getByText(/^Open mode/)).toHaveCount(0)
  await page.context().clearCookies()
  await page.goto('/guard')
  await expect(page).toHaveURL('/admin')
  await email(page).fill('ruth@cole.example')
  await password.fill(PASSWORD)
  await password.press('Enter')
  await expect(administration(page)).toBeVisible()
})
