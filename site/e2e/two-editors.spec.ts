import type { Page } from '@playwright/test'
import { beginEdit, choice, confirmEdit, edit, event, openTwoEditors, readEvent, unsentNote } from './event-editing.ts'
import { expect, open, test } from './fixtures.ts'
import { send } from './stored.ts'
import { expectUsable } from './usable.ts'

test.use({
  expectedErrors: /status of 401|Failed to (sync event details|load resource)|ERR_INTERNET|dynamically imported module/,
})

const article = (page: Page) => page.getByRole('article')
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true })
const storedSession = (page: Page) => page.evaluate(() => ({ ...sessionStorage }))
const heading = (page: Page) => page.getByRole('heading', { level: 1 })

test('two editors of the event, one of them offline, choose between their versions, and nothing is overwritten before', async ({
  page,
  site,
}) => {
  const other = await openTwoEditors(page, site)
  // The editor's code has loaded.
  await page.waitForLoadState('networkidle')
  await page.context().setOffline(true)
  await edit(page, { Time: '11 AM', Date: 'October 11', 'Contact (optional)': '555-0100' })
  await expect(unsentNote(page)).toBeVisible()
  const sent = other.waitForRequest((request) => request.method() === 'POST')
  await edit(other, { Time: '9 AM', Location: 'By the lake' })
  expect((await sent).postDataJSON()).toEqual({ time: '9 AM', location: 'By the lake' })
  await expect.poll(() => readEvent(site)).toMatchObject({ time: '9 AM' })
  await other.context().close()

  await page.context().setOffline(false)
  await expect(heading(page)).toHaveText('The event was changed twice')
  await expectUsable(page, 'the choice between two versions')
  expect(await readEvent(site)).toMatchObject({ time: '9 AM', date: 'Oct 4', location: 'By the lake' })
  // A text that only one of them changed keeps that change.
  for (const [label, whose] of [
    ['Date', 'Mine'],
    ['Time', 'Mine'],
    ['Location', 'Theirs'],
  ] as const)
    await expect(choice(page, label, whose)).toBeChecked()
  await expect(page.getByRole('group', { name: 'Time' })).toContainText('Theirs9 AM')
  await expect(page.getByRole('group', { name: 'Contact' })).toContainText('TheirsLeft empty')

  await page.getByRole('button', { name: 'Decide Later' }).click()
  await expect(unsentNote(page)).toBeVisible()
  await open(page, '/admin')
  await expect(page.getByText('Your change of the event is saved on this device, not sent yet.')).toBeVisible()
  await expect(page.getByText('Someone else has changed the event in the meantime.')).toBeVisible()
  await page.getByRole('link', { name: 'Compare Versions' }).click()
  await expect(page).toHaveURL('/')
  await expect(choice(page, 'Time', 'Mine')).toBeChecked()
  await page.getByRole('button', { name: 'All of Mine' }).click()
  await expect(choice(page, 'Location', 'Mine')).toBeChecked()
  for (const label of ['Location', 'Time']) await choice(page, label, 'Theirs').check()
  await page.getByRole('button', { name: 'Save Chosen' }).click()
  await expect
    .poll(() => readEvent(site))
    .toMatchObject({ time: '9 AM', date: 'October 11', location: 'By the lake', contact: '555-0100' })
  await expect(article(page).getByText('October 11')).toBeVisible()
  await expect(unsentNote(page)).toHaveCount(0)
})

test('a draft of the event is restored after a reload, in its tab only, until it is confirmed', async ({
  page,
  site,
  context,
}) => {
  await send(site, 'POST', '/api/event', event)
  await open(page, '/')
  await page.evaluate(() => sessionStorage.setItem('event-draft', '{"texts":{"pageTitle":"Of another version"}}'))
  await open(page, '/')
  await beginEdit(page, { Time: '11 AM', Location: 'By the lake' })
  await page.reload()
  await expect(field(page, 'Time')).toHaveValue('11 AM')
  await expect(field(page, 'Location')).toHaveValue('By the lake')
  await expect(field(page, 'Page Title')).toHaveValue('Harvest')
  expect(await readEvent(site)).toMatchObject({ time: '10 AM' })
  const other = await context.newPage()
  await open(other, '/')
  await expect(other.getByRole('button', { name: 'Edit' })).toBeVisible()
  await open(page, '/share')
  await expect(article(page)).toContainText('10 AM')
  await open(page, '/')
  await confirmEdit(page)
  await expect.poll(() => readEvent(site)).toMatchObject({ ...event, time: '11 AM', location: 'By the lake' })
  expect(await storedSession(page)).toEqual({})

  await beginEdit(page, { Time: 'Never' })
  await page.getByRole('button', { name: 'Cancel' }).click()
  expect(await storedSession(page)).not.toHaveProperty('event-draft')
})
