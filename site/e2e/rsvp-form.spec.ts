import type { Locator } from '@playwright/test'
import { expect, expectToast, fillForm, open, pickRole, readRsvps, test } from './fixtures.ts'

const submit = { name: 'Submit RSVP' }
const background = (radio: Locator) =>
  radio.locator('xpath=ancestor::label').evaluate((label) => getComputedStyle(label).backgroundColor)

test.describe('the RSVP form', () => {
  test('sends an RSVP for the whole family and shows what was recorded', async ({ page, site }) => {
    await open(page, '/share')
    await fillForm(page)
    await page.getByRole('button', { name: 'Add Family Member' }).click()
    await page.keyboard.type('Joel Cole')
    await pickRole(page, 'Usher')
    await page.getByText('iCal').click()
    await page.getByRole('button', submit).click()

    await expectToast(page, 'RSVP Submitted', 'Thank you for your response!')
    await expect(page.getByRole('rowheader', { name: 'Ana Cole' })).toBeVisible()
    const thanks = page.getByRole('region', { name: 'RSVP', exact: true })
    for (const text of ['Thank you, Ana Cole', 'Attending', 'Coming: Ana Cole, Joel Cole', 'help with: Usher'])
      await expect(thanks).toContainText(text)
    const [stored] = await readRsvps(site)
    expect(stored).toMatchObject({
      name: 'Ana Cole',
      attending: true,
      addToCalendar: true,
      calendarType: 'ical',
      familyMembers: [{ name: 'Joel Cole', age: null, attending: true }],
      volunteerSignups: [{ role: { name: 'Usher' } }],
    })
  })

  test('selects no attendance at first and fills the selected button', async ({ page, site }) => {
    await open(page, '/share')
    const yes = page.getByRole('radio', { name: "Yes, I'll attend" })
    const no = page.getByRole('radio', { name: "No, I can't" })
    await expect(yes).not.toBeChecked()
    await expect(no).not.toBeChecked()
    const empty = await background(yes)
    expect(await background(no)).toBe(empty)

    await page.getByText("Yes, I'll attend").click()
    await page.mouse.move(0, 0)
    await expect.poll(() => background(yes)).not.toBe(empty)
    await expect.poll(() => background(no)).toBe(empty)
    await page.keyboard.press('ArrowRight')
    await expect(no).toBeChecked()
    await expect.poll(() => background(no)).not.toBe(empty)
    await expect.poll(() => background(yes)).toBe(empty)

    await page.getByLabel('Name', { exact: true }).fill('Ben Roe')
    await page.getByLabel('Email').fill('ben@roe.example')
    await page.getByRole('button', submit).click()
    await expectToast(page, 'RSVP Submitted', 'Thank you for your response!')
    expect(await readRsvps(site)).toMatchObject([
      { name: 'Ben Roe', attending: false, phone: null, message: null, addToCalendar: false, familyMembers: [] },
    ])
  })

  test('shows each message beside its field and moves the focus to the first', async ({ page }) => {
    const sent: string[] = []
    page.on('request', (request) => request.method() === 'POST' && sent.push(new URL(request.url()).pathname))
    await open(page, '/share')
    await page.getByLabel('Name', { exact: true }).fill(' A ')
    await page.getByLabel('Email').fill('ana@cole')
    await page.getByRole('button', { name: 'Add Family Member' }).click()
    await page.getByRole('button', submit).click()

    const attending = page.getByRole('radiogroup', { name: 'Will you be attending?' })
    await expect(attending).toHaveAccessibleDescription('Please choose whether you will attend.')
    await expect(attending).toHaveAttribute('aria-invalid', 'true')
    await expect(attending.getByRole('radio').first()).toBeFocused()
    const messages = {
      Name: 'Name is required',
      Email: 'Invalid email address',
      'Name of family member 1': 'Name is required',
    }
    for (const [label, message] of Object.entries(messages)) {
      const field = page.getByRole('textbox', { name: label, exact: true })
      await expect(field).toHaveAccessibleDescription(message)
      await expect(field).toHaveAttribute('aria-invalid', 'true')
    }
    await expect(page.getByText('Name is required')).toHaveCount(2)
    await expect(page.getByLabel('Phone')).not.toHaveAttribute('aria-invalid')

    await page.getByText("No, I can't").click()
    await expect(attending).not.toHaveAttribute('aria-invalid')
    await page.getByText('Others of my family will come').click()
    await page.getByLabel('Name', { exact: true }).fill('An')
    await expect(page.getByText('Name is required')).toHaveCount(1)
    await page.getByLabel('Email').fill('ana@cole.ex')
    await expect(page.getByText('Invalid email address')).toHaveCount(0)
    await page.getByLabel('Email').fill('ana@')
    await expect(page.getByText('Invalid email address')).toHaveCount(0)
    await page.getByRole('button', submit).click()
    await expect(page.getByLabel('Email')).toBeFocused()
    await page.getByLabel('Email').fill('ana@cole')
    await expect(page.getByText('Invalid email address')).toHaveCount(1)
    await page.getByLabel('Email').fill('ana@cole.example')
    await page.getByRole('button', submit).click()
    await expect(page.getByLabel('Name of family member 1')).toBeFocused()
    await page.getByRole('button', { name: 'Remove family member 1' }).click()
    await expect(page.getByText('Name is required')).toHaveCount(0)
    expect(sent).not.toContain('/api/rsvp')
    await page.getByRole('button', submit).click()
    await expectToast(page, 'RSVP Submitted', 'Thank you for your response!')
  })

  test('is submitted by Enter in a text field and has input types for phones', async ({ page, site }) => {
    await open(page, '/share')
    await fillForm(page)
    const email = page.getByLabel('Email')
    await expect(email).toHaveAttribute('type', 'email')
    await expect(email).toHaveAttribute('autocomplete', 'email')
    await expect(page.getByLabel('Phone')).toHaveAttribute('type', 'tel')
    await expect(page.getByLabel('Name', { exact: true })).toHaveAttribute('autocomplete', 'name')
    await expect(page.getByLabel('Message')).toHaveAttribute('placeholder', /special notes or prayer requests/)
    await page.getByLabel('Phone').fill('+1 555 0100')
    await page.getByLabel('Phone').press('Enter')
    await expectToast(page, 'RSVP Submitted', 'Thank you for your response!')
    expect(await readRsvps(site)).toMatchObject([{ phone: '+1 555 0100', familyMembers: [] }])
  })
})
