import type { BrowserContext, Page } from '@playwright/test'
import { beginEdit, choice, confirmEdit, edit, event, readEvent, unsentNote } from './event-editing.ts'
import { expect, hold, open, send, test } from './fixtures.ts'

test.use({ expectedErrors: /Failed to (sync event details|load resource)/ })

const article = (page: Page) => page.getByRole('article')

/** Refuses all changes until the function that it returns is called. */
async function refuseChanges(context: BrowserContext): Promise<() => Promise<void>> {
  await context.route('**/api/event', (route) =>
    route.request().method() === 'POST' ? route.abort('connectionreset') : route.continue(),
  )
  return () => context.unrouteAll()
}

test.describe('changes of the event in two tabs', () => {
  test('are both kept, and the editor chooses', async ({ page, site, context }) => {
    await send(site, 'POST', '/api/event', event)
    const other = await context.newPage()
    await Promise.all([open(page, '/'), open(other, '/')])
    const allowChanges = await refuseChanges(context)
    await beginEdit(other, { Location: 'By the lake' })
    await edit(page, { Time: '11 AM' })
    await expect(unsentNote(page)).toBeVisible()
    await other.getByLabel('Date', { exact: true }).fill('October 11')
    await confirmEdit(other)

    for (const tab of [other, page]) {
      await expect(tab.getByRole('heading', { level: 1 })).toHaveText('The event was changed twice')
      await expect(tab.getByText('You have changed the event in another tab as well.')).toBeVisible()
      await expect(tab.getByRole('form').getByRole('group')).toHaveCount(3)
      await expect(choice(tab, 'Time', 'Older')).toBeChecked()
      await expect(choice(tab, 'Date', 'Newer')).toBeChecked()
    }
    await page.reload()
    await page.getByRole('button', { name: 'Decide Later' }).click()
    await expect(unsentNote(page)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Send Again' })).toHaveCount(0)
    await page.getByRole('button', { name: 'Compare Versions' }).click()
    await expect(choice(page, 'Location', 'Newer')).toBeChecked()
    await choice(page, 'Date', 'Older').check()
    await allowChanges()
    await page.getByRole('button', { name: 'Save Chosen' }).click()
    await expect.poll(() => readEvent(site)).toMatchObject({ ...event, time: '11 AM', location: 'By the lake' })
    for (const tab of [page, other]) {
      await expect(article(tab)).toContainText('By the lake')
      await expect(unsentNote(tab)).toHaveCount(0)
    }
  })

  test('wait until the editor decides, whatever the other tab does in the meantime', async ({
    page,
    site,
    context,
  }) => {
    await send(site, 'POST', '/api/event', event)
    const other = await context.newPage()
    await Promise.all([open(page, '/'), open(other, '/')])
    await refuseChanges(context)
    await beginEdit(other, { Location: 'By the lake' })
    await edit(page, { Time: '11 AM' })
    await expect(article(page)).toContainText('11 AM')
    await confirmEdit(other)
    for (const tab of [page, other]) await tab.getByRole('button', { name: 'Decide Later' }).click()
    await edit(other, { Location: 'In the garden' })
    await expect(article(page)).toContainText('In the garden')
    await page.getByRole('button', { name: 'Compare Versions' }).click()
    await expect(choice(page, 'Location', 'Newer')).toBeChecked()
  })

  test('are shown in both, and can be sent from either', async ({ page, site, context }) => {
    await send(site, 'POST', '/api/event', event)
    const other = await context.newPage()
    await Promise.all([open(page, '/'), open(other, '/')])
    const allowChanges = await refuseChanges(context)
    await edit(page, { Time: '11 AM' })
    await expect(article(other)).toContainText('11 AM')
    await expect(unsentNote(other)).toBeVisible()
    await page.close()
    await allowChanges()
    await other.getByRole('button', { name: 'Send Again' }).click()
    await expect.poll(() => readEvent(site)).toMatchObject({ time: '11 AM' })
    await expect(unsentNote(other)).toHaveCount(0)
  })

  test('do not revert each other while one is being sent', async ({ page, site, context }) => {
    await send(site, 'POST', '/api/event', event)
    const other = await context.newPage()
    await Promise.all([open(page, '/'), open(other, '/')])
    const release = await hold(page, '**/api/event')
    await beginEdit(other, { Location: 'By the lake' })
    await edit(page, { Time: '11 AM' })
    await confirmEdit(other)
    await expect(choice(other, 'Time', 'Older')).toBeChecked()
    release()
    await expect.poll(() => readEvent(site)).toMatchObject({ time: '11 AM', location: 'Hall' })
    await expect(choice(other, 'Time', 'Theirs')).toBeChecked()
    await other.getByRole('button', { name: 'Save Chosen' }).click()
    await expect.poll(() => readEvent(site)).toMatchObject({ time: '11 AM', location: 'By the lake' })
    await expect(unsentNote(other)).toHaveCount(0)
  })
})
