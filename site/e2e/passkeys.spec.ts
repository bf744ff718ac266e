import type { Page } from '@playwright/test'
import { startBuiltServer } from '../../scripts/testing/built-server.mjs'
import { freePort } from '../../scripts/testing/free-port.mjs'
import { test as base, expect, open, toast } from './fixtures.ts'
import { waitForStoredEvent } from './guarded.ts'
import { changeDatabase } from './stored.ts'

/** Its public address is that of the browser: passkeys belong to a name. */
const test = base.extend({
  site: async ({ variables }, use) => {
    const port = String(await freePort())
    const url = `http://localhost:${port}`
    const site = await startBuiltServer({ ...variables, PORT: port, PUBLIC_URL: url })
    await use({ ...site, url })
    await site.stop()
  },
})
// Chromium logs every reply with an error status.
test.use({ expectedErrors: /status of (401|403)/ })

const button = (page: Page) => page.getByRole('button', { name: 'Sign in with a passkey' })
const administration = (page: Page) => page.getByRole('heading', { name: 'Administration' })

test('guards the site by a passkey, which signs in and proves identity, until its removal', async ({ page, site }) => {
  // A virtual authenticator, which its owner unlocks at once.
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  const unlocks = (isUserVerified: boolean) => cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
  await page.goto('/guard')
  const make = page.getByRole('button', { name: 'Use a passkey instead of a password' })
  await make.click()
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused()
  await page.getByLabel('Name', { exact: true }).fill('Ruth Cole')
  await page.getByLabel('Email').fill('ruth@cole.example')
  await expect(page.getByLabel('Name of the passkey')).toHaveValue('Chrome, Windows')
  await make.click()
  await expect(administration(page)).toBeVisible()
  const account = await (await page.request.get('/api/account')).json()
  expect(account).toMatchObject({ name: 'Ruth Cole', role: 'owner', hasPassword: false, passkeys: [{}] })
  await waitForStoredEvent(page)

  await page.context().clearCookies({ name: 'rsvp-session' })
  await unlocks(false)
  await page.goto('/admin?tab=share&q=ana')
  await button(page).click()
  await expect(page.getByRole('alert')).toHaveText('No passkey was chosen. Try again, or use a password.')
  await unlocks(true)
  await button(page).press('Enter')
  await expect(administration(page)).toBeVisible()
  await expect(page).toHaveURL('/admin?tab=share&q=ana')

  // It is proven by the first one, of which a device makes no second.
  changeDatabase(site, 'UPDATE sessions SET proven_at = 0')
  await open(page, '/admin?tab=settings#account')
  await page.getByLabel('Name of the passkey').fill('Laptop')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Use a passkey' }).click()
  await expect(toast(page)).toContainText('This device has a passkey of yours already. Use that one.')

  // The only way to sign in is not removed: here, as if there were a second one.
  changeDatabase(
    site,
    `INSERT INTO passkeys
    SELECT 'other', administrator_id, 'Key', public_key, counter, transports, created_at, used_at FROM passkeys`,
  )
  await page.reload()
  await page.getByRole('button', { name: 'Remove Chrome, Windows' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByRole('heading', { name: 'Passkeys' })).toBeFocused()
  await page.context().clearCookies({ name: 'rsvp-session' })
  await page.goto('/admin')
  await button(page).click()
  await expect(page.getByText('The passkey was refused, or it took too long.')).toBeVisible()
  await expect(administration(page)).toHaveCount(0)
})
