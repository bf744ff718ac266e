import { expect, expectToast, hold, open, roles, send, storeRsvps, test, testRsvp } from './fixtures.ts'

test.describe('the tabs of the administration', () => {
  test('start with the responses, follow the arrow keys and are kept in the address', async ({ page }) => {
    await open(page, '/admin')
    const tab = (name: string) => page.getByRole('tab', { name })
    await expect(page.getByRole('tab')).toHaveText(['Responses', 'Settings', 'Share'])
    await expect(tab('Responses')).toHaveAttribute('aria-selected', 'true')
    await expect(page.getByRole('tabpanel', { name: 'Responses' })).toBeVisible()
    await tab('Responses').focus()
    await page.keyboard.press('ArrowRight')
    await expect(tab('Settings')).toBeFocused()
    await expect(page.getByRole('heading', { name: 'Features Settings' })).toBeVisible()
    await expect(page).toHaveURL('/admin?tab=settings')
    await page.keyboard.press('End')
    await expect(page.getByRole('heading', { name: 'Share RSVP Form' })).toBeVisible()
    await page.keyboard.press('ArrowRight')
    await expect(tab('Responses')).toBeFocused()
    await expect(page).toHaveURL('/admin')
    await page.keyboard.press('ArrowLeft')
    await expect(tab('Share')).toBeFocused()
    await page.keyboard.press('Home')
    await tab('Settings').click()
    await page.reload()
    await expect(tab('Settings')).toHaveAttribute('aria-selected', 'true')
    await expect(page.getByRole('switch')).toHaveCount(3)
    await open(page, '/admin?tab=nonsense')
    await expect(tab('Responses')).toHaveAttribute('aria-selected', 'true')
  })
})

test.describe('the settings of the administration', () => {
  test('send each switch at once, and only that one', async ({ page, site }) => {
    await open(page, '/admin?tab=settings')
    const switches = {
      'Calendar Integration': ['calendarIntegration', 'Allow attendees to add the event to their calendar'],
      'Family RSVP': ['familyRsvp', 'Enable RSVP for multiple family members'],
      'Volunteer Signup': ['volunteerSignup', 'Allow attendees to sign up for volunteer roles'],
    }
    for (const [name, [flag = '', description = '']] of Object.entries(switches)) {
      const control = page.getByRole('switch', { name })
      await expect(control).toBeChecked()
      await expect(control).toHaveAccessibleDescription(description)
      // Waits for the reply, because the notice of the previous switch may still be shown.
      const [reply] = await Promise.all([
        page.waitForResponse((response) => response.request().method() === 'PATCH'),
        page.getByText(name, { exact: true }).click(),
      ])
      expect(reply.request().postDataJSON()).toEqual({ [flag]: false })
      await expectToast(page, 'Features Updated', 'Feature settings have been saved successfully.')
      await expect(control).not.toBeChecked()
    }
    const stored = await (await fetch(`${site.url}/api/features`)).json()
    expect(stored).toEqual({ calendarIntegration: false, familyRsvp: false, volunteerSignup: false })
    await page.getByRole('tab', { name: 'Share' }).click()
    await page.getByRole('tab', { name: 'Settings' }).click()
    await page.getByRole('switch', { name: 'Family RSVP' }).focus()
    await page.keyboard.press('Space')
    await expect(page.getByRole('switch', { name: 'Family RSVP' })).toBeChecked()
    await expect.poll(async () => (await (await fetch(`${site.url}/api/features`)).json()).familyRsvp).toBe(true)
    await page.reload()
    await expect(page.getByRole('switch', { name: 'Calendar Integration' })).not.toBeChecked()
    await expect(page.getByRole('switch', { name: 'Family RSVP' })).toBeChecked()
  })
})

