import type { Page } from '@playwright/test'
import { age, expect, expectToast, fillForm, hold, open, pickRole, readRsvps, test } from './fixtures.ts'

const submit = (page: Page) => page.getByRole('button', { name: 'Submit RSVP' })
const familyMember = (page: Page) => page.getByLabel('Name of family member 1')
const storedSession = (page: Page) => page.evaluate(() => ({ ...sessionStorage }))

async function fillEverything(page: Page): Promise<void> {
  await fillForm(page)
  await page.getByLabel('Message').fill('Two lines\nof thanks')
  await page.getByRole('button', { name: 'Add Family Member' }).click()
  await page.keyboard.type('Joel & co')
  await page.getByText('Teen').click()
  await pickRole(page, 'Usher')
  await pickRole(page, 'Music')
  await page.getByText('iCal').click()
  await expect.poll(async () => (await storedSession(page))['rsvp-draft'] ?? '').toContain('calendarType=ical')
}

async function expectEverything(page: Page): Promise<void> {
  await expect(familyMember(page)).toHaveValue('Joel & co')
  await expect(age(page, 'Teen')).toBeChecked()
  await expect(page.getByRole('list', { name: 'Roles picked' }).getByRole('listitem')).toHaveText(['Usher', 'Music'])
  await expect(page.getByRole('radio', { name: "Yes, I'll attend" })).toBeChecked()
  await expect(page.getByRole('radio', { name: 'iCal' })).toBeChecked()
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Ana Cole')
  await expect(page.getByLabel('Email')).toHaveValue('ana@cole.example')
  await expect(page.getByLabel('Message')).toHaveValue('Two lines\nof thanks')
}

test.describe('a draft of the form', () => {
  test('is restored after a reload, after Back from the privacy page, and on the other page of the tab', async ({
    page,
    site,
    context,
  }) => {
    await open(page, '/share')
    await fillEverything(page)
    await page.reload()
    await expectEverything(page)
    await page.getByRole('link', { name: 'Privacy' }).click()
    await expect(page.getByText(/until you send it/)).toBeVisible()
    await page.goBack()
    await expectEverything(page)
    await open(page, '/')
    await expectEverything(page)

    const other = await context.newPage()
    await open(other, '/share')
    await expect(other.getByLabel('Name', { exact: true })).toHaveValue('')
    await expect(familyMember(other)).toHaveCount(0)

    await submit(page).click()
    await expectToast(page, 'RSVP Submitted', 'Thank you for your response!')
    await page.getByRole('button', { name: 'Done' }).click()
    expect(await storedSession(page)).toEqual({})
    await page.reload()
    await open(page, '/share')
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('')
    await expect(familyMember(page)).toHaveCount(0)
    expect(await readRsvps(site)).toMatchObject([
      { message: 'Two lines\nof thanks', familyMembers: [{ name: 'Joel & co', age: 'teen' }] },
    ])
  })

  test('is stored once although a reload lost the reply', async ({ page, site }) => {
    await open(page, '/share')
    await fillEverything(page)
    await page.route('**/api/rsvp', async (route) => {
      await route.fetch()
      await page.reload()
    })
    await submit(page).click()
    await expect.poll(async () => (await readRsvps(site)).length).toBe(1)
    await expectEverything(page)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await submit(page).click()
    await expectToast(page, 'RSVP Submitted', 'Thank you for your response!')
    expect(await readRsvps(site)).toHaveLength(1)
  })

  test('is ignored as far as it is damaged, and never breaks the page', async ({ page }) => {
    await open(page, '/share')
    for (const damaged of [
      '{"name":7',
      '%',
      'familyMembers.0.name=Kid&volunteerRoles=x&volunteerRoles=99&attending=maybe',
    ]) {
      await page.evaluate((text) => sessionStorage.setItem('rsvp-draft', text), damaged)
      await page.goto('/privacy')
      await open(page, '/share')
      await expect(page.getByLabel('Name', { exact: true })).toHaveValue('')
      await expect(page.getByRole('radio', { checked: true })).toHaveCount(0)
      await expect(familyMember(page)).toHaveCount(damaged.includes('Kid') ? 1 : 0)
      await page.evaluate(() => sessionStorage.clear())
    }
  })

  test('has what was typed before the code that keeps it was loaded', async ({ page }) => {
    const release = await hold(page, '**/assets/parts.*')
    await open(page, '/share')
    await page.getByLabel('Name', { exact: true }).fill('Ana')
    await page.getByLabel('Email').fill('ana@cole.example')
    release()
    await expect.poll(async () => (await storedSession(page))['rsvp-draft'] ?? '').toContain('name=Ana&email=ana')
  })

  test('has what is typed into a field that was in use before React started', async ({ page }) => {
    const release = await hold(page, '**/assets/visitors.*')
    await page.goto('/share', { waitUntil: 'commit' })
    await page.getByLabel('Name', { exact: true }).fill('Ana')
    release()
    await expect(page.locator('form[novalidate]')).toHaveCount(1)
    await page.keyboard.type(' Cole')
    await expect.poll(async () => (await storedSession(page))['rsvp-draft'] ?? '').toContain('name=Ana+Cole')
  })

  test.describe('that cannot be read at first', () => {
    test.use({ expectedErrors: /Failed to load resource/ })

    test('is there once a field is touched', async ({ page }) => {
      await open(page, '/share')
      await fillEverything(page)
      await page.route('**/assets/parts.*', (route) => route.abort())
      const failed = page.waitForEvent('requestfailed')
      await page.reload()
      await failed
      await page.unrouteAll()
      await page.getByLabel('Phone').fill('+1 555 0100')
      await expectEverything(page)
      await expect(page.getByLabel('Phone')).toHaveValue('+1 555 0100')
    })
  })

  test('is sent even if the browser has no space to store it', async ({ page, site }) => {
    await page.addInitScript(() => {
      Storage.prototype.setItem = () => {
        throw new DOMException('full', 'QuotaExceededError')
      }
    })
    await open(page, '/share')
    await fillForm(page)
    await submit(page).click()
    await expectToast(page, 'RSVP Submitted', 'Thank you for your response!')
    expect(await readRsvps(site)).toHaveLength(1)
  })
})
