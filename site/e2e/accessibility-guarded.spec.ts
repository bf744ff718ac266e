import type { Page } from '@playwright/test'
import { expect, open, storeRsvps, test, testRsvp, testRsvps, toast } from './fixtures.ts'
import { callAs, deleteTwoTogether, endSessions, guarded, signIn, signInForm } from './guarded.ts'
import { expectNoFindings, findSmallTargets, overflowOf } from './usable.ts'

// Axe must not measure the contrast of a text that is still fading in.
test.use({
  variables: guarded,
  contextOptions: { reducedMotion: 'reduce' },
  expectedErrors: /status of 401|^Failed to initialize event/,
})

const longWord = 'Wolfeschlegelsteinhausenbergerdorff'.repeat(3)

async function signInWithWrongPassword(page: Page): Promise<void> {
  await signInForm(page).password.fill('a wrong password')
  await signInForm(page).submit.click()
  await expect(page.getByText('The password is wrong. Try again.')).toBeVisible()
}

async function openDeleted({ page, site }: { page: Page; site: Parameters<typeof endSessions>[0] }): Promise<void> {
  deleteTwoTogether(site)
  await page.getByText('Recently deleted').click()
  await expect(page.getByText(/^Deleted on/).first()).toBeVisible()
  await expect(page.getByRole('button', { name: /^Restore all 2 responses/ })).toBeVisible()
  await expect(page.getByText(/Perhaps spam/).first()).toBeVisible()
}

async function deleteOne(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Delete the RSVP of Visitor 3', exact: true }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(toast(page).getByRole('button', { name: 'Undo' })).toBeVisible()
  await page.mouse.move(0, 0)
}

async function failToDownload({ page, site }: { page: Page; site: Parameters<typeof endSessions>[0] }): Promise<void> {
  endSessions(site)
  await page.getByRole('button', { name: 'Download CSV' }).click()
  await expect(toast(page).getByRole('button', { name: 'Sign in' })).toBeVisible()
  await page.mouse.move(0, 0)
}

type State = {
  path: string
  signedIn?: boolean
  publicNames?: string
  prepare?: (at: { page: Page; site: Parameters<typeof endSessions>[0] }) => Promise<void>
}
const states: Record<string, State> = {
  'signing in': { path: '/admin' },
  'signing in with a wrong password': { path: '/admin', prepare: ({ page }) => signInWithWrongPassword(page) },
  'the privacy page': { path: '/privacy' },
  'the main page of a visitor': { path: '/' },
  'the share view with counts only': { path: '/share', publicNames: 'counts' },
  'the main page without a list': { path: '/', publicNames: 'none' },
  'the administration with deleted responses': {
    path: '/admin',
    signedIn: true,
    prepare: openDeleted,
  },
  'the notice with Undo': { path: '/admin', signedIn: true, prepare: ({ page }) => deleteOne(page) },
  'the notice with Sign in': { path: '/admin', signedIn: true, prepare: failToDownload },
  'the settings with the public list': { path: '/admin?tab=settings', signedIn: true },
}

test.describe('every screen of a guarded site', () => {
  for (const [state, { path, signedIn = false, publicNames = 'initial', prepare }] of Object.entries(states)) {
    test(`is accessible and fits a phone: ${state}`, async ({ page, site }) => {
      const suspicious = testRsvp({
        name: longWord,
        email: `${'a'.repeat(60)}@${'b'.repeat(60)}.example`,
        message: longWord,
        familyMembers: [{ name: longWord }],
        website: 'spam',
      })
      await storeRsvps(site, [
        ...testRsvps(5),
        suspicious,
        { ...suspicious, name: `${longWord} ${longWord}`.slice(0, 200) },
      ])
      await signIn(page)
      await callAs(page, 'DELETE', '/api/rsvps/1')
      await callAs(page, 'DELETE', '/api/rsvps/7')
      await callAs(page, 'PATCH', '/api/settings', { publicNames })
      if (!signedIn) await page.context().clearCookies()
      await open(page, path)
      await prepare?.({ page, site })
      await expectNoFindings(page, state)
      for (const width of [320, 375, 768, 1024, 1280]) {
        await page.setViewportSize({ width, height: 800 })
        expect(await overflowOf(page), `${width} px`).toBe(0)
        if (width < 800) await expect.poll(() => page.evaluate(findSmallTargets), `${width} px`).toEqual([])
      }
    })
  }
})