test.describe('the volunteer roles', () => {
  // A name that is taken is refused with a 400, which browsers log.
  test.use({ expectedErrors: /400/ })

  test('can be added, renamed and retired, and the form offers the rest', async ({ page, site }) => {
    await storeRsvps(site, [testRsvp({ volunteerRoles: [2] })])
    await open(page, '/admin?tab=settings')
    await page.getByLabel('New role').fill('  Flowers ')
    await page.getByRole('button', { name: 'Add Role' }).click()
    await expectToast(page, 'Roles Updated', 'The volunteer roles have been saved.')
    await expect(page.getByLabel('New role')).toHaveValue('')
    await expect(page.getByLabel('Role Flowers')).toHaveValue('Flowers')

    const save = page.getByRole('button', { name: 'Save Music' })
    await expect(save).toHaveCount(0)
    await page.getByLabel('Role Music').fill('Musical')
    await expect(save).toBeVisible()
    await page.getByLabel('Role Music').fill('Music ')
    await expect(save).toHaveCount(0)
    await page.getByLabel('Role Music').fill('Choir')
    await page.getByLabel('Role Music').press('Enter')
    await expect(page.getByLabel('Role Choir')).toHaveValue('Choir')
    await expect(page.getByRole('button', { name: 'Save Choir' })).toHaveCount(0)

    const dialog = page.getByRole('dialog')
    const retire = page.getByRole('button', { name: 'Retire Usher' })
    await retire.click()
    await expect(dialog).toContainText('Usher will no longer be offered. The responses that chose it keep it.')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(retire).toBeFocused()
    await retire.click()
    await dialog.getByRole('button', { name: 'Retire' }).click()
    await expect(page.getByLabel('Role Usher')).toHaveCount(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByLabel('Role Usher')).toBeVisible()
    await page.getByLabel('New role').fill('usher')
    await page.keyboard.press('Enter')
    await expectToast(page, 'Error', 'There is a role named usher already. Give this one another name.')
    await retire.click()
    await dialog.getByRole('button', { name: 'Retire' }).click()
    await expect(page.getByLabel('Role Usher')).toHaveCount(0)

    await open(page, '/share')
    await expect(roles(page).getByRole('button')).toHaveText([
      'Greeter',
      'Choir',
      "Children's Class",
      'Audio and Video',
      'Fellowship Meal',
      'Flowers',
    ])
    await open(page, '/admin')
    await expect(page.getByRole('row').filter({ hasText: 'Ana Cole' })).toContainText('Usher')
  })

  test('keep the next one that is typed while one is being added', async ({ page }) => {
    await open(page, '/admin?tab=settings')
    const release = await hold(page, '**/api/volunteer-roles')
    const name = page.getByLabel('New role')
    const needed = page.getByLabel('Needed each week', { exact: true })
    await name.fill('Flowers')
    await needed.fill('2')
    await needed.press('Enter')
    await name.fill('Parking')
    release()
    await expectToast(page, 'Roles Updated', 'The volunteer roles have been saved.')
    await expect(name).toHaveValue('Parking')
    await expect(needed).toHaveValue('')
  })

  test('say how many people they need each week', async ({ page, site }) => {
    const stored = async (id: number) => {
      const roles: { id: number; name: string; needed?: number }[] = await (
        await fetch(`${site.url}/api/volunteer-roles`)
      ).json()
      const { name, needed } = roles.find((role) => role.id === id) ?? {}
      return { name, needed }
    }
    await open(page, '/admin?tab=settings')
    const needed = page.getByLabel('Needed each week: Greeter')
    await expect(needed).toHaveValue('')
    await needed.fill('3')
    await page.getByRole('button', { name: 'Save Greeter' }).click()
    await expectToast(page, 'Roles Updated', 'The volunteer roles have been saved.')
    expect(await stored(1)).toEqual({ name: 'Greeter', needed: 3 })

    for (const wrong of ['0', 'two', '1.5']) {
      await needed.fill(wrong)
      await needed.press('Enter')
      await expect(needed).toHaveAccessibleDescription('Give a number from 1 to 999, or leave it empty.')
    }
    expect(await stored(1)).toEqual({ name: 'Greeter', needed: 3 })
    await page.getByLabel('Role Greeter').fill('Welcome')
    await needed.fill('')
    await needed.press('Enter')
    await expect(page.getByLabel('Role Welcome')).toHaveValue('Welcome')
    await expect.poll(() => stored(1)).toEqual({ name: 'Welcome' })

    await page.getByLabel('New role').fill('Parking')
    await page.getByLabel('Needed each week', { exact: true }).fill('2')
    await page.keyboard.press('Enter')
    await expect(page.getByLabel('Needed each week: Parking')).toHaveValue('2')
    await expect(page.getByLabel('Needed each week', { exact: true })).toHaveValue('')
    await page.reload()
    await expect(page.getByLabel('Needed each week: Parking')).toHaveValue('2')
  })
})

test('the settings say how long responses are kept', async ({ page, site }) => {
  await open(page, '/admin?tab=settings')
  const panel = page.getByRole('region', { name: 'How Long Responses Are Kept' })
  await expect(panel).toContainText('Until you delete them. A deleted response can be restored for 30 days.')
  await send(site, 'PATCH', '/api/settings', { retentionDays: 90 })
  await page.reload()
  await expect(panel).toContainText('For 90 days. After that names, contact details and messages are removed')
})
