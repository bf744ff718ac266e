import { expect, fillForm, open, send, storeRsvps, test, testRsvp } from './fixtures.ts'

const choices = "Yes, I'll attend"

test.describe('the first screen', () => {
  test('has the day, the place and both choices, on a phone and on a laptop', async ({ page, site }) => {
    await send(site, 'PATCH', '/api/schedule', { timeZone: 'UTC' })
    // The second one has a scroll bar that takes room. The administrator's page has a button more.
    for (const { path, ...size } of [
      { path: '/share', width: 390, height: 844 },
      { path: '/share', width: 375, height: 844 },
      { path: '/', width: 390, height: 844 },
      { path: '/share', width: 1280, height: 800 },
    ]) {
      await page.setViewportSize(size)
      await open(page, path)
      const day = await page.getByLabel('For', { exact: true }).locator('option').first().textContent()
      await expect(page.locator('.tile')).toContainText(`Next: ${day}`)
      await expect(page.getByRole('link', { name: '123 Main Street' })).toBeInViewport({ ratio: 1 })
      for (const text of [choices, "No, I can't"])
        await expect(page.getByText(text), `${size.width} px`).toBeInViewport({ ratio: 1 })
    }
  })

  test('says no day while the schedule is a guess that the event contradicts', async ({ page, site }) => {
    const event = { title: 'T', subtitle: 'S', description: 'D', date: 'Every Sunday', time: '9 AM', location: 'L' }
    await send(site, 'POST', '/api/event', event)
    await open(page, '/share')
    await expect(page.getByText('Every Sunday')).toBeVisible()
    await expect(page.locator('.tile')).toHaveCount(0)
  })
})

test.describe('the bar with both choices', () => {
  test('is there on a phone while the form is out of sight, and goes once one is chosen', async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 560 })
    await open(page, '/share')
    const bar = page.getByRole('region', { name: 'Will you be attending?' }).filter({ visible: true })
    await expect(bar).toBeVisible()
    await page.getByText(choices).scrollIntoViewIfNeeded()
    await expect(bar).toHaveCount(0)
    await page.mouse.wheel(0, 10_000)
    await page.getByRole('button', { name: 'No' }).click()
    await expect(page.getByRole('radio', { name: "No, I can't" })).toBeChecked()
    await expect(page.getByRole('radio', { name: "No, I can't" })).toBeFocused()
    await expect(page.getByText(choices)).toBeInViewport()
    await page.mouse.wheel(0, 10_000)
    await expect(bar).toHaveCount(0)
  })

  test('does not come back after the thank-you', async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 560 })
    await open(page, '/share')
    await fillForm(page)
    await page.getByRole('button', { name: 'Submit RSVP' }).click()
    await expect(page.getByRole('heading', { name: 'Thank you, Ana Cole' })).toBeVisible()
    await page.mouse.wheel(0, 10_000)
    await expect(page.locator('.reply-bar')).toBeHidden()
  })
})

for (const javaScriptEnabled of [true, false])
  test.describe(`after an RSVP, with JavaScript ${javaScriptEnabled}`, () => {
    test.use({ javaScriptEnabled })

    test('everything is said of it, and the form waits for another family', async ({ page, site }) => {
      await send(site, 'PATCH', '/api/schedule', { timeZone: 'UTC' })
      await storeRsvps(site, [testRsvp({ name: 'Ben Roe', familyMembers: [{ name: 'Cy', attending: true }] })])
      await page.goto('/share')
      await expect(page.getByText('2 people are coming')).toBeVisible()
      await fillForm(page)
      await page.getByLabel('Message').fill('Thank you')
      const submit = page.getByRole('button', { name: 'Submit RSVP' })
      await submit.click()
      await expect(page.getByText(/^See you [A-Z][a-z]+day at 10:00 AM$/)).toBeVisible()
      await expect(page.getByText('Your message is with the church.')).toBeVisible()
      await expect(page.getByRole('link', { name: 'Directions' })).toHaveAttribute('href', /123%20Main%20Street/)
      await expect(page.getByText('3 people are coming')).toBeVisible()
      await expect(submit).toBeHidden()
      for (const name of ['Dan Poe', 'Eve Poe']) {
        await fillForm(page, name)
        await submit.click()
        await expect(page.getByRole('heading', { name: `Thank you, ${name}` })).toBeVisible()
        await expect(submit).toBeHidden()
      }
      await expect(page.getByText('5 people are coming')).toBeVisible()
    })
  })
