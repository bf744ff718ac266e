import type { Page } from '@playwright/test'
import { confirmEdit, edit, event, readEvent, unsentNote } from './event-editing.ts'
import { expect, expectToast, open, test } from './fixtures.ts'
import { send } from './stored.ts'

test.use({
  expectedErrors: /status of 401|Failed to (sync event details|load resource)|ERR_INTERNET|dynamically imported module/,
})

const article = (page: Page) => page.getByRole('article')
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true })

test('of two editors of the event, one of them offline, the later one sees theirs after a reload', async ({
  page,
  site,
  browser,
}) => {
  await send(site, 'POST', '/api/event', event)
  const other = await (await browser.newContext({ baseURL: site.url })).newPage()
  for (const each of [page, other]) {
    // The calls after that come from what the test does.
    const loaded = each.waitForResponse('**/api/event')
    await open(each, '/')
    await loaded
  }
  // The editor's code has loaded.
  await page.waitForLoadState('networkidle')
  await page.context().setOffline(true)
  await edit(page, { Time: '11 AM' })
  await expect(unsentNote(page)).toBeVisible()
  const sent = other.waitForRequest((request) => request.method() === 'POST')
  await edit(other, { Time: '9 AM', Location: 'By the lake' })
  expect((await sent).postDataJSON()).toEqual({ time: '9 AM', location: 'By the lake' })
  await expect.poll(() => readEvent(site)).toMatchObject({ time: '9 AM' })
  await other.context().close()

  await page.context().setOffline(false)
  const note = page.getByText('Someone else has saved the event. Your text is kept; reload to see theirs.')
  await expect(note).toBeVisible()
  await expect(article(page)).toContainText('11 AM')
  expect(await readEvent(site)).toMatchObject({ time: '9 AM' })
  await note.getByRole('link', { name: 'Reload' }).click()
  await expectToast(page, 'Error', 'Someone else has saved the event. Your text is kept: press Edit to go on with it.')
  await expect(article(page)).toContainText('9 AM')
  await page.getByRole('button', { name: 'Edit' }).click()
  await expect(field(page, 'Time')).toHaveValue('11 AM')
  await field(page, 'Location').fill('By the lake')
  await confirmEdit(page)
  await expect.poll(() => readEvent(site)).toMatchObject({ time: '11 AM', location: 'By the lake' })
})
