import { expect, test } from './fixtures.ts'

test.describe('the RSVP form', () => {
  test('sends an answer for the whole family and says what was recorded', async ({ page, site }) => {
    await page.goto('/share')
    await page.getByText("Yes, I'll attend").click()
    await page.getByLabel('Name', { exact: true }).fill('Ana Cole')
    await page.getByLabel('Email').fill('ana@cole.example')
    await page.getByRole('button', { name: 'Add Family Member' }).click()
    await page.keyboard.type('Joel Cole')
    await page.getByLabel('Volunteer Roles').selectOption({ label: 'Usher' })
    await page.getByText('iCal').click()
    await page.getByRole('button', { name: 'Submit RSVP' }).click()

    await expect(page.getByText('Thank you for your response!')).toBeVisible()
    await expect(page.getByRole('cell', { name: 'Ana Cole' })).toBeVisible()
    const [stored] = await (await fetch(`${site.url}/api/rsvps`)).json()
    expect(stored).toMatchObject({
      name: 'Ana Cole',
      attending: true,
      addToCalendar: true,
      calendarType: 'ical',
      familyMembers: [{ name: 'Joel Cole', age: null, attending: true }],
      volunteerSignups: [{ role: { name: 'Usher' } }],
    })
  })
})
