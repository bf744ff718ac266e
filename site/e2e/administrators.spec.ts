import type { Page } from '@playwright/test'
import { expect, expectToast, open, test, toast } from './fixtures.ts'
import { guarded, PASSWORD, signIn, signInForm } from './guarded.ts'
import { changeDatabase } from './stored.ts'
import { expectUsable } from './usable.ts'

// Chromium logs what is refused: an email, a proof that is too old, a wrong password, and a session that has ended.
test.use({ variables: guarded, expectedErrors: /status of (400|401|403)/ })

const SETTINGS = '/admin?tab=settings'
const panel = (page: Page) => page.getByRole('region', { name: 'Administrators' })
const account = (page: Page) => page.getByRole('region', { name: 'Your account' })
const person = (page: Page, name: string) => panel(page).getByRole('listitem').filter({ hasText: name })
const proof = (page: Page) => page.getByRole('dialog', { name: 'Confirm that it is you' })

/** The owner has no email until now, and so signs in without one. */
async function openAsOwner(page: Page, path = `${SETTINGS}#administrators`): Promise<void> {
  await signIn(page)
  await open(page, path)
}

test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

test('lets an owner invite a clerk by a link that is shown once, change and remove them', async ({ page, site }) => {
  await openAsOwner(page)
  await panel(page).getByRole('button', { name: 'Invite an administrator' }).click()
  const form = page.getByRole('dialog', { name: 'Invite an administrator' })
  await form.getByLabel('Name').fill('Samuel Okafor')
  await form.getByLabel('Email').fill('no email')
  await form.getByRole('button', { name: 'Make the link' }).click()
  await expect(form.getByLabel('Email')).toHaveAccessibleDescription('Invalid email address')
  await expect(form.getByLabel('Email')).toBeFocused()
  await form.getByLabel('Email').fill('samuel@okafor.example')
  await form.getByRole('radio', { name: 'Reader' }).check()
  await expect(form.getByLabel('Also show email addresses, phone numbers and messages')).not.toBeChecked()
  await expectUsable(page, 'the form of an invitation', 'dialog[open]')
  await form.getByRole('radio', { name: 'Clerk' }).check()
  await form.getByRole('button', { name: 'Make the link' }).click()

  const invitation = page.getByRole('dialog', { name: 'The invitation for Samuel Okafor' })
  const link = await invitation.getByLabel('Invitation link').inputValue()
  expect(link).toMatch(/\/invitation\?key=[\w-]{43}$/)
  await invitation.getByRole('button', { name: 'Copy Link' }).click()
  await expect(invitation.getByRole('status')).toHaveText('The link is in the clipboard.')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link)
  await invitation.getByRole('button', { name: 'Done' }).click()
  await expect(panel(page).getByRole('button', { name: 'Invite an administrator' })).toBeFocused()
  await expect(person(page, 'Samuel Okafor')).toContainText(/Clerk · Invited until .+samuel@okafor\.example/)
  expect(await page.content()).not.toContain(link)

  await page.getByRole('button', { name: 'Change Samuel Okafor' }).click()
  const change = page.getByRole('dialog', { name: 'Change Samuel Okafor' })
  await change.getByRole('radio', { name: 'Reader' }).check()
  await change.getByLabel('Also show email addresses').check()
  await change.getByRole('button', { name: 'Save' }).click()
  await expect(person(page, 'Samuel Okafor')).toContainText('Reader, with contact data')

  const question = page.getByRole('alertdialog')
  // As if everyone had signed in an hour ago.
  changeDatabase(site, `UPDATE sessions SET proven_at = ${Date.now() - 60 * 60_000}`)
  const remove = async () => {
    await page.getByRole('button', { name: 'Remove Samuel Okafor' }).click()
    await expect(question).toContainText('Samuel Okafor is signed out at once, everywhere')
    await question.getByRole('button', { name: 'Remove' }).click()
    await expect(proof(page).getByLabel('Password')).toBeFocused()
  }
  await remove()
  await expectUsable(page, 'the question for the password', 'dialog[open]')
  await page.keyboard.press('Escape')
  await expect(person(page, 'Samuel Okafor')).toBeVisible()
  await expect(toast(page)).toHaveCount(0)
  await remove()
  await proof(page).getByLabel('Password').fill('a wrong password')
  await page.keyboard.press('Enter')
  await expect(proof(page).getByLabel('Password')).toHaveAccessibleDescription('The password is wrong. Try again.')
  await proof(page).getByLabel('Password').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expectToast(page, 'Settings Updated', 'Samuel Okafor is signed out everywhere.')
  await expect(person(page, 'Samuel Okafor')).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'Administrators' })).toBeFocused()
  expect(site.output()).not.toContain('key=')
})

test('asks an owner without email for one, and shows and ends other sessions', async ({ page, site, browser }) => {
  await openAsOwner(page, '/admin')
  await page.getByText('Say who you are').getByRole('link', { name: 'Your account' }).click()
  await expect(account(page)).toContainText('Passkeys need the public address of this site. You can change that at')
  await account(page).getByRole('link', { name: 'Public Address' }).click()
  await expect(page.getByRole('heading', { name: 'Public Address' })).toBeFocused()
  await page.goBack()
  await account(page).getByLabel('Name', { exact: true }).fill('Ruth Cole')
  await account(page).getByLabel('Email').fill('ruth@cole.example')
  await account(page).getByLabel('Email').press('Enter')
  await expect(page.getByText('Say who you are')).toHaveCount(0)
  const other = await (await browser.newContext({ baseURL: site.url })).newPage()
  await other.request.post('/api/session', { data: { email: 'ruth@cole.example', password: PASSWORD } })
  await page.reload()
  await expect(page.getByRole('link', { name: 'Ruth Cole', exact: true })).toBeVisible()
  await expect(account(page)).toContainText('(this browser)')
  await expectUsable(page, 'the account', '#account')
  const others = account(page).getByRole('button', { name: 'Sign out in all other browsers' })
  await others.click()
  await expectToast(page, 'Settings Updated', 'You are signed out in all other browsers.')
  await expect(others).toHaveCount(0)
  await other.goto('/admin')
  await expect(other.getByRole('heading', { name: 'Sign In' })).toBeVisible()
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await page.goto(`${SETTINGS}#account`)
  await expect(signInForm(page).heading).toBeVisible()
  // Its script has passed the section on: a key pressed before that would lead to the top of the page.
  await expect(page.locator('main form')).toHaveAttribute('action', /#account$/)
  await page.getByLabel('Email').fill('ruth@cole.example')
  await signInForm(page).password.fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Your account' })).toBeInViewport()
  await expect(page).toHaveURL('/admin?tab=settings#account')
})
