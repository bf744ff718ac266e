import type { Page } from '@playwright/test'
import { expect, expectToast, hold, open, test, toast } from './fixtures.ts'
import {
  addMember,
  draft,
  everything,
  expectEverything,
  expectSubmitted,
  fillEverything,
  fillForm,
  openMore,
  submit,
} from './form.ts'
import { readRsvps, send } from './stored.ts'

const button = (page: Page) => page.getByRole('button', { name: /^Submit/ })
const expectFailed = (page: Page) => expectToast(page, 'Error', 'Failed to submit RSVP. Please try again.')
const name = (page: Page) => page.getByLabel('Name', { exact: true })

test.describe('sending the RSVP form', () => {
  test.use({ expectedErrors: /Failed to load resource/ })

  test('keeps everything typed where it fails, and stores one RSVP on a double click', async ({ page, site }) => {
    const calls: string[] = []
    page.on('request', (request) => request.url().endsWith('/api/rsvp') && calls.push(request.method()))
    await open(page, '/share')
    await fillEverything(page)
    for (const fail of [
      () => page.route('**/api/rsvp', (route) => route.fulfill({ status: 500, body: 'no' })),
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
    const release = await hold(page, '**/api/rsvp')
    await button(page).dblclick()
    await expect(button(page)).toHaveText('Submitting...')
    await expect(button(page)).toBeDisabled()
    await page.getByLabel('Phone').press('Enter')
    await expectEverything(page)
    release()
    await expectSubmitted(page)
    await expect(button(page)).toHaveCount(0)
    await expect(page.getByRole('rowheader', { name: 'Ana Cole' })).toHaveCount(1)
    expect(await readRsvps(site)).toMatchObject([everything])
  })

  test('repeats an unchanged RSVP under the same key, and only that', async ({ page, site }) => {
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

  test('works in a browser that stores nothing', async ({ page, site }) => {
    await page.addInitScript(() => {
      Object.defineProperty(window, 'sessionStorage', {
        get() {
          throw new DOMException('Denied', 'SecurityError')
        },
      })
      Object.defineProperty(window, 'indexedDB', { value: undefined })
      Storage.prototype.setItem = () => {
        throw new DOMException('full', 'QuotaExceededError')
      }
    })
    await open(page, '/share')
    await fillForm(page)
    await submit(page).click()
    await expectSubmitted(page)
    const remember = page.getByRole('checkbox', { name: 'Remember this on this device' })
    await openMore(page)
    await remember.click()
    await expect(remember).not.toBeChecked()
    await expect(page.getByRole('link', { name: 'Change or withdraw' })).toBeVisible()
    expect(await readRsvps(site)).toHaveLength(1)
  })

  test('restores a draft on other pages, even if code fails at first, and stores it once', async ({ page, site }) => {
    await open(page, '/share')
    await fillEverything(page)
    await expect.poll(() => draft(page)).toContain('calendarType=ical')
    await page.route('**/assets/parts.*', (route) => route.abort())
    const failed = page.waitForEvent('requestfailed')
    await page.goto('/')
    await failed
    await page.unrouteAll()
    await page.getByLabel('Phone').focus()
    await expectEverything(page)

    // The reply is lost by a reload.
    await page.route('**/api/rsvp', async (route) => {
      await route.fetch()
      await page.reload()
    })
    await submit(page).click()
    await expect.poll(async () => (await readRsvps(site)).length).toBe(1)
    await expectEverything(page)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await submit(page).click()
    await expectSubmitted(page)
    await openMore(page)
    await page.getByRole('button', { name: 'Done' }).click()
    expect(await page.evaluate(() => ({ ...sessionStorage }))).toEqual({})
    expect(await readRsvps(site)).toMatchObject([everything])
  })
})

test('keeps and sends what was typed before the scripts have loaded', async ({ page, site }) => {
  const release = await hold(page, '**/assets/*.js')
  await page.goto('/share', { waitUntil: 'commit' })
  await page.getByText("Yes, I'll attend").click()
  await page.getByLabel('Email').fill('early@bird.example')
  await page.getByText('iCal').click()
  await page.getByRole('checkbox', { name: 'Usher' }).check()
  await name(page).fill('Early')
  await expect(page.locator('form:not([novalidate])')).toHaveCount(1)
  release()
  await expect(page.locator('form[novalidate]')).toHaveCount(1)
  await page.keyboard.type(' Bird')
  await expect.poll(() => draft(page)).toContain('name=Early+Bird')
  await addMember(page).click()
  await page.keyboard.type('Chick')
  await expect(page.getByRole('radio', { name: "Yes, I'll attend" })).toBeChecked()
  await expect(page.getByRole('radio', { name: 'iCal' })).toBeChecked()
  await expect(page.getByRole('button', { name: 'Remove Usher' })).toBeVisible()
  await submit(page).click()
  await expectSubmitted(page)
  expect(await readRsvps(site)).toMatchObject([
    {
      name: 'Early Bird',
      attending: true,
      calendarType: 'ical',
      familyMembers: [{ name: 'Chick' }],
      volunteerSignups: [{ role: { name: 'Usher' } }],
    },
  ])
})
