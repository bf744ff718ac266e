import type { Page } from '@playwright/test'
import { expect, fillForm, open, storeRsvps, test, testRsvp, testRsvps, toast } from './fixtures.ts'
import { expectNoFindings, lowTargets, overflow } from './usable.ts'

// Nothing may be half faded when it is looked at.
test.use({ contextOptions: { reducedMotion: 'reduce' }, expectedErrors: /status of 404/ })

async function showMistakes(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add Family Member' }).click()
  await page.getByLabel('Volunteer Roles').selectOption({ label: 'Usher' })
  await page.getByRole('button', { name: 'Submit RSVP' }).click()
  await expect(page.getByText('Invalid email address')).toBeVisible()
}

async function askToDelete(page: Page): Promise<void> {
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  await page.getByRole('button', { name: 'Delete Selected' }).click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
}

const states: Record<string, { path: string; reach?: (page: Page) => Promise<void> }> = {
  'the main page': { path: '/' },
  'the share view': { path: '/share' },
  'editing the event': { path: '/', reach: (page) => page.getByRole('button', { name: 'Edit' }).click() },
  'the form with mistakes, a family member and a role': { path: '/share', reach: showMistakes },
  'a notice and the thanks': {
    path: '/share',
    reach: async (page) => {
      await fillForm(page)
      await page.getByRole('button', { name: 'Submit RSVP' }).click()
      await expect(toast(page)).toBeVisible()
      await page.mouse.move(0, 0)
    },
  },
  'the responses of the administration': { path: '/admin' },
  'the question before deleting': { path: '/admin', reach: askToDelete },
  'the settings': { path: '/admin?tab=settings' },
  'the share tab': { path: '/admin?tab=share' },
  'an address that does not exist': { path: '/nope' },
}

const long = 'Wolfeschlegelsteinhausenbergerdorff'.repeat(3)
const demanding = testRsvp({
  name: long,
  email: `${'a'.repeat(60)}@${'b'.repeat(60)}.example`,
  phone: '1'.repeat(40),
  message: long,
  familyMembers: [{ name: long }],
  volunteerRoles: [1, 2],
})

test.describe('every screen', () => {
  for (const [state, { path, reach }] of Object.entries(states)) {
    test(`can be used by everyone and fits a phone: ${state}`, async ({ page, site }) => {
      await storeRsvps(site, [...testRsvps(19), demanding])
      await open(page, path)
      await reach?.(page)
      await expectNoFindings(page, state)
      await page.setViewportSize({ width: 320, height: 640 })
      await expect.poll(() => overflow(page)).toBe(0)
      await page.setViewportSize({ width: 375, height: 800 })
      await expect.poll(() => page.evaluate(lowTargets)).toEqual([])
    })
  }
})

/** The page as it is without JavaScript, although axe may run its own. */
async function takeScriptsAway(page: Page): Promise<void> {
  await page.route('**/*', async (route) => {
    if (!['document', 'stylesheet'].includes(route.request().resourceType())) return route.continue()
    const response = await route.fetch({ maxRedirects: 0 })
    const text = (await response.text()).replace(/<script\b[\s\S]*?<\/script>/g, '')
    await route.fulfill({ response, body: text.replace(/\(scripting:\s*none\)/g, 'all') })
  })
}

test.describe('without JavaScript, the form', () => {
  test.use({ expectedErrors: /status of 400/ })

  test('can be used by everyone and fits a phone, with mistakes too', async ({ page }) => {
    await takeScriptsAway(page)
    await page.setViewportSize({ width: 320, height: 640 })
    await page.goto('/share')
    await expect(page.getByRole('checkbox', { name: 'Usher' })).toBeVisible()
    await expectNoFindings(page, 'at first')
    await page.getByRole('button', { name: 'Add Family Member' }).click()
    await page.getByLabel('Name', { exact: true }).fill('A')
    await page.getByLabel('Email').fill('a@b')
    await page.getByRole('button', { name: 'Submit RSVP' }).click()
    await expect(page.getByText('Invalid email address')).toBeVisible()
    await expectNoFindings(page, 'with mistakes')
    expect(await overflow(page)).toBe(0)
    await page.setViewportSize({ width: 375, height: 800 })
    expect(await page.evaluate(lowTargets)).toEqual([])
  })
})
