import type { Page } from '@playwright/test'
import { beginEdit, choice, confirmEdit, event, readEvent } from './event-editing.ts'
import { expect, open, send, test } from './fixtures.ts'

test.use({ expectedErrors: /Failed to sync event details/ })

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true })
const editor = (page: Page) => page.getByRole('form', { name: 'Edit the event' })
const storedSession = (page: Page) => page.evaluate(() => ({ ...sessionStorage }))

test.describe('a draft of the event', () => {
  test('is restored after a reload, in its tab only, until it is confirmed', async ({ page, site, context }) => {
    await send(site, 'POST', '/api/event', event)
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
    await expect(page.getByRole('article')).toContainText('10 AM')

    await open(page, '/')
    await confirmEdit(page)
    await expect.poll(() => readEvent(site)).toMatchObject({ ...event, time: '11 AM', location: 'By the lake' })
    expect(await storedSession(page)).toEqual({})
    await page.reload()
    await expect(page.getByRole('button', { name: 'Edit' })).toBeVisible()
    await expect(editor(page)).toHaveCount(0)
  })

  test('does not take the focus from another field after a reload', async ({ page }) => {
    await open(page, '/')
    await beginEdit(page, { Time: '11 AM' })
    const held: (() => void)[] = []
    await page.route('**/parts*.js', (route) => void held.push(() => route.continue()))
    await page.reload()
    await expect.poll(() => held.length).toBe(1)
    const name = page.getByLabel('Name', { exact: true })
    await name.fill('Ana')
    held[0]?.()
    await expect(field(page, 'Time')).toHaveValue('11 AM')
    await expect(name).toBeFocused()
  })

  test('is ignored where it is damaged, or from another version', async ({ page }) => {
    await open(page, '/')
    for (const damaged of ['{}', '1', 'null', '[', '{"texts":{"pageTitle":"Old"}}']) {
      await page.evaluate((text) => sessionStorage.setItem('event-draft', text), damaged)
      await open(page, '/')
      await page.getByRole('button', { name: 'Edit' }).click()
      await expect(field(page, 'Time')).toHaveValue('10:00 AM')
      await page.getByRole('button', { name: 'Cancel' }).click()
    }
  })

  test('is deleted once it is canceled', async ({ page }) => {
    await open(page, '/')
    await beginEdit(page, { Time: 'Never' })
    await page.reload()
    await expect(field(page, 'Time')).toHaveValue('Never')
    await page.getByRole('button', { name: 'Cancel' }).click()
    expect(await storedSession(page)).toEqual({})
    await page.getByRole('button', { name: 'Edit' }).click()
    await expect(field(page, 'Time')).toHaveValue('10:00 AM')
  })

  test('does not overwrite what was stored elsewhere before the reload', async ({ page, site }) => {
    await send(site, 'POST', '/api/event', event)
    await open(page, '/')
    await beginEdit(page, { Time: '11 AM' })
    await send(site, 'POST', '/api/event', { ...event, time: '9 AM' })
    await page.reload()
    await expect(field(page, 'Time')).toHaveValue('11 AM')
    await confirmEdit(page)
    await expect(choice(page, 'Time', 'Mine')).toBeChecked()
    expect(await readEvent(site)).toMatchObject({ time: '9 AM' })
  })
})
