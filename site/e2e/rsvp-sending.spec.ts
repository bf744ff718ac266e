import type { Page } from '@playwright/test'
import {
  age,
  expect,
  expectSubmitted,
  expectToast,
  fillForm,
  hold,
  open,
  pickRole,
  readRsvps,
  roles,
  send,
  submit,
  test,
  thanked,
  toast,
} from './fixtures.ts'

test.use({ expectedErrors: /Failed to load resource/ })

const button = (page: Page) => page.getByRole('button', { name: /^Submit/ })
const expectFailed = (page: Page) => expectToast(page, 'Error', 'Failed to submit RSVP. Please try again.')

async function fillEverything(page: Page): Promise<void> {
  await fillForm(page)
  await page.getByLabel('Phone').fill('+1 555 0100')
  await page.getByLabel('Message').fill('Two lines\nof thanks')
  await page.getByRole('button', { name: 'Add Family Member' }).click()
  await page.getByLabel('Name of family member 1').fill('Joel')
  await page.getByText('Teen').click()
  await pickRole(page, 'Usher')
  await page.getByText('Google Calendar').click()
}

async function expectEverything(page: Page): Promise<void> {
  await expect(page.getByRole('radio', { name: "Yes, I'll attend" })).toBeChecked()
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Ana Cole')
  await expect(page.getByLabel('Email')).toHaveValue('ana@cole.example')
  await expect(page.getByLabel('Phone')).toHaveValue('+1 555 0100')
  await expect(page.getByLabel('Message')).toHaveValue('Two lines\nof thanks')
  await expect(page.getByLabel('Name of family member 1')).toHaveValue('Joel')
  await expect(age(page, 'Teen')).toBeChecked()
  await expect(page.getByRole('button', { name: 'Remove Usher' })).toBeVisible()
  await expect(page.getByRole('radio', { name: 'Google Calendar' })).toBeChecked()
}

