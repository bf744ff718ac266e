import type { Page } from '@playwright/test'
import {
  expect,
  expectToast,
  fillForm,
  open,
  readRsvps,
  type Site,
  send,
  storeManyRsvps,
  storeRsvps,
  test,
  testRsvps,
} from './fixtures.ts'

type Act = { path: string; call: string; act: (page: Page) => Promise<void>; done: string; failed?: string }

const confirmDeletion = (page: Page) => page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()

const acts: Record<string, Act> = {
  'an answer': {
    path: '/share',
    call: 'POST /api/rsvp',
    act: async (page) => {
      await fillForm(page)
      await page.getByRole('button', { name: 'Submit RSVP' }).click()
    },
    done: 'RSVP SubmittedThank you for your response!',
    failed: 'Failed to submit RSVP. Please try again.',
  },
  'a feature': {
    path: '/admin?tab=settings',
    call: 'PATCH /api/features',
    act: (page) => page.getByRole('switch', { name: 'Family RSVP' }).click(),
    done: 'Features UpdatedFeature settings have been saved successfully.',
    failed: 'Failed to update features',
  },
  'a deletion': {
    path: '/admin',
    call: 'DELETE /api/rsvps/1',
    act: async (page) => {
      await page.getByRole('button', { name: 'Delete the RSVP of Guest 1' }).click()
      await confirmDeletion(page)
    },
    done: 'RSVP DeletedThe response has been deleted.',
    failed: 'Failed to delete RSVP',
  },
  'a deletion of several': {
    path: '/admin',
    call: 'DELETE /api/rsvps/1',
    act: async (page) => {
      await page.getByRole('checkbox', { name: 'Select all' }).check()
      await page.getByRole('button', { name: 'Delete Selected' }).click()
      await confirmDeletion(page)
    },
    done: 'RSVPs Deleted1 response was deleted.',
    failed: 'Failed to delete RSVPs. 0 responses were deleted, 1 not.',
  },
  'the event': {
    path: '/',
    call: 'POST /api/event',
    act: async (page) => {
      await page.getByRole('button', { name: 'Edit' }).click()
      await page.getByLabel('Page Title').fill('Vespers')
      await page.getByRole('button', { name: 'Confirm' }).click()
    },
    done: '',
  },
}

/** Something to delete, and an event, so that the start of a page posts none. */
async function prepare(site: Site): Promise<void> {
  await storeRsvps(site, testRsvps(1))
  const event = { title: 't', subtitle: 's', description: 'd', date: 'd', time: 't', location: 'l' }
  await send(site, 'POST', '/api/event', event)
}

/** Answers one call with this, counts how often it comes, and says so in `calls`. */
async function answerCall(page: Page, call: string, answer: { status: number; body: string }): Promise<string[]> {
  const [method, path] = call.split(' ')
  const calls: string[] = []
  await page.route(`**${path}`, async (route) => {
    if (route.request().method() !== method) return route.continue()
    calls.push(call)
    return route.fulfill(answer)
  })
  return calls
}

test.describe('a call whose answer is not read', () => {
  for (const [what, { path, call, act, done }] of Object.entries(acts)) {
    for (const body of what === 'an answer' ? ['', 'no JSON'] : ['']) {
      test(`succeeds whatever comes back: ${what} with ${body || 'nothing'}`, async ({ page, site }) => {
        await prepare(site)
        await open(page, path)
        const calls = await answerCall(page, call, { status: 200, body })
        await act(page)
        if (done !== '') await expectToast(page, done, '')
        if (what === 'an answer') await expect(page.getByRole('row').filter({ hasText: 'Ana Cole' })).toBeVisible()
        if (what === 'a feature') await expect(page.getByRole('switch', { name: 'Family RSVP' })).not.toBeChecked()
        if (what === 'the event') await expect(page.getByText('not sent yet')).toHaveCount(0)
        expect(calls).toHaveLength(1)
      })
    }
  }
})

test.describe('a call that fails', () => {
  test.use({ expectedErrors: /status of 503|Failed to (delete RSVPs|sync event details)/ })

  for (const [what, { path, call, act, failed }] of Object.entries(acts)) {
    test(`is sent once: ${what}`, async ({ page, site }) => {
      await prepare(site)
      await page.clock.install()
      await open(page, path)
      const calls = await answerCall(page, call, { status: 503, body: 'busy' })
      await act(page)
      if (failed !== undefined) await expectToast(page, 'Error', failed)
      else await expect(page.getByText('Saved on this device, not sent yet.')).toBeVisible()
      await page.clock.runFor('10:00')
      await page.evaluate(() => dispatchEvent(new Event('focus')))
      expect(calls).toEqual([call])
      expect(await readRsvps(site)).toHaveLength(1)
    })
  }
})

test.describe('a list that was read', () => {
  test('is not read again when the window gets the focus or is seen again, nor after an hour', async ({
    page,
    site,
  }) => {
    await storeManyRsvps(site, 205)
    await page.clock.install()
    const read: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'GET' && request.url().includes('/api/')) read.push(new URL(request.url()).pathname)
    })
    await open(page, '/admin')
    await expect(page.getByRole('row')).toHaveCount(206)
    const atFirst = [...read]
    expect(atFirst).toContain('/api/rsvps')
    const other = await page.context().newPage()
    await other.bringToFront()
    await page.bringToFront()
    await page.evaluate(() => {
      for (const type of ['blur', 'focus', 'online', 'pageshow']) dispatchEvent(new Event(type))
      document.dispatchEvent(new Event('visibilitychange'))
    })
    await page.clock.runFor('01:00:00')
    expect(read).toEqual(atFirst)
  })
})
