import type { Page } from '@playwright/test'
import { expect, expectToast, open, test, waitForHydration } from './fixtures.ts'
import { event, readEvent, send } from './stored.ts'
import { expectUsable } from './usable.ts'

const heading = (page: Page) => page.getByRole('heading', { level: 1 })
const card = (page: Page) => page.getByRole('article')

async function confirmEdit(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Confirm' }).click()
}

/** Whether nothing covers what has the focus. */
function isFocusOnTop(): boolean {
  const { left = 0, top = 0 } = document.activeElement?.getBoundingClientRect() ?? {}
  return document.elementFromPoint(left + 20, top + 40) === document.activeElement
}

/** Fills in texts by label, and saves them. */
async function edit(page: Page, texts: Record<string, string>): Promise<void> {
  await page.getByRole('button', { name: 'Edit' }).click()
  for (const [label, text] of Object.entries(texts)) await page.getByLabel(label, { exact: true }).fill(text)
  await confirmEdit(page)
}

test('stores what is confirmed, by keyboard alone, and defaults for what is empty', async ({ page, site }) => {
  const texts = [
    ['Page Title', 'title', 'Harvest Festival'],
    ['Page Subtitle', 'subtitle', 'Bring bread'],
    ['Event Title', 'eventTitle', 'Thanksgiving'],
    ['Event Description', 'description', 'We give thanks.'],
    ['Date', 'date', 'October 4'],
    ['Time', 'time', '11:15 AM'],
    ['Location', 'location', '7 Mill Lane'],
  ] as const
  const forNewcomers = {
    mapLink: 'https://maps.example/?q=12+Chapel+Road',
    contact: 'ana@church.example',
    whatToExpect: 'Park behind the hall.\nChildren are welcome.',
    parking: 'Twelve places.',
    children: 'A room.',
  }
  await open(page, '/share')
  await expect(page.getByRole('button', { name: /edit|cancel|confirm/i })).toHaveCount(0)

  await open(page, '/')
  await page.getByRole('button', { name: 'Edit' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Page Title')).toBeFocused()
  await expectUsable(page, 'the event while it is edited')
  for (const [label, , text] of texts) await page.getByLabel(label, { exact: true }).fill(text)
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
  for (const [, , text] of texts) await expect(card(page).getByText(text)).toBeVisible()
  await expect(card(page).getByRole('link', { name: '7 Mill Lane' })).toHaveAttribute('href', forNewcomers.mapLink)
  expect(await readEvent(site)).toEqual({
    ...Object.fromEntries(texts.map(([, field, text]) => [field, text])),
    ...forNewcomers,
  })
  await page.reload()
  await expect(page).toHaveTitle('Harvest Festival')
  const contact = card(page).getByRole('link', { name: forNewcomers.contact })
  await expect(contact).toHaveAttribute('href', `mailto:${forNewcomers.contact}`)
  await expect(card(page).getByText(forNewcomers.whatToExpect)).toBeHidden()
  await card(page).getByText('What to Expect').click()
  await expect(card(page).getByText(forNewcomers.whatToExpect)).toBeVisible()

  await edit(page, { 'Page Title': '', Date: '   ' })
  await expect(heading(page)).toHaveText('Sabbath Worship Service')
  await expect(card(page).getByText('Every Sabbath')).toBeVisible()
  await expect.poll(() => readEvent(site)).toMatchObject({ title: 'Sabbath Worship Service', date: 'Every Sabbath' })
})

test('is edited at once where the address asks for it, with Confirm and Cancel in sight', async ({ page }) => {
  await page.setViewportSize({ width: 844, height: 390 })
  await open(page, '/share#edit')
  await expect(page.getByRole('form', { name: 'Edit the event' })).toHaveCount(0)
  await open(page, '/#edit')
  await expect(page.getByLabel('Page Title')).toBeFocused()
  const buttons = page.getByRole('button', { name: /Cancel|Confirm/ })
  for (const size of [
    { width: 844, height: 390 },
    { width: 320, height: 256 },
  ]) {
    await page.setViewportSize(size)
    await page.getByLabel('Page Title').focus()
    for (const label of ['Page Subtitle', 'Event Title', 'Event Description', 'Date', 'Time']) {
      await page.keyboard.press('Tab')
      await expect(page.getByLabel(label, { exact: true })).toBeFocused()
      for (const button of await buttons.all()) await expect(button).toBeInViewport({ ratio: 1 })
      expect(await page.evaluate(isFocusOnTop), label).toBe(true)
    }
  }
  await page.reload()
  await page.getByLabel('Page Title').fill('Harvest Festival')
  await page.reload()
  await expect(page.getByLabel('Page Title')).toHaveValue('Harvest Festival')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page).toHaveURL('/')
  await page.reload()
  await waitForHydration(page)
  await expect(heading(page)).toHaveText('Sabbath Worship Service')
})

test.describe('the event of several pages', () => {
  test.use({ expectedErrors: /Failed to (load resource|(initialize|sync) event)|ERR_INTERNET|dynamically imported/ })

  test('is posted as the default by any of them, and stays where it cannot be read anew', async ({ page, site }) => {
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

  test('shows the later of two editors, who was offline, what the other saved', async ({ page, site, browser }) => {
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
    await expect(page.getByText('Saved on this device, not sent yet.')).toBeVisible()
    const sent = other.waitForRequest((request) => request.method() === 'POST')
    await edit(other, { Time: '9 AM', Location: 'By the lake' })
    expect((await sent).postDataJSON()).toEqual({ time: '9 AM', location: 'By the lake' })
    await expect.poll(() => readEvent(site)).toMatchObject({ time: '9 AM' })
    await other.context().close()

    await page.context().setOffline(false)
    const note = page.getByText('Someone else has saved the event. Your text is kept; reload to see theirs.')
    await expect(note).toBeVisible()
    await expect(card(page)).toContainText('11 AM')
    expect(await readEvent(site)).toMatchObject({ time: '9 AM' })
    await note.getByRole('link', { name: 'Reload' }).click()
    const kept = 'Someone else has saved the event. Your text is kept: press Edit to go on with it.'
    await expectToast(page, 'Error', kept)
    await expect(card(page)).toContainText('9 AM')
    await page.getByRole('button', { name: 'Edit' }).click()
    await expect(page.getByLabel('Time', { exact: true })).toHaveValue('11 AM')
    await page.getByLabel('Location', { exact: true }).fill('By the lake')
    await confirmEdit(page)
    await expect.poll(() => readEvent(site)).toMatchObject({ time: '11 AM', location: 'By the lake' })
  })
})
