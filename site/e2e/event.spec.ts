import type { Page } from '@playwright/test'
import { edit, event, readEvent } from './event-editing.ts'
import { expect, expectToast, open, test } from './fixtures.ts'
import { send } from './stored.ts'

const heading = (page: Page) => page.getByRole('heading', { level: 1 })
const card = (page: Page) => page.getByRole('article')

test.describe('the event card', () => {
  test('stores what is confirmed, with defaults for what is left empty', async ({ page, site }) => {
    await open(page, '/share')
    await expect(page.getByRole('button', { name: /edit|cancel|confirm/i })).toHaveCount(0)

    await open(page, '/')
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    const texts = {
      'Page Title': 'Harvest Festival',
      'Page Subtitle': 'Bring bread',
      'Event Title': 'Thanksgiving',
      'Event Description': 'We give thanks.',
      Date: 'October 4',
      Time: '11:15 AM',
      Location: '7 Mill Lane',
    }
    await edit(page, texts)
    for (const text of Object.values(texts)) await expect(card(page).getByText(text)).toBeVisible()
    await expectToast(page, 'Event Saved', 'Visitors see it now.')
    expect(await readEvent(site)).toEqual({
      ...{ title: 'Harvest Festival', subtitle: 'Bring bread', eventTitle: 'Thanksgiving' },
      ...{ description: 'We give thanks.', date: 'October 4', time: '11:15 AM', location: '7 Mill Lane' },
    })
    await page.reload()
    await expect(heading(page)).toHaveText('Harvest Festival')
    await expect(page).toHaveTitle('Harvest Festival')

    await edit(page, { 'Page Title': '', Date: '   ' })
    await expect(heading(page)).toHaveText('Sabbath Worship Service')
    await expect(card(page).getByText('Every Sabbath')).toBeVisible()
    await expect.poll(() => readEvent(site)).toMatchObject({ title: 'Sabbath Worship Service', date: 'Every Sabbath' })
  })

  test('takes what first-time visitors look for, with the keyboard alone', async ({ page, site }) => {
    const given = {
      mapLink: 'https://maps.example/?q=12+Chapel+Road',
      contact: 'ana@church.example',
      whatToExpect: 'Park behind the hall.\nChildren are welcome.',
      parking: 'Twelve places.',
      children: 'A room with a window.',
    }
    await open(page, '/')
    await page.getByRole('button', { name: 'Edit' }).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByLabel('Page Title')).toBeFocused()
    await page.getByLabel('Location', { exact: true }).focus()
    for (const text of ['javascript:alert(1)', given.contact, given.whatToExpect, given.parking, given.children]) {
      await page.keyboard.press('Tab')
      await page.keyboard.insertText(text)
    }
    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: 'Translate the event' })).toBeFocused()
    for (const name of ['Cancel', 'Confirm']) {
      await page.keyboard.press('Tab')
      await expect(page.getByRole('button', { name })).toBeFocused()
    }
    await page.keyboard.press('Enter')
    const mapLink = page.getByLabel('Map Link')
    await expect(mapLink).toBeFocused()
    await expect(mapLink).toHaveAccessibleDescription(/^A map link begins with https:\/\/\./)
    await mapLink.fill(given.mapLink)
    await expect(mapLink).toHaveAccessibleDescription('')
    await page.keyboard.press('Enter')
    await expect(card(page).getByRole('link', { name: '123 Main Street' })).toHaveAttribute('href', given.mapLink)
    await expect(page.getByRole('button', { name: 'Edit' })).toBeFocused()
    await expect.poll(() => readEvent(site)).toMatchObject(given)
    await page.reload()
    await expect(card(page).getByRole('link', { name: given.contact })).toHaveAttribute(
      'href',
      `mailto:${given.contact}`,
    )
    await expect(card(page).getByRole('heading', { name: 'What to Expect' })).toBeVisible()
  })
})

test.describe('the event at the start of a page', () => {
  test.use({ expectedErrors: /Failed to (load resource|initialize event)/ })

  test('is posted as the default, by any page, if there is none yet', async ({ page, site }) => {
    const posted = page.waitForRequest((request) => request.method() === 'POST')
    await page.goto('/privacy')
    expect(await (await posted).headerValue('if-none-match')).toBe('*')
    expect((await (await posted).response())?.status()).toBe(200)
    expect(await readEvent(site)).toMatchObject({ title: 'Sabbath Worship Service', time: '10:00 AM' })
    await send(site, 'POST', '/api/event', event)
    // What came with the page stays where the event cannot be read anew.
    await page.route('**/api/event', (route) => route.abort())
    const logged = page.waitForEvent('console', (message) => message.text().startsWith('Failed to initialize event'))
    await open(page, '/')
    await logged
    await expect(heading(page)).toHaveText('Harvest')
  })
})
