import type { Page } from '@playwright/test'
import { expect, expectToast, open, storeRsvps, test, testRsvps, toast } from './fixtures.ts'
import { callAs, deleteTwoTogether, endSessions, guarded, readRsvpsAs, signIn, signInForm } from './guarded.ts'

test.use({
  variables: guarded,
  expectedErrors: /status of 401|Failed to (delete RSVPs|sync event details|initialize event)/,
})

const confirm = (page: Page) => page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()

type Action = {
  tab?: string
  act: (page: Page) => Promise<void>
  failure: string
  after?: (page: Page) => Promise<void>
}

const actions: Record<string, Action> = {
  'deleting one response': {
    act: async (page) => {
      await page.getByRole('button', { name: 'Delete the RSVP of Visitor 1' }).click()
      await confirm(page)
    },
    failure: 'Failed to delete RSVP.',
  },
  'deleting several responses': {
    act: async (page) => {
      await page.getByRole('checkbox', { name: 'Select all' }).check()
      await page.getByRole('button', { name: 'Delete Selected' }).click()
      await confirm(page)
    },
    failure: 'Failed to delete RSVPs. 0 responses were deleted, 2 not.',
    after: (page) => expect(page.getByRole('checkbox', { name: 'Select all' })).toBeChecked(),
  },
  'downloading the responses': {
    act: (page) => page.getByRole('button', { name: 'Download CSV' }).click(),
    failure: 'Failed to download CSV.',
  },
  'listing deleted responses': {
    act: (page) => page.getByText('Recently deleted').click(),
    failure: 'Failed to load deleted responses.',
    after: (page) => expect(page.getByText('The deleted responses could not be loaded.')).toBeVisible(),
  },
  'switching a feature': {
    tab: 'settings',
    act: (page) => page.getByRole('switch', { name: 'Family RSVP' }).click(),
    failure: 'Failed to update features.',
    after: (page) => expect(page.getByRole('switch', { name: 'Family RSVP' })).toBeChecked(),
  },
  'changing the public list': {
    tab: 'settings',
    act: (page) => page.getByRole('radio', { name: 'No list' }).click(),
    failure: 'Failed to update settings.',
    after: (page) => expect(page.getByRole('radio', { name: 'First name and last initial' })).toBeChecked(),
  },
  'adding a role': {
    tab: 'settings',
    act: async (page) => {
      await page.getByLabel('New role').fill('Sound')
      await page.getByLabel('New role').press('Enter')
    },
    failure: 'Failed to add the role.',
    after: (page) => expect(page.getByLabel('New role')).toHaveValue('Sound'),
  },
}

test.describe('after the session has ended', () => {
  for (const [action, { tab, act, failure, after }] of Object.entries(actions)) {
    test(`${action} reports it, changes nothing and offers to sign in`, async ({ page, site }) => {
      await storeRsvps(site, testRsvps(2))
      await signIn(page)
      await open(page, tab ? `/admin?tab=${tab}` : '/admin')
      endSessions(site)
      await act(page)
      await expectToast(page, 'Error', `${failure} You are no longer signed in.`)
      await after?.(page)
      await toast(page).getByRole('button', { name: 'Sign in' }).click()
      await expect(signInForm(page).password).toBeFocused()
      await signIn(page)
      expect(await readRsvpsAs(page)).toHaveLength(2)
    })
  }

  test('a download fails, also after a sign-out in another tab', async ({ page, site, context }) => {
    await storeRsvps(site, testRsvps(2))
    await signIn(page)
    await open(page, '/admin')
    const other = await context.newPage()
    await other.goto('/admin')
    await other.getByRole('button', { name: 'Sign Out' }).click()
    await expect(other).toHaveURL('/')
    await page.getByRole('button', { name: 'Download CSV' }).click()
    await expectToast(page, 'Error', 'Failed to download CSV. You are no longer signed in.')
  })

  test('Undo reports it, and works after signing in again', async ({ page, site }) => {
    await storeRsvps(site, testRsvps(2))
    await signIn(page)
    await open(page, '/admin')
    await page.getByRole('button', { name: 'Delete the RSVP of Visitor 1' }).click()
    await confirm(page)
    await expectToast(page, 'RSVP Deleted', 'The response has been deleted.')
    endSessions(site)
    await toast(page).getByRole('button', { name: 'Undo' }).click()
    await expectToast(page, 'Error', 'Failed to restore RSVPs. You are no longer signed in.')
    await signIn(page)
    await open(page, '/admin')
    await page.getByText('Recently deleted').click()
    await page.getByRole('button', { name: 'Restore the RSVP of Visitor 1' }).click()
    await expectToast(page, 'RSVPs Restored', '1 response is back in the list.')
    await expect(page.getByRole('row')).toHaveCount(3)
  })

  test('restoring what was deleted together reports it, and works after signing in again', async ({ page, site }) => {
    await storeRsvps(site, testRsvps(3))
    deleteTwoTogether(site)
    await signIn(page)
    await open(page, '/admin')
    await page.getByText('Recently deleted').click()
    const restoreAll = page.getByRole('button', { name: /^Restore all 2 responses/ })
    await expect(restoreAll).toBeVisible()
    endSessions(site)
    await restoreAll.click()
    await expectToast(page, 'Error', 'Failed to restore RSVPs. You are no longer signed in.')
    await signIn(page)
    await open(page, '/admin')
    await toast(page).getByRole('button', { name: 'Undo' }).click()
    await expectToast(page, 'RSVPs Restored', '2 responses are back in the list.')
    expect(await readRsvpsAs(page)).toHaveLength(3)
  })

  test('an edit of the event is kept on the device, and is sent after signing in again', async ({ page, site }) => {
    await signIn(page)
    await callAs(page, 'GET', '/api/event')
    await open(page, '/')
    await page.getByRole('button', { name: 'Edit' }).click()
    endSessions(site)
    await page.getByLabel('Time', { exact: true }).fill('9:15 AM')
    const logged = page.waitForEvent('console', (message) => message.text().startsWith('Failed to sync event details'))
    await page.getByRole('button', { name: 'Confirm' }).click()
    await logged
    await expect(page.getByText('9:15 AM', { exact: true })).toBeVisible()
    await signIn(page)
    await open(page, '/')
    await expect(page.getByText('9:15 AM', { exact: true })).toBeVisible()
    await expect.poll(async () => (await (await fetch(`${site.url}/api/event`)).json())?.time).toBe('9:15 AM')
  })
})
