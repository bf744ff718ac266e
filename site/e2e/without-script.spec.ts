import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { age, fillForm, submit } from './form.ts'
import { confirmSchedule, readRsvps, storeManyRsvps, storeRsvps, testRsvp, testRsvps } from './stored.ts'

/** The address that the form redirects to without JavaScript. */
const thanksAddress = (path: string) => new RegExp(`${path}\\?thanks=[\\w.-]+#rsvp-title$`)
const member = (page: Page, number: number) => page.getByLabel(`Name of family member ${number}`)
const thanks = (page: Page) => page.locator('.thanks')

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false, expectedErrors: /status of 400/ })

  test('both pages show the event, the form and the list, and thank for an RSVP', async ({ page, site }) => {
    await storeRsvps(site, testRsvps(3))
    for (const path of ['/', '/share']) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sabbath Worship Service')
      await expect(page.getByRole('rowheader', { name: 'Visitor 3' })).toBeVisible()
      await expect(page.getByRole('button', { name: /^(Edit|Copy Link|Share)$/ })).toHaveCount(0)
      await fillForm(page)
      await page.getByLabel('Usher').check()
      await page.getByLabel('Music').check()
      await page.getByText('iCal').click()
      await page.getByLabel('Phone').press('Enter')
      await expect(page).toHaveURL(thanksAddress(path))
      await expect(page.getByText('Thank you for your response!')).toBeInViewport()
      await expect(page.getByRole('rowheader', { name: 'Ana Cole' }).first()).toBeVisible()
      await expect(submit(page)).toBeHidden()
      await expect(page.getByRole('button', { name: /^(Copy Link|Copy Private Link|Share)$/ })).toHaveCount(0)
      const [stored] = await readRsvps(site)
      expect(stored).toMatchObject({ name: 'Ana Cole', calendarType: 'ical', familyMembers: [] })
      expect(stored.volunteerSignups).toHaveLength(2)
    }
  })

  test('an invalid RSVP is returned with its messages and everything typed', async ({ page, site }) => {
    await page.goto('/share')
    await page.getByLabel('Name', { exact: true }).fill('A')
    await page.getByLabel('Email').fill('ana@cole')
    await page.getByLabel('Phone').fill('+1 555 0100')
    await page.getByLabel('Message').fill('Two lines\n"quoted" & <b>bold</b>')
    await page.getByLabel('Usher').check()
    await page.getByText('Google Calendar').click()
    await page.getByRole('button', { name: 'Add Family Member' }).click()
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
    expect(await readRsvps(site)).toEqual([])

    await page.getByRole('button', { name: 'Add Family Member' }).click()
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
    const stored = { attending: false, familyMembers: [{ name: 'Joel', age: 'child' }], volunteerSignups: [] }
    expect(await readRsvps(site)).toMatchObject([stored])
  })

  test('the administration turns pages, searches and prints', async ({ page, site }) => {
    await storeManyRsvps(site, 105)
    await page.goto('/admin')
    await expect(page.getByText('The administration needs JavaScript.')).toBeVisible()
    await page.getByLabel('Search').fill('visitor')
    await page.getByLabel('Order').selectOption('Oldest')
    await page.getByRole('button', { name: 'Search' }).click()
    await expect(page).toHaveURL('/admin?q=visitor&status=&role=&sort=oldest#responses')
    await page.getByRole('link', { name: 'Newer' }).click()
    await expect(page).toHaveURL('/admin?q=visitor&sort=oldest&after=100#responses')
    await expect(page.getByText('101–105 of 105')).toBeVisible()
    await expect(page.getByRole('button').filter({ hasNotText: 'Search' })).toHaveCount(0)
    await expect(page.getByText('Recently deleted')).toBeHidden()

    const weeks = await confirmSchedule(site)
    await storeRsvps(site, [
      testRsvp({ serviceDate: weeks.next }),
      testRsvp({ name: 'Joel Cole', message: 'Pray for Joel', serviceDate: weeks.next }),
      testRsvp({ serviceDate: weeks.next }),
    ])
    await page.goto('/admin')
    await page.getByRole('navigation', { name: 'Week' }).getByRole('link', { name: 'Next week' }).click()
    await expect(page.getByText('2 people expected')).toBeVisible()
    const note = page.getByRole('region', { name: 'Sent more than once' })
    await note.getByRole('link', { name: 'Show those of Ana Cole' }).click()
    await expect(page.locator('[data-rsvp]')).toHaveCount(2)
    await page.getByRole('link', { name: 'Print the sheet' }).click()
    await expect(page.getByText('Pray for Joel')).toBeVisible()
    await expect(page.getByRole('button')).toHaveCount(0)
    await page.getByRole('link', { name: 'Leave out messages' }).click()
    await expect(page.getByText('Pray for Joel')).toHaveCount(0)
  })
})
