import type { CDPSession, Page } from '@playwright/test'
import { startBuiltServer } from '../../scripts/testing/built-server.mjs'
import { freePort } from '../../scripts/testing/free-port.mjs'
import { test as base, expect, open, toast } from './fixtures.ts'
import { guarded, signIn, signInForm, waitForStoredEvent } from './guarded.ts'
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
test.use({ variables: guarded, expectedErrors: /status of (401|403)/ })

const button = (page: Page) => page.getByRole('button', { name: 'Sign in with a passkey' })
const administration = (page: Page) => page.getByRole('heading', { name: 'Administration' })
const refused = 'The passkey was refused, or it took too long. Try again, or sign in another way.'

/** Plugs a virtual authenticator into the browser, which its owner unlocks at once. */
async function plugIn(page: Page) {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
      ...{ isUserVerified: true, automaticPresenceSimulation: true },
    },
  })
  return { cdp, authenticatorId }
}

type Credential = Awaited<ReturnType<typeof takeCredential>>

/** Takes the passkey out of the authenticator. */
async function takeCredential({ cdp, authenticatorId }: { cdp: CDPSession; authenticatorId: string }) {
  const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId })
  await cdp.send('WebAuthn.clearCredentials', { authenticatorId })
  expect(credentials).toHaveLength(1)
  return credentials[0] as (typeof credentials)[number]
}

const add = async (page: Page, name: string) => {
  await page.getByLabel('Name of the passkey').fill(name)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
}

/** Signs in by the password, makes a passkey in the settings, and signs out. */
async function enroll(page: Page, authenticator: Awaited<ReturnType<typeof plugIn>>, name: string) {
  await signIn(page)
  await open(page, '/admin?tab=settings#account')
  await add(page, name)
  await expect(page.getByRole('button', { name: `Remove ${name}` })).toBeVisible()
  await waitForStoredEvent(page)
  await page.context().clearCookies({ name: 'rsvp-session' })
  return takeCredential(authenticator)
}

function insert({ cdp, authenticatorId }: Awaited<ReturnType<typeof plugIn>>, credential: Credential) {
  return cdp.send('WebAuthn.addCredential', { authenticatorId, credential })
}

test('two passkeys sign in, one that is removed no longer does', async ({ page }) => {
  const authenticator = await plugIn(page)
  const passkeys = [await enroll(page, authenticator, 'Phone'), await enroll(page, authenticator, 'Laptop')]
  for (const passkey of passkeys) {
    await insert(authenticator, passkey)
    await page.goto('/admin?tab=share&q=ana')
    await expect(button(page)).toBeEnabled()
    await button(page).press('Enter')
    await expect(administration(page)).toBeVisible()
    await expect(page).toHaveURL('/admin?tab=share')
    expect((await page.context().cookies()).map(({ name }) => name)).toContain('rsvp-device')
    await takeCredential(authenticator)
    if (passkey === passkeys[1]) break
    await page.context().clearCookies({ name: 'rsvp-session' })
  }
  await open(page, '/admin?tab=settings#account')
  await page.getByRole('button', { name: 'Remove Phone' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByRole('heading', { name: 'Passkeys' })).toBeFocused()
  await page.context().clearCookies({ name: 'rsvp-session' })
  await insert(authenticator, passkeys[0] as Credential)
  await page.goto('/admin')
  await button(page).click()
  await expect(page.getByText(refused)).toBeVisible()
  await expect(administration(page)).toHaveCount(0)
})

test('whoever has one proves it, does not unlock it, types the password, or comes to another origin', async ({
  page,
  site,
}) => {
  const authenticator = await plugIn(page)
  await page.goto('/admin')
  await expect(button(page), 'no one has any').toHaveCount(0)
  await insert(authenticator, await enroll(page, authenticator, 'Phone'))
  await signIn(page)
  await open(page, '/admin?tab=settings#account')
  changeDatabase(site, 'UPDATE sessions SET proven_at = 0')
  await add(page, 'Laptop')
  await page.getByRole('dialog').getByRole('button', { name: 'Use a passkey' }).click()
  await expect(toast(page)).toContainText('This device has a passkey of yours already. Use that one.')
  await page.context().clearCookies({ name: 'rsvp-session' })

  await page.goto(`${site.url.replace('localhost', '127.0.0.1')}/admin`)
  await button(page).click()
  await expect(page.getByRole('alert')).toHaveText(/^The passkey could not be used\./)

  await authenticator.cdp.send('WebAuthn.setUserVerified', { ...authenticator, isUserVerified: false })
  await page.goto('/admin')
  await button(page).click()
  await expect(page.getByRole('alert')).toHaveText('No passkey was chosen. Try again, or use a password.')
  await expect(button(page)).toBeEnabled()
  await signInForm(page).password.fill('a wrong password')
  await signInForm(page).password.press('Enter')
  await expect(page.getByText(/password is wrong\. Try again\.$/)).toBeVisible()
})

test.describe('on an open site', () => {
  test.use({ variables: {} })

  test('the first owner and whoever is invited need no password', async ({ page, site }) => {
    const authenticator = await plugIn(page)
    const make = page.getByRole('button', { name: 'Use a passkey instead of a password' })
    const account = async () => (await page.request.get('/api/account')).json()
    await page.goto('/guard')
    await make.click()
    await expect(page.getByLabel('Name', { exact: true })).toBeFocused()
    await page.getByLabel('Name', { exact: true }).fill('Ruth Cole')
    await page.getByLabel('Email').fill('ruth@cole.example')
    await expect(page.getByLabel('Name of the passkey')).toHaveValue('Chrome, Windows')
    await make.click()
    await expect(administration(page)).toBeVisible()
    const passkeys = [expect.objectContaining({ name: 'Chrome, Windows' })]
    expect(await account()).toMatchObject({ name: 'Ruth Cole', role: 'owner', hasPassword: false, passkeys })
    const invited = { name: 'Max Cole', email: 'max@cole.example', role: 'clerk' }
    const { link } = await (await page.request.post('/api/administrators', { data: invited })).json()

    changeDatabase(site, 'UPDATE sessions SET proven_at = 0')
    await open(page, '/admin?tab=settings#account')
    await add(page, 'Laptop')
    await expect(page.getByRole('dialog').getByRole('button', { name: 'Use a passkey' })).toBeFocused()
    await waitForStoredEvent(page)
    await page.context().clearCookies()
    const { userName } = await takeCredential(authenticator)
    expect(userName).toBe('ruth@cole.example')
    await page.goto(link)
    await page.getByLabel('Name of the passkey').fill('Phone')
    await expect(make).toBeEnabled()
    await make.press('Enter')
    await expect(administration(page)).toBeVisible()
    expect(await account()).toMatchObject({ name: 'Max Cole', role: 'clerk', passkeys: [{ name: 'Phone' }] })
  })
})
