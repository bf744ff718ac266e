import type { BrowserContext, Page, Route } from '@playwright/test'
import { event, openWithEvent } from './event-editing.ts'
import {
  age,
  expect,
  expectToast,
  fillForm,
  hold,
  open,
  pickRole,
  readRsvps,
  roles,
  send,
  test,
  toast,
} from './fixtures.ts'

const submit = (page: Page) => page.getByRole('button', { name: /^Submit/ })

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
  test('says Submitting... while it is pending, and clears the form afterwards', async ({ page, site }) => {
    const release = await hold(page, '**/api/rsvp')
    await open(page, '/share')
    await fillEverything(page)
    await submit(page).click()
    await expect(submit(page)).toHaveText('Submitting...')
    await expect(submit(page)).toBeDisabled()
    await page.getByLabel('Phone').press('Enter')
    await expectEverything(page)
    release()
    await expectToast(page, 'RSVP Submitted', 'Thank you for your response!')
    await expect(submit(page)).toHaveCount(0)
    await page.getByRole('link', { name: 'Respond for another family' }).click()
    await expect(submit(page)).toHaveText('Submit RSVP')
    await expect(submit(page)).toBeEnabled()
    for (const radio of await page.getByRole('radio').all()) await expect(radio).not.toBeChecked()
    for (const label of ['Name', 'Email']) await expect(page.getByLabel(label, { exact: true })).toHaveValue('')
    for (const label of ['Phone', 'Message']) await expect(page.getByLabel(label)).toHaveValue('')
    await expect(page.getByLabel('Name of family member 1')).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Remove Usher' })).toHaveCount(0)
    expect(await readRsvps(site)).toHaveLength(1)
  })

  test('stores one RSVP when the button is double-clicked', async ({ page, site }) => {
    await open(page, '/share')
    await fillForm(page)
    await submit(page).dblclick()
    await expectToast(page, 'RSVP Submitted', 'Thank you for your response!')
    await expect(page.getByRole('rowheader', { name: 'Ana Cole' })).toHaveCount(1)
    expect(await readRsvps(site)).toHaveLength(1)
  })

  test.describe('when it fails', () => {
    test.use({ expectedErrors: /Failed to load resource/ })

    const replyWith = (reply: (route: Route) => Promise<void>) => (context: BrowserContext) =>
      context.route('**/api/rsvp', reply)
    const failures = {
      'a 500': replyWith((route) => route.fulfill({ status: 500, body: 'no' })),
      'a 503': replyWith((route) => route.fulfill({ status: 503, json: { title: 'busy', status: 503 } })),
      'a reset connection': replyWith((route) => route.abort('connectionreset')),
    }
    for (const [failure, cause] of Object.entries(failures)) {
      test(`keeps everything typed and reports it: ${failure}`, async ({ page, context, site }) => {
        await open(page, '/share')
        await fillEverything(page)
        await cause(context)
        await submit(page).click()
        await expectToast(page, 'Error', 'Failed to submit RSVP. Please try again.')
        await expectEverything(page)
        await expect(submit(page)).toBeEnabled()
        await expect(page.getByText('Not sent yet. Everything you typed is still here')).toBeVisible()

        await context.unrouteAll()
        await submit(page).click()
        await expectToast(page, 'RSVP Submitted', 'Thank you for your response!')
        expect(await readRsvps(site)).toMatchObject([
          { name: 'Ana Cole', message: 'Two lines\nof thanks', familyMembers: [{ name: 'Joel', age: 'teen' }] },
        ])
      })
    }

    test('shows the message of a field that only the server refuses', async ({ page }) => {
      const errors = [{ path: 'volunteerRoles', message: 'Usher is no longer offered.' }]
      await page.route('**/api/rsvp', (route) => route.fulfill({ status: 400, json: { status: 400, errors } }))
      await open(page, '/share')
      await fillEverything(page)
      await submit(page).click()
      await expectToast(page, 'Error', 'Failed to submit RSVP. Please try again.')
      await expect(roles(page)).toHaveAccessibleDescription('Usher is no longer offered.')
      await expect(page.getByText('Usher is no longer offered.')).toBeFocused()
      await expectEverything(page)
    })

    test('repeats an unchanged RSVP under the same key, and sends a changed one under a new key', async ({
      page,
      site,
    }) => {
      const keys: (string | undefined)[] = []
      // All are stored, but the first two replies are lost.
      await page.route('**/api/rsvp', async (route) => {
        keys.push(route.request().headers()['idempotency-key'])
        const reply = await route.fetch()
        if (keys.length < 3) await route.abort('connectionreset')
        else await route.fulfill({ response: reply })
      })
      await open(page, '/share')
      await fillForm(page)
      for (const attempts of [1, 2]) {
        await submit(page).click()
        await expect.poll(() => keys.length).toBe(attempts)
        await expect(submit(page)).toHaveText('Submit RSVP')
        await expectToast(page, 'Error', 'Failed to submit RSVP. Please try again.')
      }
      expect(await readRsvps(site)).toHaveLength(1)
      await page.getByLabel('Message').fill('One more thing')
      await submit(page).click()
      await expectToast(page, 'RSVP Submitted', 'Thank you for your response!')
      expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
      expect(keys[1]).toBe(keys[0])
      expect(keys[2]).not.toBe(keys[0])
      expect(await readRsvps(site)).toMatchObject([{ message: 'One more thing' }, { message: null }])
    })

    test('is left to the browser where the code for it could not be loaded', async ({ page, site }) => {
      await page.route('**/assets/parts.*', (route) => route.abort())
      await open(page, '/share')
      await fillEverything(page)
      await submit(page).click()
      await expect(page).toHaveURL(/\/share\?thanks=/)
      await expect(page.getByRole('heading', { name: 'Thank you, Ana Cole' })).toBeVisible()
      expect(await readRsvps(site)).toMatchObject([
        { name: 'Ana Cole', familyMembers: [{ name: 'Joel', age: 'teen' }], volunteerSignups: [{}] },
      ])
      await page.reload()
      await expect(page.getByLabel('Name', { exact: true })).toHaveValue('')
    })

    test('is reported even if the server has stopped, because the code of the notice is loaded already', async ({
      page,
      site,
    }) => {
      const loaded = ['parts', 'Toast'].map((name) => page.waitForResponse(`**/assets/${name}.*`))
      await send(site, 'POST', '/api/event', event)
      await openWithEvent(page, '/share')
      await fillForm(page)
      // With all that it imports.
      for (const response of await Promise.all(loaded)) await page.evaluate((url) => import(url), response.url())
      await site.stop()
      await submit(page).click()
      await expect(toast(page)).toContainText('Failed to submit RSVP. Please try again.')
      await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Ana Cole')
    })
  })
})