test.describe('sending the RSVP form', () => {
  test('says Submitting... while it is pending, and stores one RSVP however often it is pressed', async ({
    page,
    site,
  }) => {
    const release = await hold(page, '**/api/rsvp')
    await open(page, '/share')
    await fillEverything(page)
    await button(page).dblclick()
    await expect(button(page)).toHaveText('Submitting...')
    await expect(button(page)).toBeDisabled()
    await page.getByLabel('Phone').press('Enter')
    await expectEverything(page)
    release()
    await expectSubmitted(page)
    await expect(button(page)).toHaveCount(0)
    await expect(page.getByRole('rowheader', { name: 'Ana Cole' })).toHaveCount(1)
    await page.getByRole('link', { name: 'Respond for another family' }).click()
    await expect(button(page)).toHaveText('Submit RSVP')
    await expect(button(page)).toBeEnabled()
    await expect(page.getByRole('radio', { checked: true })).toHaveCount(0)
    expect(await readRsvps(site)).toHaveLength(1)
  })

  test('keeps everything typed and reports it where it fails, with the focus on the button', async ({ page, site }) => {
    const calls: string[] = []
    page.on('request', (request) => request.url().endsWith('/api/rsvp') && calls.push(request.method()))
    await open(page, '/share')
    await fillEverything(page)
    for (const fail of [
      () => page.route('**/api/rsvp', (route) => route.fulfill({ status: 500, body: 'no' })),
      () => page.route('**/api/rsvp', (route) => route.fulfill({ status: 503, json: { title: 'busy', status: 503 } })),
      // The server has stopped: the code of the notice is there already.
      () => page.route('**/*', (route) => route.abort('connectionrefused')),
    ]) {
      await fail()
      calls.length = 0
      await button(page).press('Enter')
      await expectFailed(page)
      await expectEverything(page)
      await expect(button(page)).toBeEnabled()
      await expect(button(page)).toBeFocused()
      await expect(page.getByText('Not sent yet. Everything you typed is still here')).toBeVisible()
      expect(calls).toHaveLength(1)
      await page.unrouteAll()
      await toast(page).getByRole('button', { name: 'Close' }).click()
    }
    await submit(page).click()
    await expectSubmitted(page)
    expect(await readRsvps(site)).toMatchObject([
      { name: 'Ana Cole', message: 'Two lines\nof thanks', familyMembers: [{ name: 'Joel', age: 'teen' }] },
    ])
  })

  test('moves the focus to the message of a field, or of a section, that only the server refuses', async ({ page }) => {
    await open(page, '/share')
    await fillEverything(page)
    for (const [path, message] of [
      ['volunteerRoles', 'Usher is no longer offered.'],
      ['familyMembers', 'Add at most 20 family members.'],
    ]) {
      const json = { status: 400, errors: [{ path, message }] }
      await page.route('**/api/rsvp', (route) => route.fulfill({ status: 400, json }))
      await submit(page).click()
      await expectFailed(page)
      await expect(page.getByText(String(message))).toBeFocused()
      await expect(page.getByText(String(message))).toBeInViewport()
      if (path === 'volunteerRoles') await expect(roles(page)).toHaveAccessibleDescription(String(message))
      await page.unrouteAll()
    }
    await expectEverything(page)
  })

  test('repeats an unchanged RSVP under the same key, says where it was deleted meanwhile, and changes the key', async ({
    page,
    site,
  }) => {
    const keys: (string | undefined)[] = []
    // All are stored, but the first two replies are lost.
    await page.route('**/api/rsvp', async (route) => {
      keys.push(route.request().headers()['idempotency-key'])
      const response = await route.fetch()
      if (keys.length < 3) await route.abort('connectionreset')
      else await route.fulfill({ response })
    })
    await open(page, '/share')
    await fillForm(page)
    for (const attempts of [1, 2]) {
      await submit(page).click()
      await expect.poll(() => keys.length).toBe(attempts)
      await expectFailed(page)
      await expect(button(page)).toHaveText('Submit RSVP')
    }
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
    expect(keys[1]).toBe(keys[0])
    const [{ id }, ...others] = await readRsvps(site)
    expect(others).toEqual([])
    await send(site, 'DELETE', `/api/rsvps/${id}`)
    await submit(page).click()
    const sentence = 'This response was stored, and it has been deleted since. If it still holds, submit it once more.'
    await expectToast(page, 'Error', sentence)
    // It stays after the notice has gone.
    await expect(page.locator('form').getByText(sentence)).toBeVisible()
    await expect(page.getByText('Not sent yet.')).toHaveCount(0)
    expect(await readRsvps(site)).toEqual([])
    await page.getByLabel('Message').fill('One more thing')
    await submit(page).click()
    await expectSubmitted(page)
    expect(keys[2]).toBe(keys[0])
    expect(keys[3]).not.toBe(keys[0])
    expect(await readRsvps(site)).toMatchObject([{ name: 'Ana Cole', message: 'One more thing' }])
  })

  test('is left to the browser where the code for it could not be loaded', async ({ page, site }) => {
    await page.route('**/assets/parts.*', (route) => route.abort())
    await open(page, '/share')
    await fillEverything(page)
    await submit(page).click()
    await expect(page).toHaveURL(/\/share\?thanks=/)
    await expect(thanked(page)).toBeVisible()
    expect(await readRsvps(site)).toMatchObject([
      { name: 'Ana Cole', familyMembers: [{ name: 'Joel', age: 'teen' }], volunteerSignups: [{}] },
    ])
    await page.reload()
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('')
  })

  test('works in a browser that stores nothing, which is offered no memory of it', async ({ page, site }) => {
    await page.addInitScript(() => {
      Object.defineProperty(window, 'sessionStorage', {
        get() {
          throw new DOMException('Denied', 'SecurityError')
        },
      })
      Storage.prototype.setItem = () => {
        throw new DOMException('full', 'QuotaExceededError')
      }
    })
    await page.route('**/api/rsvp', (route) => route.fulfill({ status: 500, body: 'no' }))
    await open(page, '/share')
    await fillForm(page)
    await submit(page).click()
    await expectFailed(page)
    await page.unrouteAll()
    await submit(page).click()
    await expectSubmitted(page)
    await expect(page.getByRole('link', { name: 'Change or withdraw' })).toBeVisible()
    await expect(page.getByRole('checkbox', { name: 'Remember this on this device' })).toHaveCount(0)
    expect(await readRsvps(site)).toHaveLength(1)
  })
})
