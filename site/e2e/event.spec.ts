import type { Page } from '@playwright/test'
import { edit, event, readEvent } from './event-editing.ts'
import { expect, expectToast, open, test, waitForHydration } from './fixtures.ts'
import { send } from './stored.ts'

const heading = (page: Page) => page.getByRole('heading', { level: 1 })
const card = (page: Page) => page.getByRole('article')

test('the event card stores what is confirmed, by the keyboard alone, with defaults for what is left empty', async ({
  page,
  site,
}) => {
  const texts = {
    ...{ 'Page Title': 'Harvest Festival', 'Page Subtitle': 'Bring bread', 'Event Title': 'Thanksgiving' },
    ...{ 'Event Description': 'We give thanks.', Date: 'October 4', Time: '11:15 AM', Location: '7 Mill Lane' },
  }
  const forNewcomers = {
    ...{ mapLink: 'https://maps.example/?q=12+Chapel+Road', contact: 'ana@church.example' },
    ...{ whatToExpect: 'Park behind the hall.\nChildren are welcome.', parking: 'Twelve places.', children: 'A room.' },
  }
  await open(page, '/share')
  await expect(page.getByRole('button', { name: /edit|cancel|confirm/i })).toHaveCount(0)

  await open(page, '/')
  await page.getByRole('button', { name: 'Edit' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Page Title')).toBeFocused()
  for (const [label, text] of Object.entries(texts)) await page.getByLabel(label, { exact: true }).fill(text)
  // A draft is still there after a reload.
  await page.reload()
  await expect(page.getByLabel('Page Title')).toHaveValue('Harvest Festival')
  await waitForHydration(page)
  await page.getByLabel('Location').focus()
  for (const text of Object.values({ ...forNewcomers, mapLink: 'javascript:alert(1)' })) {
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
  await mapLink.fill(forNewcomers.mapLink)
  await expect(mapLink).toHaveAccessibleDescription('')
  await page.keyboard.press('Enter')
  await expectToast(page, 'Event Saved', 'Visitors see it now.')
  await expect(page.getByRole('button', { name: 'Edit' })).toBeFocused()
  expect(await page.evaluate(() => ({ ...sessionStorage }))).toEqual({})
  for (const text of Object.values(texts)) await expect(card(page).getByText(text)).toBeVisible()
  await expect(card(page).getByRole('link', { name: texts.Location })).toHaveAttribute('href', forNewcomers.mapLink)
  expect(await readEvent(site)).toEqual({
    ...{ title: 'Harvest Festival', subtitle: 'Bring bread', eventTitle: 'Thanksgiving' },
    ...{ description: 'We give thanks.', date: 'October 4', time: '11:15 AM', location: '7 Mill Lane' },
    ...forNewcomers,
  })
  await page.reload()
  await expect(page).toHaveTitle('Harvest Festival')
  const contact = card(page).getByRole('link', { name: forNewcomers.contact })
  await expect(contact).toHaveAttribute('href', `mailto:${forNewcomers.contact}`)
  await expect(card(page).getByRole('heading', { name: 'What to Expect' })).toBeVisible()

  await edit(page, { 'Page Title': '', Date: '   ' })
  await expect(heading(page)).toHaveText('Sabbath Worship Service')
  await expect(card(page).getByText('Every Sabbath')).toBeVisible()
  await expect.poll(() => readEvent(site)).toMatchObject({ title: 'Sabbath Worship Service', date: 'Every Sabbath' })
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
