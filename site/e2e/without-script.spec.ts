import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { addMember, age, fillForm, member, submit } from './form.ts'
import { readRsvps, storeManyRsvps, storeRsvps, testRsvps } from './stored.ts'

const thanks = (page: Page) => page.locator('.thanks')

test.use({ expectedErrors: /status of 400/ })

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('shows event, form and list, returns invalid RSVPs as typed, and thanks for others', async ({ page, site }) => {
    await storeRsvps(site, testRsvps(3))
    await page.goto('/')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sabbath Worship Service')
    await expect(page.getByRole('rowheader', { name: 'Visitor 3' })).toBeVisible()
    await expect(page.getByRole('button', { name: /^(Edit|Copy Link|Share)$/ })).toHaveCount(0)

    await page.getByLabel('Name', { exact: true }).fill('A')
    await page.getByLabel('Email').fill('ana@cole')
    await page.getByLabel('Phone').fill('+1 555 0100')
    await page.getByLabel('Message').fill('Two lines\n"quoted" & <b>bold</b>')
    await page.getByLabel('Usher').check()
    await page.getByText('Google Calendar').click()
    await addMember(page).click()
    await member(page, 1).fill('J')
    await page.getByText('Child', { exact: true }).click()
    await submit(page).click()
    const attending = page.getByRole('radiogroup', { name: 'Will you be attending?' })
    await expect(attending).toHaveAccessibleDescription('Please choose whether you will attend.')
    const name = page.getByRole('textbox', { name: 'Name', exact: true })
    await expect(name).toHaveAccessibleDescription('Write the name with at least two letters.')
    await expect(page.getByLabel('Email')).toHaveAccessibleDescription('Invalid email address')
    await expect(member(page, 1)).toHaveAccessibleDescription('Write the name with at least two letters.')
    await expect(page.getByRole('alert')).toHaveText('Please correct the fields marked below.')
    await expect(name).toHaveValue('A')
    await expect(page.getByLabel('Email')).toHaveValue('ana@cole')
    await expect(page.getByLabel('Phone')).toHaveValue('+1 555 0100')
    await expect(page.getByLabel('Message')).toHaveValue('Two lines\n"quoted" & <b>bold</b>')
    await expect(page.getByRole('checkbox', { name: 'Usher' })).toBeChecked()
    await expect(page.getByRole('radio', { name: 'Google Calendar' })).toBeChecked()
    await expect(member(page, 1)).toHaveValue('J')
    await expect(age(page, 'Child')).toBeChecked()
    expect(await readRsvps(site)).toHaveLength(3)

    await addMember(page).click()
    await page.getByRole('button', { name: 'Remove family member 2' }).click()
    await expect(member(page, 2)).toHaveCount(0)
    await page.getByText("No, I can't").click()
    for (const hidden of [member(page, 1), page.getByRole('checkbox', { name: 'Usher' })])
      await expect(hidden).toBeHidden()
    await page.getByLabel('Others of my family will come').check()
    await name.fill('Ana')
    await member(page, 1).fill('Joel')
    await page.getByLabel('Email').fill('ana@cole.example')
    await submit(page).click()
    await expect(thanks(page)).toContainText('Coming without you: Joel')
    await expect(thanks(page)).not.toContainText('Usher')
    await expect(page.locator('.your-rsvp')).toHaveText('Coming without you: Joel · Change')
    expect((await readRsvps(site))[0]).toMatchObject({
      attending: false,
      familyMembers: [{ name: 'Joel', age: 'child' }],
      volunteerSignups: [],
    })

    await fillForm(page, 'Eve Poe')
    await page.getByLabel('Usher').check()
    await page.getByLabel('Music').check()
    await page.getByText('iCal').click()
    await page.getByLabel('Phone').press('Enter')
    await expect(page).toHaveURL(/\/\?thanks=[\w.-]+#rsvp-title$/)
    await expect(page.getByText('Thank you for your response!')).toBeInViewport()
    await expect(page.getByRole('rowheader', { name: 'Eve Poe' })).toBeVisible()
    await expect(submit(page)).toBeHidden()
    await expect(page.getByRole('button', { name: /^(Copy Link|Copy Private Link|Share)$/ })).toHaveCount(0)
    const [stored] = await readRsvps(site)
    expect(stored).toMatchObject({ name: 'Eve Poe', calendarType: 'ical', familyMembers: [] })
    expect(stored.volunteerSignups).toHaveLength(2)
  })

  test('turns pages and searches in the administration', async ({ page, site }) => {
    await storeManyRsvps(site, 105)
    await page.goto('/admin')
    await expect(page.getByText('The administration needs JavaScript.')).toBeVisible()
    await page.getByLabel('Search').fill('visitor')
    await page.getByLabel('Order').selectOption('Oldest')
    await page.getByRole('button', { name: 'Search' }).click()
    await expect(page).toHaveURL('/admin?q=visitor&status=&role=&sort=oldest#responses')
    await page.getByRole('link', { name: 'Next', exact: true }).click()
    await expect(page).toHaveURL('/admin?q=visitor&sort=oldest&page=2#responses')
    await expect(page.getByText('101–105 of 105')).toBeVisible()
    await expect(page.getByRole('button').filter({ hasNotText: 'Search' })).toHaveCount(0)
    await expect(page.getByText('Recently deleted')).toBeHidden()
  })
})
