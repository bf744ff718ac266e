import {
  age,
  expect,
  expectToast,
  fillForm,
  open,
  pickRole,
  readRsvps,
  roleButton,
  roles,
  send,
  test,
} from './fixtures.ts'

test.describe('the sections of the RSVP form', () => {
  test('remove the right family member, and the others keep their texts', async ({ page, site }) => {
    await open(page, '/share')
    await fillForm(page)
    const add = page.getByRole('button', { name: 'Add Family Member' })
    for (const [position, name] of ['Joel', 'Dina', 'Mara'].entries()) {
      await add.click()
      const field = page.getByLabel(`Name of family member ${position + 1}`)
      await expect(field).toBeFocused()
      await expect(field).toHaveValue('')
      await page.keyboard.type(name)
    }
    await expect(page.getByText('Age Group', { exact: true })).toHaveCount(3)
    await page.getByText('Adult').first().click()
    await page.getByText('Teen').nth(1).click()
    await page.getByText('Teen').nth(1).click()
    await page.getByText('Child', { exact: true }).nth(2).click()
    await expect(age(page, 'Teen', 2)).not.toBeChecked()
    await page.getByRole('button', { name: 'Remove family member 2' }).click()
    await expect(page.getByLabel('Name of family member 1')).toHaveValue('Joel')
    await expect(page.getByLabel('Name of family member 2')).toHaveValue('Mara')
    await expect(age(page, 'Child', 2)).toBeChecked()
    await expect(page.getByLabel('Name of family member 3')).toHaveCount(0)
    await page.getByRole('button', { name: 'Submit RSVP' }).click()
    await expectToast(page, 'RSVP Submitted', 'Thank you for your response!')
    const [{ familyMembers }] = await readRsvps(site)
    expect(familyMembers).toEqual([
      { name: 'Joel', age: 'adult', attending: true },
      { name: 'Mara', age: 'child', attending: true },
    ])
    await expect(page.getByLabel(/^Name of family member/)).toHaveCount(0)
  })

  test('move to the next field on Enter in a name, and say when no more family members fit', async ({ page, site }) => {
    await open(page, '/share')
    await fillForm(page)
    const add = page.getByRole('button', { name: 'Add Family Member' })
    await add.click()
    await page.keyboard.type('Joel')
    await page.keyboard.press('Enter')
    await expect(
      page.getByRole('radiogroup', { name: 'Age group of Joel' }).getByRole('radio', { name: 'Adult' }),
    ).toBeFocused()
    expect(await readRsvps(site)).toEqual([])
    for (let member = 2; member <= 20; member++) await add.click()
    await expect(page.getByText('An RSVP has room for 20 family members.')).toBeVisible()
    await add.click({ force: true })
    await expect(page.getByLabel(/^Name of family member/)).toHaveCount(20)
    await page.getByRole('button', { name: 'Remove family member 20' }).click()
    await expect(add).toBeFocused()
    await expect(page.getByText('An RSVP has room for')).toHaveCount(0)
  })

  test('count the characters that are left in a long message', async ({ page }) => {
    await open(page, '/share')
    const message = page.getByLabel('Message')
    await message.fill('a'.repeat(1700))
    await expect(page.getByText(/character/)).toHaveCount(0)
    await message.fill('a'.repeat(1990))
    await expect(page.getByText('Characters left: 10')).toBeVisible()
    await message.fill('a'.repeat(2003))
    await expect(page.getByText('Characters left: -3')).toBeVisible()
    await message.fill('')
    await expect(page.getByText(/character/)).toHaveCount(0)
  })

  test('list the picked roles, each with a button that removes it', async ({ page, site }) => {
    await open(page, '/share')
    await fillForm(page)
    const picked = page.getByRole('list', { name: 'Roles picked' }).getByRole('listitem')
    for (const label of ['Music', 'Usher', 'Greeter']) await pickRole(page, label)
    await expect(picked).toHaveText(['Music', 'Usher', 'Greeter'])
    await page.getByRole('button', { name: 'Remove Usher' }).click()
    await expect(picked).toHaveText(['Music', 'Greeter'])
    await page.getByRole('button', { name: 'Submit RSVP' }).click()
    await expectToast(page, 'RSVP Submitted', 'Thank you for your response!')
    await expect(picked).toHaveCount(0)
    const [{ volunteerSignups }] = await readRsvps(site)
    const names = volunteerSignups.map(({ role }: { role: { name: string } }) => role.name)
    expect(names.sort()).toEqual(['Greeter', 'Music'])
  })

  test('list a role twice that was picked twice, and remove both at once', async ({ page, site }) => {
    await open(page, '/share')
    await fillForm(page)
    const picked = page.getByRole('list', { name: 'Roles picked' }).getByRole('listitem')
    const looks = (label: string) =>
      roleButton(page, label).evaluate((button) => {
        return [getComputedStyle(button).backgroundColor, button.querySelector('svg')?.innerHTML]
      })
    await page.emulateMedia({ reducedMotion: 'reduce' })
    const unpicked = await looks('Greeter')
    for (const label of ['Usher', 'Music', 'Usher']) await pickRole(page, label)
    await expect(picked).toHaveText(['Usher', 'Music', 'Usher'])
    await expect(roleButton(page, 'Usher')).toHaveAttribute('aria-pressed', 'true')
    await expect(roleButton(page, 'Greeter')).toHaveAttribute('aria-pressed', 'false')
    const [ground, icon] = await looks('Music')
    expect([ground === unpicked[0], icon === unpicked[1]]).toEqual([false, false])
    await page.getByRole('button', { name: 'Remove Usher' }).last().click()
    await expect(picked).toHaveText(['Music'])
    await expect(roleButton(page, 'Usher')).toHaveAttribute('aria-pressed', 'false')
    for (const label of ['Usher', 'Usher']) await pickRole(page, label)
    const sent = page.waitForRequest((request) => request.method() === 'POST')
    await page.getByRole('button', { name: 'Submit RSVP' }).click()
    expect((await sent).postDataJSON().volunteerRoles).toEqual([3, 2, 2])
    await expectToast(page, 'RSVP Submitted', 'Thank you for your response!')
    const [{ volunteerSignups }] = await readRsvps(site)
    expect(volunteerSignups).toHaveLength(2)
  })

  test('select a calendar, and clear it when it is pressed again', async ({ page, site }) => {
    await open(page, '/share')
    const google = page.getByRole('radio', { name: 'Google Calendar' })
    const ical = page.getByRole('radio', { name: 'iCal' })
    await page.getByText('iCal').click()
    await expect(ical).toBeChecked()
    await page.getByText('iCal').click()
    await expect(ical).not.toBeChecked()
    await google.focus()
    await page.keyboard.press('Space')
    await expect(google).toBeChecked()
    await page.keyboard.press('Space')
    await expect(google).not.toBeChecked()
    await expect(google).toBeFocused()

    await fillForm(page, 'Without')
    await page.getByRole('button', { name: 'Submit RSVP' }).click()
    await expectToast(page, 'RSVP Submitted', 'Thank you for your response!')
    await fillForm(page, 'With')
    await google.check()
    await page.getByRole('button', { name: 'Submit RSVP' }).click()
    await expect(page.getByRole('rowheader', { name: 'With', exact: true })).toBeVisible()
    expect(await readRsvps(site)).toMatchObject([
      { addToCalendar: true, calendarType: 'google' },
      { addToCalendar: false, calendarType: null },
    ])
  })

  test('are shown only if their feature is on, and roles are never requested again', async ({ page, site }) => {
    const requests: string[] = []
    page.on('request', (request) => requests.push(new URL(request.url()).pathname))
    for (const familyRsvp of [true, false]) {
      for (const volunteerSignup of [true, false]) {
        for (const calendarIntegration of [true, false]) {
          await send(site, 'PATCH', '/api/features', { familyRsvp, volunteerSignup, calendarIntegration })
          await open(page, '/share')
          await expect(page.getByRole('button', { name: 'Add Family Member' })).toHaveCount(familyRsvp ? 1 : 0)
          await expect(roles(page)).toHaveCount(volunteerSignup ? 1 : 0)
          const calendar = page.getByRole('radiogroup', { name: 'Add to Calendar' })
          await expect(calendar).toHaveCount(calendarIntegration ? 1 : 0)
        }
      }
    }
    expect(requests).not.toContain('/api/volunteer-roles')
  })
})
