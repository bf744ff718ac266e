import {
  expect,
  expectToast,
  fillForm,
  open,
  readRsvps,
  roleButton,
  roles,
  send,
  storeRsvps,
  test,
  testRsvp,
} from './fixtures.ts'

test.describe('a role that needs only so many', () => {
  // A role that was filled meanwhile is refused with a 400, which browsers log.
  test.use({ expectedErrors: /400/ })

  test('says how many are still needed for the chosen service, and cannot be picked once filled', async ({
    page,
    site,
  }) => {
    await send(site, 'PATCH', '/api/schedule', { timeZone: 'UTC' })
    await send(site, 'PATCH', '/api/volunteer-roles/1', { needed: 1 })
    await send(site, 'PATCH', '/api/volunteer-roles/2', { needed: 2 })
    await storeRsvps(site, [testRsvp({ volunteerRoles: [1, 2] })])
    await open(page, '/share')
    await fillForm(page, 'Bea Cole')
    const option = (name: string) => roleButton(page, name)
    await expect(option('Greeter · filled')).toBeDisabled()
    await expect(option('Usher · 1 still needed')).toBeEnabled()
    await expect(option('Music')).toHaveText('Music')

    const hint = page.getByText('Already signed up? Use your private link.')
    await expect(hint).toBeVisible()
    const day = page.getByLabel('For', { exact: true })
    await day.selectOption({ index: 1 })
    await expect(option('Greeter · 1 still needed')).toBeEnabled()
    await expect(hint).toHaveCount(0)
    await day.selectOption({ index: 0 })
    await expect(option('Greeter · filled')).toBeDisabled()

    await option('Usher · 1 still needed').click()
    await storeRsvps(site, [testRsvp({ name: 'Dan Cole', volunteerRoles: [2] })])
    await page.getByRole('button', { name: 'Submit RSVP' }).click()
    await expect(roles(page)).toHaveAccessibleDescription(/^Usher is filled for this week\./)
    await expect(option('Usher · filled')).toBeDisabled()
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Bea Cole')
    await page.getByRole('button', { name: 'Remove Usher' }).click()
    await page.getByRole('button', { name: 'Submit RSVP' }).click()
    await expectToast(page, 'RSVP Submitted', 'Thank you for your response!')
    expect(await readRsvps(site)).toHaveLength(3)

    // There it is used already.
    await page.getByRole('link', { name: 'Change or withdraw' }).click()
    await expect(option('Greeter · filled')).toBeDisabled()
    await expect(hint).toBeHidden()
  })

  test.describe('without JavaScript', () => {
    test.use({ javaScriptEnabled: false })

    test('is picked for another service alone, and cannot be ticked where it is filled for all', async ({
      page,
      site,
    }) => {
      await send(site, 'PATCH', '/api/volunteer-roles/1', { needed: 1 })
      await storeRsvps(site, [testRsvp({ volunteerRoles: [1] })])
      await page.goto('/share')
      const day = page.getByLabel('For', { exact: true })
      const [next = '', ...later] = await day.locator('option').allTextContents()
      await page.getByText("Yes, I'll attend").click()
      await page.getByLabel('Name', { exact: true }).fill('Bea Cole')
      await page.getByLabel('Email').fill('bea@cole.example')
      await expect(page.getByText('Already signed up?')).toBeVisible()
      const greeter = page.getByRole('checkbox', { name: `Greeter · filled for ${next}` })
      await greeter.check()
      const submit = page.getByRole('button', { name: 'Submit RSVP' })
      await submit.click()
      await expect(page.getByText('Greeter is filled for this week.')).toBeVisible()
      await expect(greeter).toBeChecked()
      await day.selectOption(later[0] ?? '')
      await submit.click()
      await expect(page.getByText('You offered to help with: Greeter')).toBeVisible()

      const dates = (
        await day.locator('option').evaluateAll((options) => options.map((option) => option.getAttribute('value')))
      ).slice(2)
      await storeRsvps(
        site,
        dates.map((serviceDate) => testRsvp({ volunteerRoles: [1], serviceDate })),
      )
      await page.goto('/share')
      await expect(page.getByRole('checkbox', { name: 'Greeter · filled' })).toBeDisabled()
      await expect(page.getByRole('checkbox', { name: 'Usher' })).toBeEnabled()
    })
  })
})
