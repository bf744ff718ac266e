import type { Page } from '@playwright/test'
import { expect, fillForm, open, pickRole, storeRsvps, test, testRsvp, testRsvps, toast } from './fixtures.ts'
import { expectNoFindings, findSmallTargets, overflowOf } from './usable.ts'

// Axe must not measure the contrast of a text that is still fading in.
test.use({ contextOptions: { reducedMotion: 'reduce' }, expectedErrors: /status of 404/ })

async function showErrors(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add Family Member' }).click()
  await pickRole(page, 'Usher')
  await page.getByRole('button', { name: 'Submit RSVP' }).click()
  await expect(page.getByText('Invalid email address')).toBeVisible()
}

async function askToDelete(page: Page): Promise<void> {
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  await page.getByRole('button', { name: 'Delete Selected' }).click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
}

const states: Record<string, { path: string; prepare?: (page: Page) => Promise<void> }> = {
  'the main page': { path: '/' },
  'the share view': { path: '/share' },
  'editing the event': { path: '/', prepare: (page) => page.getByRole('button', { name: 'Edit' }).click() },
  'the form with errors, a family member and a role': { path: '/share', prepare: showErrors },
  'a notice and the thank-you': {
    path: '/share',
    prepare: async (page) => {
      await fillForm(page)
      await page.getByRole('button', { name: 'Submit RSVP' }).click()
      await expect(toast(page)).toBeVisible()
      await page.mouse.move(0, 0)
    },
  },
  'the responses of the administration': { path: '/admin' },
  'the confirmation of a deletion': { path: '/admin', prepare: askToDelete },
  'the settings': { path: '/admin?tab=settings' },
  'the share tab': { path: '/admin?tab=share' },
  'an address that does not exist': { path: '/nope' },
}

const longWord = 'Wolfeschlegelsteinhausenbergerdorff'.repeat(3)
const longRsvp = testRsvp({
  name: longWord,
  email: `${'a'.repeat(60)}@${'b'.repeat(60)}.example`,
  phone: '1'.repeat(40),
  message: longWord,
  familyMembers: [{ name: longWord }],
  volunteerRoles: [1, 2],
})

test.describe('every screen', () => {
  for (const [state, { path, prepare }] of Object.entries(states)) {
    test(`is accessible and fits a phone: ${state}`, async ({ page, site }) => {
      await storeRsvps(site, [...testRsvps(19), longRsvp])
      await open(page, path)
      await prepare?.(page)
      await expectNoFindings(page, state)
      await page.setViewportSize({ width: 320, height: 640 })
      await expect.poll(() => overflowOf(page)).toBe(0)
      await page.setViewportSize({ width: 375, height: 800 })
      await expect.poll(() => page.evaluate(findSmallTargets)).toEqual([])
    })
  }
})

/** Shows the page as it is without JavaScript, while axe can still run its own. */
async function removeScripts(page: Page): Promise<void> {
  await page.route('**/*', async (route) => {
    if (!['document', 'stylesheet'].includes(route.request().resourceType())) return route.continue()
    const response = await route.fetch({ maxRedirects: 0 })
    const text = (await response.text()).replace(/<script\b[\s\S]*?<\/script>/g, '')
    await route.fulfill({ response, body: text.replace(/\(scripting:\s*none\)/g, 'all') })
  })
}

test.describe('the form without JavaScript', () => {
  test.use({ expectedErrors: /status of 400/ })

  test('is accessible and fits a phone, also with errors', async ({ page }) => {
    await removeScripts(page)
    await page.setViewportSize({ width: 320, height: 640 })
    await page.goto('/share')
    await expect(page.getByRole('checkbox', { name: 'Usher' })).toBeVisible()
    await expectNoFindings(page, 'at first')
    await page.getByRole('button', { name: 'Add Family Member' }).click()
    await page.getByLabel('Name', { exact: true }).fill('A')
    await page.getByLabel('Email').fill('a@b')
    await page.getByRole('button', { name: 'Submit RSVP' }).click()
    await expect(page.getByText('Invalid email address')).toBeVisible()
    await expectNoFindings(page, 'with errors')
    expect(await overflowOf(page)).toBe(0)
    await page.setViewportSize({ width: 375, height: 800 })
    expect(await page.evaluate(findSmallTargets)).toEqual([])
  })
})
