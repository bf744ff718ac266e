import { expect, expectToast, readRsvps, test } from './fixtures.ts'

test.describe('the RSVP form before its scripts have loaded', () => {
  test('keeps what was typed and selected', async ({ page, site }) => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    await page.route('**/assets/*.js', async (route) => {
      await released
      await route.continue()
    })
    await page.goto('/share', { waitUntil: 'commit' })
    await page.getByText("Yes, I'll attend").click()
    await page.getByLabel('Name', { exact: true }).fill('Early Bird')
    await page.getByLabel('Email').fill('early@bird.example')
    await page.getByLabel('Message').fill('First!')
    await page.getByText('iCal').click()
    await expect(page.locator('form:not([novalidate])')).toHaveCount(1)
    release()
    await expect(page.locator('form[novalidate]')).toHaveCount(1)

    await expect(page.getByRole('radio', { name: "Yes, I'll attend" })).toBeChecked()
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Early Bird')
    await expect(page.getByRole('radio', { name: 'iCal' })).toBeChecked()
    await page.getByLabel('Phone').fill('+1 555 0100')
    await page.getByRole('button', { name: 'Add Family Member' }).click()
    await page.keyboard.type('Chick')
    await expect(page.getByRole('radio', { name: "Yes, I'll attend" })).toBeChecked()
    await page.getByRole('button', { name: 'Submit RSVP' }).click()
    await expectToast(page, 'RSVP Submitted', 'Thank you for your response!')
    expect(await readRsvps(site)).toMatchObject([
      {
        name: 'Early Bird',
        attending: true,
        message: 'First!',
        calendarType: 'ical',
        familyMembers: [{ name: 'Chick' }],
      },
    ])
  })

  test('keeps a role that was picked', async ({ page, site }) => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    await page.route('**/assets/*.js', async (route) => {
      await released
      await route.continue()
    })
    await page.goto('/share', { waitUntil: 'commit' })
    await page.getByLabel('Name', { exact: true }).fill('Early Bird')
    await page.getByLabel('Email').fill('early@bird.example')
    await page.getByText("Yes, I'll attend").click()
    await page.getByRole('combobox', { name: 'Volunteer Roles' }).selectOption({ label: 'Usher' })
    release()
    await expect(page.locator('form[novalidate]')).toHaveCount(1)
    await expect(page.getByRole('button', { name: 'Remove Usher' })).toBeVisible()
    await page.getByRole('button', { name: 'Submit RSVP' }).click()
    await expectToast(page, 'RSVP Submitted', 'Thank you for your response!')
    expect(await readRsvps(site)).toMatchObject([{ volunteerSignups: [{ role: { name: 'Usher' } }] }])
  })

  test('can be submitted', async ({ page, site }) => {
    await page.route('**/assets/*.js', () => undefined)
    await page.goto('/share', { waitUntil: 'commit' })
    await page.getByText("No, I can't").click()
    await page.getByLabel('Name', { exact: true }).fill('Early Bird')
    await page.getByLabel('Email').fill('early@bird.example')
    await page.getByRole('button', { name: 'Submit RSVP' }).click({ noWaitAfter: true })
    await expect(page.getByText('Thank you for your response!')).toBeVisible()
    expect(await readRsvps(site)).toMatchObject([{ name: 'Early Bird', attending: false }])
  })
})
