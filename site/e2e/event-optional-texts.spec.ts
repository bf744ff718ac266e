import { choice, edit, event, openTwoEditors, readEvent, unsentNote } from './event-editing.ts'
import { expect, open, send, test } from './fixtures.ts'

const given = {
  mapLink: 'https://maps.example/?q=12+Chapel+Road',
  contact: 'ana@church.example',
  whatToExpect: 'Park behind the hall.\nChildren are welcome.',
}
const confirmed = { weekday: 6, startTime: '10:00', durationMinutes: 120, timeZone: 'America/Chicago' }

test.describe('what first-time visitors look for', () => {
  test.use({ expectedErrors: /Failed to (sync event details|load resource)/ })

  test('is typed with the keyboard alone, and led to by the card', async ({ page, site }) => {
    await open(page, '/')
    await page.getByRole('button', { name: 'Edit' }).focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('Location', { exact: true }).focus()
    for (const text of [given.mapLink, given.contact, given.whatToExpect]) {
      await page.keyboard.press('Tab')
      await page.keyboard.insertText(text)
    }
    for (const name of ['Cancel', 'Confirm']) {
      await page.keyboard.press('Tab')
      await expect(page.getByRole('button', { name })).toBeFocused()
    }
    await page.keyboard.press('Enter')
    const card = page.getByRole('article')
    await expect(card.getByRole('link', { name: '123 Main Street' })).toHaveAttribute('href', given.mapLink)
    await expect.poll(() => readEvent(site)).toMatchObject(given)
    await page.reload()
    await expect(card.getByRole('link', { name: given.contact })).toHaveAttribute('href', `mailto:${given.contact}`)
    await expect(card.getByRole('heading', { name: 'What to Expect' })).toBeVisible()
    await expect(card.getByText('Children are welcome.')).toBeVisible()

    await edit(page, { 'Map Link (optional)': '', 'Contact (optional)': 'The office' })
    await expect(card.getByText('Questions? The office')).toBeVisible()
    await expect(card.getByRole('link')).toHaveAttribute('href', /^https:\/\/www\.google\.com\/maps\/search\//)
    await expect.poll(() => readEvent(site)).not.toHaveProperty('mapLink')
    expect(await readEvent(site)).toMatchObject({ contact: 'The office', whatToExpect: given.whatToExpect })
  })

  test('refuses a map link that is no page of the web, beside its field', async ({ page, site }) => {
    await send(site, 'POST', '/api/event', event)
    await open(page, '/')
    await edit(page, { 'Map Link (optional)': 'javascript:alert(1)' })
    const field = page.getByLabel('Map Link')
    await expect(field).toBeFocused()
    await expect(field).toHaveAccessibleDescription(/^A map link begins with https:\/\/\./)
    await field.fill('https://maps.example/1')
    await expect(field).toHaveAccessibleDescription('')
    await page.keyboard.press('Enter')
    await expect.poll(() => readEvent(site)).toMatchObject({ mapLink: 'https://maps.example/1' })
  })

  test('is not lost between two editors', async ({ page, site }) => {
    const other = await openTwoEditors(page, site, { ...event, ...given })
    await edit(other, { 'Contact (optional)': '' })
    await expect.poll(() => readEvent(site)).not.toHaveProperty('contact')
    await edit(page, { 'Contact (optional)': '555-0100', 'What to Expect (optional)': '' })
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('The event was changed twice')
    await expect(page.getByRole('group', { name: 'Contact' })).toContainText('Mine555-0100')
    await expect(page.getByRole('group', { name: 'Contact' })).toContainText('TheirsLeft empty')
    await expect(choice(page, 'What to Expect', 'Mine')).toBeChecked()
    await choice(page, 'Contact', 'Mine').check()
    await page.getByRole('button', { name: 'Save Chosen' }).click()
    await expect.poll(() => readEvent(site)).toMatchObject({ contact: '555-0100', mapLink: given.mapLink })
    expect(await readEvent(site)).not.toHaveProperty('whatToExpect')
    await expect(unsentNote(page)).toHaveCount(0)
    await other.context().close()
  })
})

test.describe('the card of a confirmed schedule', () => {
  test('says when the service is over, to readers without JavaScript too', async ({ browser, site }) => {
    await send(site, 'POST', '/api/event', { ...event, ...given, date: 'Every Sabbath', time: '10:00 AM' })
    const context = await browser.newContext({ baseURL: site.url, javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto('/share')
    const card = page.getByRole('article')
    await expect(card).not.toContainText('until')
    await send(site, 'PATCH', '/api/schedule', confirmed)
    await page.reload()
    await expect(card).toContainText('10:00 AM until 12:00 PM')
    await expect(card.getByRole('link', { name: 'Hall' })).toHaveAttribute('href', given.mapLink)
    await expect(card.getByRole('link', { name: given.contact })).toBeVisible()
    await send(site, 'PATCH', '/api/schedule', { startTime: '11:00' })
    await page.reload()
    await expect(card).not.toContainText('until')
    await expect(card).not.toContainText('schedule')
    await context.close()
  })

  test('tells an administrator where the texts contradict it, and what to do', async ({ page, site }) => {
    await send(site, 'POST', '/api/event', { ...event, date: 'Sundays', time: '10:00 AM' })
    await send(site, 'PATCH', '/api/schedule', confirmed)
    await open(page, '/')
    const sentence =
      'The event’s date names another day than the schedule, which says Saturday. Change the one that is wrong.'
    await expect(page.getByText(sentence)).toBeVisible()
    await page.getByRole('button', { name: 'Edit' }).click()
    await expect(page.getByText(sentence)).toBeVisible()
    await page.getByLabel('Date', { exact: true }).fill('Every Sabbath')
    await expect(page.getByText(sentence)).toHaveCount(0)
    await page.getByLabel('Time', { exact: true }).fill('6 PM')
    await expect(
      page.getByText('The event’s time names another time than the schedule, which says 10:00 AM.'),
    ).toBeVisible()
    await expect(page.getByRole('link', { name: 'Open the schedule' })).toHaveAttribute(
      'href',
      '/admin?tab=settings#schedule',
    )
    await open(page, '/share')
    await expect(page.getByText(sentence)).toHaveCount(0)
    expect(await (await fetch(`${site.url}/share`)).text()).not.toContain('names another')
  })
})
