import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beginEdit, choice, confirmEdit, edit, event, openWithEvent, readEvent, unsentNote } from './event-editing.ts'
import { expect, hold, open, send, test } from './fixtures.ts'

test.use({ expectedErrors: /Failed to (sync event details|load resource)/ })

test.describe('a change of the event', () => {
  test('is sent with all texts where the server no longer has an event', async ({ page, site }) => {
    await send(site, 'POST', '/api/event', event)
    await open(page, '/')
    await beginEdit(page, { Time: '11 AM' })
    const database = new DatabaseSync(join(site.folder, 'rsvp.db'), { timeout: 60_000 })
    database.exec('DELETE FROM events')
    database.close()
    await confirmEdit(page)
    await expect.poll(() => readEvent(site)).toMatchObject({ ...event, time: '11 AM' })
    await expect(page.getByRole('article')).toContainText('11 AM')
    await expect(unsentNote(page)).toHaveCount(0)
  })

  test('is kept when it is made while the page loads a change from elsewhere', async ({ page, site }) => {
    await send(site, 'POST', '/api/event', event)
    await openWithEvent(page, '/')
    await send(site, 'POST', '/api/event', { ...event, time: '11 AM' })
    const release = await hold(page, '**/api/event', 'GET')
    const reading = page.waitForRequest((request) => request.method() === 'GET')
    await edit(page, { Time: '11 AM' })
    await reading
    await edit(page, { Location: 'By the lake' })
    release()
    await expect.poll(() => readEvent(site)).toMatchObject({ time: '11 AM', location: 'By the lake' })
    await expect(page.getByRole('article')).toContainText('By the lake')
    await expect(unsentNote(page)).toHaveCount(0)
  })
})

test.describe('a conflict on a page where the event cannot be edited', () => {
  test('links to the page where the versions can be compared', async ({ page, site }) => {
    await send(site, 'POST', '/api/event', event)
    await openWithEvent(page, '/')
    await send(site, 'POST', '/api/event', { ...event, time: '9 AM' })
    await edit(page, { Time: '11 AM' })
    await page.getByRole('button', { name: 'Decide Later' }).click()
    await expect(page.getByRole('button', { name: 'Compare Versions' })).toBeVisible()
    for (const [path, sentence] of [
      ['/share', 'Saved on this device, not sent yet.'],
      ['/admin', 'Your change of the event is saved on this device, not sent yet.'],
    ] as const) {
      await open(page, path)
      await expect(page.getByText(sentence)).toBeVisible()
      await expect(page.getByText('Someone else has changed the event in the meantime.')).toBeVisible()
      await expect(page.getByRole('button', { name: 'Edit' })).toHaveCount(0)
      await page.getByRole('link', { name: 'Compare Versions' }).click()
      await expect(page).toHaveURL('/')
      await expect(choice(page, 'Time', 'Mine')).toBeChecked()
    }
    expect(await readEvent(site)).toMatchObject({ time: '9 AM' })
  })
})
