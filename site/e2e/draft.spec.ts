import type { Page } from '@playwright/test'
import {
  everything,
  expect,
  expectEverything,
  expectSubmitted,
  fillEverything,
  hold,
  open,
  readRsvps,
  submit,
  test,
} from './fixtures.ts'

const familyMember = (page: Page) => page.getByLabel('Name of family member 1')
const name = (page: Page) => page.getByLabel('Name', { exact: true })
const draft = (page: Page) => page.evaluate(() => sessionStorage.getItem('rsvp-draft') ?? '')

test.describe('a draft of the form', () => {
  test('is restored after a reload and on other pages, and is stored once', async ({ page, site, context }) => {
    await open(page, '/share')
    await fillEverything(page)
    await expect.poll(() => draft(page)).toContain('calendarType=ical')
    await page.getByRole('link', { name: 'Privacy' }).click()
    await expect(page.getByText(/until you send it/)).toBeVisible()
    await page.goBack()
    await expectEverything(page)
    await open(page, '/')
    await expectEverything(page)
    const other = await context.newPage()
    await open(other, '/share')
    await expect(name(other)).toHaveValue('')
    await expect(familyMember(other)).toHaveCount(0)
    await other.close()

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
    await page.getByRole('button', { name: 'Done' }).click()
    expect(await page.evaluate(() => ({ ...sessionStorage }))).toEqual({})
    await open(page, '/share')
    await expect(name(page)).toHaveValue('')
    await expect(familyMember(page)).toHaveCount(0)
    expect(await readRsvps(site)).toMatchObject([everything])
  })

  test.describe('whose code fails at first', () => {
    test.use({ expectedErrors: /Failed to load resource/ })

    test('has what was typed before that code came, and is there once a field is touched', async ({ page }) => {
      const release = await hold(page, '**/assets/parts.*')
      await open(page, '/share')
      await name(page).fill('Ana')
      await page.getByLabel('Email').fill('ana@cole.example')
      release()
      await expect.poll(() => draft(page)).toContain('name=Ana&email=ana')
      await fillEverything(page)
      await expect.poll(() => draft(page)).toContain('calendarType=ical')
      await page.route('**/assets/parts.*', (route) => route.abort())
      const failed = page.waitForEvent('requestfailed')
      await page.reload()
      await failed
      await page.unrouteAll()
      await page.getByLabel('Phone').focus()
      await expectEverything(page)
    })
  })
})

test.describe('the form before its scripts have loaded', () => {
  test('keeps what was typed and selected, also in a field that is in use, and sends it', async ({ page, site }) => {
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
    await page.getByRole('button', { name: 'Add Family Member' }).click()
    await page.keyboard.type('Chick')
    await expect(page.getByRole('radio', { name: "Yes, I'll attend" })).toBeChecked()
    await expect(page.getByRole('radio', { name: 'iCal' })).toBeChecked()
    await expect(page.getByRole('button', { name: 'Remove Usher' })).toBeVisible()
    await submit(page).click()
    await expectSubmitted(page)
    expect(await readRsvps(site)).toMatchObject([
      {
        ...{ name: 'Early Bird', attending: true, calendarType: 'ical', familyMembers: [{ name: 'Chick' }] },
        volunteerSignups: [{ role: { name: 'Usher' } }],
      },
    ])
  })

  test('keeps the row that is being typed in, however often fields are touched while they load', async ({ page }) => {
    const release = await hold(page, '**/assets/parts.*')
    await open(page, '/share')
    await page.getByRole('button', { name: 'Add Family Member' }).click()
    await familyMember(page).pressSequentially('Chick')
    await page.locator('form[novalidate]').evaluate((form) => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => {
        form.dispatchEvent(new FocusEvent('focusin', { bubbles: true }))
        port2.postMessage('again')
      }
      port2.postMessage('begin')
    })
    release()
    // Kept by the code that was loaded; a draft that is restored after that replaces the row.
    await expect.poll(() => draft(page)).toContain('Chick')
    await page.evaluate(() => new Promise(requestAnimationFrame))
    await expect(familyMember(page)).toBeFocused()
    await expect(familyMember(page)).toHaveValue('Chick')
  })
})
