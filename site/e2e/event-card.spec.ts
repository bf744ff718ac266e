import { expect, expectToast, open, send, test } from './fixtures.ts'

test.describe('the event card', () => {
  test('edits a draft that is not stored until it is confirmed', async ({ page, site }) => {
    await open(page, '/')
    await page.getByRole('button', { name: 'Edit' }).click()
    await expect(page.getByLabel('Page Title')).toBeFocused()
    await expect(page.getByLabel('Time')).toHaveValue('10:00 AM')
    await page.getByLabel('Page Title').fill('Never to be seen')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sabbath Worship Service')

    await page.getByRole('button', { name: 'Edit' }).click()
    await expect(page.getByLabel('Page Title')).toHaveValue('Sabbath Worship Service')
    const sent = page.waitForRequest((request) => request.method() === 'POST')
    const texts = {
      'Page Title': 'Harvest Festival',
      'Page Subtitle': 'Bring bread',
      'Event Title': 'Thanksgiving',
      'Event Description': 'We give thanks.',
      Date: 'October 4',
      Time: '11:15 AM',
      Location: '7 Mill Lane',
    }
    for (const [label, text] of Object.entries(texts)) await page.getByLabel(label, { exact: true }).fill(text)
    await page.getByRole('button', { name: 'Confirm' }).click()
    for (const text of Object.values(texts)) await expect(page.getByRole('article').getByText(text)).toBeVisible()
    await (await sent).response()
    await expectToast(page, 'Event Saved', 'Visitors see it now.')
    expect(await (await fetch(`${site.url}/api/event`)).json()).toEqual({
      title: 'Harvest Festival',
      subtitle: 'Bring bread',
      eventTitle: 'Thanksgiving',
      description: 'We give thanks.',
      date: 'October 4',
      time: '11:15 AM',
      location: '7 Mill Lane',
    })
    await page.reload()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Harvest Festival')
    await expect(page).toHaveTitle('Harvest Festival')
  })

  test('can be edited with the keyboard alone, and the focus returns to Edit', async ({ page }) => {
    await open(page, '/')
    const edit = page.getByRole('button', { name: 'Edit' })
    await edit.focus()
    await page.keyboard.press('Enter')
    await expect(page.getByLabel('Page Title')).toBeFocused()
    await page.keyboard.press('Control+A')
    await page.keyboard.type('Typed by hand')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Typed by hand')
    await expect(edit).toBeFocused()
  })

  test('uses the default for an empty field, on the screen and on the server', async ({ page, site }) => {
    await open(page, '/')
    await page.getByRole('button', { name: 'Edit' }).click()
    const labels = ['Page Title', 'Page Subtitle', 'Event Title', 'Event Description', 'Date', 'Time', 'Location']
    for (const label of labels) await page.getByLabel(label, { exact: true }).fill(label === 'Date' ? '   ' : '')
    const replied = page.waitForResponse((response) => response.request().method() === 'POST')
    await page.getByRole('button', { name: 'Confirm' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sabbath Worship Service')
    const shown = ['Join us in worship and fellowship', 'Weekly Service', 'Every Sabbath', '10:00 AM']
    for (const text of shown) await expect(page.getByRole('article').getByText(text)).toBeVisible()
    await expect(page.getByText(/worship, prayer and community/)).toBeVisible()
    await expect(page.getByText('123 Main Street, Springfield')).toBeVisible()
    await replied
    expect(await (await fetch(`${site.url}/api/event`)).json()).toMatchObject({
      title: 'Sabbath Worship Service',
      subtitle: 'Join us in worship and fellowship',
      eventTitle: 'Weekly Service',
      date: 'Every Sabbath',
      time: '10:00 AM',
      location: '123 Main Street, Springfield',
    })
  })

  test('can be edited on the main page only', async ({ page, site }) => {
    await open(page, '/share')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sabbath Worship Service')
    await expect(page.getByRole('button', { name: /edit|cancel|confirm/i })).toHaveCount(0)
    const html = await (await fetch(`${site.url}/share`)).text()
    expect(html).not.toContain('Edit</button>')
    await open(page, '/')
    await expect(page.getByRole('button', { name: 'Edit' })).toBeVisible()
  })

  test('shows markup as text', async ({ page, site }) => {
    const title = '<img src=x onerror=alert(1)> & "Co"'
    const event = { title, subtitle: title, description: 'One\nTwo', date: title, time: title, location: title }
    await send(site, 'POST', '/api/event', event)
    await open(page, '/share')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
    await expect(page.locator('#root img[onerror]')).toHaveCount(0)
  })
})
