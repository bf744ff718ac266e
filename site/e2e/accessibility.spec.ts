import type { Page } from '@playwright/test'
import { testPicture } from '#db/church-fixtures.ts'
import { addDays } from '#db/values/dates.ts'
import { deleteSelected, expect, open, test, toast } from './fixtures.ts'
import { fillForm, pickRole, submit } from './form.ts'
import { guarded, signIn, signInForm } from './guarded.ts'
import { confirmSchedule, moveToWeek, storeRsvps, testRsvps } from './stored.ts'
import { expectDarkContrast, expectUsable, longRsvp, longRsvps } from './usable.ts'

test.use({ expectedErrors: /status of (400|401|404)/ })

/** Opens each state of a page, and expects it to be usable. */
async function expectStates(
  page: Page,
  states: Record<string, { path?: string; prepare?: () => Promise<unknown>; dark?: boolean; within?: string }>,
): Promise<void> {
  for (const [state, { path, prepare, dark, within }] of Object.entries(states))
    await test.step(state, async () => {
      if (path) await open(page, path)
      await prepare?.()
      await page.mouse.move(0, 0)
      await expectUsable(page, state, within)
      if (dark) await expectDarkContrast(page, state, within)
    })
}

test.describe('every screen is accessible and fits a phone', () => {
  test('of visitors', async ({ page, site }) => {
    await storeRsvps(site, longRsvps)
    await expectStates(page, {
      'the main page, where the event is edited': {
        path: '/',
        prepare: () => page.getByRole('button', { name: 'Edit' }).click(),
      },
      'the form with errors, a family member and a role': {
        path: '/share',
        prepare: async () => {
          await page.getByRole('button', { name: 'Add Family Member' }).click()
          await pickRole(page, 'Usher')
          await submit(page).click()
          await expect(page.getByText('Invalid email address')).toBeVisible()
        },
        within: '#rsvp-form',
        dark: true,
      },
      'a notice and the thank-you': {
        prepare: async () => {
          await page.getByRole('button', { name: 'Remove family member 1' }).click()
          await fillForm(page)
          await submit(page).click()
          await expect(toast(page)).toBeVisible()
        },
      },
      'the privacy page': { path: '/privacy' },
      'an address that does not exist': { path: '/nope' },
    })
  })

  test('of the administration', async ({ page, site }) => {
    const weeks = await confirmSchedule(site)
    await storeRsvps(site, longRsvps)
    moveToWeek(site, 'Visitor', weeks.before)
    moveToWeek(site, 'Visitor 5', addDays(weeks.before, -28))
    await expectStates(page, {
      'the week, with the question how many came and all that is folded opened': {
        path: '/admin',
        prepare: async () => {
          await expect(page.getByRole('region', { name: 'How many really came?' })).toBeVisible()
          await page.getByText('Other weeks').click()
        },
      },
      'the confirmation of a deletion': {
        path: '/admin?week=all',
        within: '[role=alertdialog]',
        prepare: async () => {
          await page.getByRole('checkbox', { name: 'Select all' }).check()
          await page.getByRole('button', { name: 'Delete Selected' }).click()
        },
      },
      'the list of the settings on a phone': {
        path: '/admin?tab=settings',
        within: '.sections',
        prepare: () => page.setViewportSize({ width: 390, height: 844 }),
      },
      'the church with a picture': {
        within: '#church',
        path: '/admin?tab=settings#church',
        prepare: async () => {
          const picture = { name: 'church.jpg', mimeType: 'image/jpeg', buffer: await testPicture() }
          await page.getByLabel('Picture').setInputFiles(picture)
          await expect(page.getByRole('img', { name: 'The picture of your church' })).toBeVisible()
          await page.setViewportSize({ width: 1280, height: 720 })
        },
      },
      'the share tab': { path: '/admin?tab=share', within: '[role=tabpanel]' },
      'the sheet': { path: `/admin/sheet?week=${weeks.before}` },
      'the poster': { path: '/admin/poster' },
    })
  })

  test.describe('of a guarded site', () => {
    test.use({ variables: guarded })

    test('for visitors and the administrator', async ({ page, site }) => {
      const suspicious = { ...longRsvp, website: 'spam' }
      await storeRsvps(site, [...testRsvps(4), suspicious, { ...suspicious, name: 'Ana' }])
      await expectStates(page, {
        'signing in with a wrong password': {
          path: '/admin',
          prepare: async () => {
            await signInForm(page).password.fill('a wrong password')
            await signInForm(page).submit.click()
            await expect(page.getByText('The password is wrong. Try again.')).toBeVisible()
          },
        },
      })
      await signIn(page)
      await expectStates(page, {
        'the notice with Undo, above what was deleted': {
          path: '/admin',
          prepare: async () => {
            await page.getByRole('checkbox', { name: 'Select Visitor 3' }).check()
            await deleteSelected(page)
            await expect(toast(page).getByRole('button', { name: 'Undo' })).toBeVisible()
            await page.getByText('Recently deleted').click()
            await expect(page.getByRole('button', { name: /^Restore the RSVP of/ }).first()).toBeVisible()
            await expect(page.getByText(/Perhaps spam/).first()).toBeVisible()
          },
          dark: true,
        },
      })
    })
  })

  test('of the form without JavaScript, with errors', async ({ page }) => {
    // The page as it is without JavaScript, while axe can still run its own.
    await page.route('**/*', async (route) => {
      if (!['document', 'stylesheet'].includes(route.request().resourceType())) return route.continue()
      const response = await route.fetch({ maxRedirects: 0 })
      const text = (await response.text()).replace(/<script\b[\s\S]*?<\/script>/g, '')
      await route.fulfill({ response, body: text.replace(/\(scripting:\s*none\)/g, 'all') })
    })
    await page.goto('/share')
    await page.getByRole('button', { name: 'Add Family Member' }).click()
    await page.getByLabel('Name', { exact: true }).fill('A')
    await page.getByLabel('Email').fill('a@b')
    await submit(page).click()
    await expect(page.getByText('Invalid email address')).toBeVisible()
    await expectUsable(page, 'with errors')
  })
})
