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
    await expect.poll(() => readEvent(site)).toMatchObject({ time: '10 AM', location: 'By the lake' })
    release()
    await expect(choice(page, 'Location', 'Theirs')).toBeChecked()
    await page.getByRole('button', { name: 'Save Chosen' }).click()
    await expect.poll(() => readEvent(site)).toMatchObject({ time: '11 AM', location: 'By the lake' })
    await expect(unsentNote(page)).toHaveCount(0)
  })
})
