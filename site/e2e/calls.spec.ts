import type { Page } from '@playwright/test'
import { event } from './event-editing.ts'
import {
  expect,
  expectToast,
  fillForm,
  open,
  readRsvps,
  type Site,
  send,
  storeRsvps,
  test,
  testRsvps,
} from './fixtures.ts'

type Action = { path: string; call: string; act: (page: Page) => Promise<void>; success: string; failure?: string }

const confirmDeletion = (page: Page) => page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()

const actions: Record<string, Action> = {
  'an RSVP': {
    path: '/share',
    call: 'POST /api/rsvp',
    act: async (page) => {
      await fillForm(page)
      await page.getByRole('button', { name: 'Submit RSVP' }).click()
    },
    success: 'RSVP SubmittedThank you for your response!',
    failure: 'Failed to submit RSVP. Please try again.',
  },
  'a feature': {
    path: '/admin?tab=settings',
    call: 'PATCH /api/features',
    act: (page) => page.getByRole('switch', { name: 'Family RSVP' }).click(),
    success: 'Features UpdatedFeature settings have been saved successfully.',
    failure: 'Failed to update features',
  },
  'a deletion': {
    path: '/admin',
    call: 'DELETE /api/rsvps/1',
    act: async (page) => {
      await page.getByRole('button', { name: 'Delete the RSVP of Visitor 1' }).click()
      await confirmDeletion(page)
    },
    success: 'RSVP DeletedThe response has been deleted.',
    failure: 'Failed to delete RSVP',
  },
  'a deletion of several': {
    path: '/admin',
    call: 'DELETE /api/rsvps/1',
    act: async (page) => {
      await page.getByRole('checkbox', { name: 'Select all' }).check()
      await page.getByRole('button', { name: 'Delete Selected' }).click()
      await confirmDeletion(page)
    },
    success: 'RSVPs Deleted1 response was deleted.',
    failure: 'Failed to delete RSVPs. 0 responses were deleted, 1 not.',
  },
  'the event': {
    path: '/',
    call: 'POST /api/event',
    act: async (page) => {
      await page.getByRole('button', { name: 'Edit' }).click()
      await page.getByLabel('Page Title').fill('Vespers')
      await page.getByRole('button', { name: 'Confirm' }).click()
    },
    success: '',
  },
}

/** Stores a response to delete, and an event, so that a page does not post the default one when it starts. */
async function prepare(site: Site): Promise<void> {
  await storeRsvps(site, testRsvps(1))
  await send(site, 'POST', '/api/event', event)
}

/** Replies to a call instead of the server; the list that it returns grows with every such call. */
async function replyTo(page: Page, call: string, reply: { status: number; body: string }): Promise<string[]> {
  const [method, path] = call.split(' ')
  const calls: string[] = []
  await page.route(`**${path}`, async (route) => {
    if (route.request().method() !== method) return route.continue()
    calls.push(call)
    return route.fulfill(reply)
  })
  return calls
}

test.describe('a call whose reply is not read', () => {
  for (const [what, { path, call, act, success }] of Object.entries(actions)) {
    for (const body of what === 'an RSVP' ? ['', 'no JSON'] : ['']) {
      test(`succeeds with any body: ${what} with ${body || 'nothing'}`, async ({ page, site }) => {
        await prepare(site)
        await open(page, path)
        const calls = await replyTo(page, call, { status: 200, body })
        await act(page)
        await expect.poll(() => calls).toHaveLength(1)
        if (success !== '') await expectToast(page, success, '')
        if (what === 'an RSVP') await expect(page.getByRole('row').filter({ hasText: 'Ana Cole' })).toBeVisible()
        if (what === 'a feature') await expect(page.getByRole('switch', { name: 'Family RSVP' })).not.toBeChecked()
        if (what === 'the event') await expect(page.getByText('not sent yet')).toHaveCount(0)
        expect(calls).toHaveLength(1)
      })
    }
  }
})

test.describe('a call that fails', () => {
  test.use({ expectedErrors: /status of 503|Failed to (delete RSVPs|sync event details)/ })

  for (const [what, { path, call, act, failure }] of Object.entries(actions)) {
    test(`is sent once: ${what}`, async ({ page, site }) => {
      await prepare(site)
      await page.clock.install()
      await open(page, path)
      const calls = await replyTo(page, call, { status: 503, body: 'busy' })
      await act(page)
      if (failure !== undefined) await expectToast(page, 'Error', failure)
      else await expect(page.getByText('Saved on this device, not sent yet.')).toBeVisible()
      await page.clock.runFor('10:00')
      await page.evaluate(() => dispatchEvent(new Event('focus')))
      expect(calls).toEqual([call])
      expect(await readRsvps(site)).toHaveLength(1)
    })
  }
})

test.describe('a list that has loaded', () => {
  test('is not loaded again when the window is focused or visible again, nor after an hour', async ({ page, site }) => {
    await storeRsvps(site, testRsvps(1))
    await page.clock.install()
    const paths: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'GET' && request.url().includes('/api/')) paths.push(new URL(request.url()).pathname)
    })
    await open(page, '/admin')
    await page.getByText('Recently deleted').click()
    await expect(page.getByText('Nothing was deleted.')).toBeVisible()
    const initialPaths = [...paths]
    expect(initialPaths.filter((path) => path === '/api/rsvps/deleted')).toHaveLength(1)
    const other = await page.context().newPage()
    await other.bringToFront()
    await page.bringToFront()
    await page.evaluate(() => {
      for (const type of ['blur', 'focus', 'online', 'pageshow']) dispatchEvent(new Event(type))
      document.dispatchEvent(new Event('visibilitychange'))
    })
    await page.clock.runFor('01:00:00')
    expect(paths).toEqual(initialPaths)
  })
})
