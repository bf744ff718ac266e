import type { Page } from '@playwright/test'
import { dayText } from '#db/values/dates.ts'
import { expect, open, readRsvps, send, storeRsvps, test, testRsvp, waitForHydration } from './fixtures.ts'
import { confirmSchedule } from './weeks.ts'

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Add a Response' })

async function openForm(page: Page): Promise<void> {
  await open(page, '/admin')
  await page.getByRole('button', { name: 'Add a response' }).press('Enter')
  await expect(dialog(page).getByRole('textbox', { name: 'Name', exact: true })).toBeFocused()
}

/** Types keys where the focus is, and returns how many they were. */
async function typeKeys(page: Page, ...words: string[]): Promise<number> {
  let keys = 0
  for (const word of words) {
    const isKey = /^(Tab|Enter|Space|Arrow\w+)$/.test(word)
    keys += isKey ? 1 : word.length
    if (isKey) await page.keyboard.press(word)
    else await page.keyboard.type(word)
  }
  return keys
}

test.describe('adding a response', () => {
  test.use({ expectedErrors: /status of 400/ })

  test('is for the service whose responses are shown, and says so', async ({ page, site }) => {
    await open(page, '/admin?week=next')
    await page.getByRole('button', { name: 'Add a response' }).click()
    await expect(dialog(page).getByRole('textbox', { name: 'Name', exact: true })).toBeFocused()
    await typeKeys(page, 'Eva Kim', 'Enter')
    const { services } = await (await fetch(`${site.url}/api/schedule`)).json()
    await expect(page.getByText(/^Saved: Eva Kim, 1 person, for \w+day, \w+ \d+/)).toBeVisible()
    expect(await readRsvps(site)).toMatchObject([{ name: 'Eva Kim', serviceDate: services[1].date }])
  })

  test('takes a family of four in 44 keys, and is ready for the next one', async ({ page, site }) => {
    await openForm(page)
    const family = ['Ana Cole', 'Tab', 'Ben Cole', 'Tab', 'a', 'Enter', 'Joel Cole', 'Tab', 'c', 'Enter']
    const keys = await typeKeys(page, ...family, 'Mia Cole', 'Tab', 't', 'Enter', 'Enter')
    expect(keys).toBe(44)
    await expect(page.getByText('Saved: Ana Cole, 4 people')).toBeVisible()
    await expect(dialog(page).getByRole('textbox', { name: 'Name', exact: true })).toBeFocused()
    await expect(dialog(page).getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('')
    await typeKeys(page, 'Eva Kim', 'Enter')
    await expect(page.getByText('Saved: Eva Kim, 1 person')).toBeVisible()
    expect(await readRsvps(site)).toMatchObject([
      { name: 'Eva Kim', email: '', familyMembers: [], attending: true },
      {
        ...{ name: 'Ana Cole', email: '', phone: null, message: null, attending: true, volunteerSignups: [] },
        familyMembers: [
          { name: 'Ben Cole', age: 'adult', attending: true },
          { name: 'Joel Cole', age: 'child', attending: true },
          { name: 'Mia Cole', age: 'teen', attending: true },
        ],
      },
    ])
    await dialog(page).getByRole('button', { name: 'Done' }).press('Enter')
    await expect(page.getByRole('row')).toHaveCount(3)
  })

  test('stores every field, for the service that is chosen', async ({ page, site }) => {
    await openForm(page)
    const form = dialog(page)
    await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Ana Cole')
    await form.getByText('Not Attending').click()
    await form.getByLabel('Phone').fill('555 0101')
    await form.getByLabel('Email').fill('ana@cole.example')
    await form.getByRole('checkbox', { name: 'Music' }).check()
    await form.getByLabel('Message').fill('By letter')
    const day = form.getByRole('combobox', { name: 'Service' })
    const second = await day.locator('option').nth(1).getAttribute('value')
    await day.selectOption(second)
    await page.keyboard.press('Control+Enter')
    await expect(page.getByText('Saved: Ana Cole, not attending')).toBeVisible()
    await expect(day).toHaveValue(String(second))
    expect(await readRsvps(site)).toMatchObject([
      {
        ...{ name: 'Ana Cole', attending: false, phone: '555 0101', email: 'ana@cole.example', message: 'By letter' },
        ...{ serviceDate: second, volunteerSignups: [{ role: { name: 'Music' } }] },
      },
    ])
  })

  test('takes back what was saved last', async ({ page, site }) => {
    await openForm(page)
    await typeKeys(page, 'Ana Cole', 'Enter')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByText('Taken back: Ana Cole, 1 person')).toBeVisible()
    expect(await readRsvps(site)).toEqual([])
  })

  test('says what is wrong beside the field, and keeps what was typed', async ({ page, site }) => {
    await openForm(page)
    await typeKeys(page, 'Ana Cole', 'Tab', 'Tab', 'Tab', 'Tab')
    await dialog(page).getByLabel('Email').fill('ana@')
    await dialog(page).getByRole('textbox', { name: 'Family member 1' }).fill('J')
    await page.keyboard.press('Control+Enter')
    await expect(dialog(page).getByText('Invalid email address')).toBeVisible()
    await expect(dialog(page).getByRole('textbox', { name: 'Family member 1' })).toBeFocused()
    await expect(dialog(page).getByText('Name is required')).toBeVisible()
    await typeKeys(page, 'o')
    await dialog(page).getByLabel('Email').fill('')
    await page.keyboard.press('Control+Enter')
    await expect(page.getByText('Saved: Ana Cole, 2 people')).toBeVisible()
    expect(await readRsvps(site)).toMatchObject([{ familyMembers: [{ name: 'Jo', age: null }] }])
  })

  test('says which roles are filled at the service, and takes one more person all the same', async ({ page, site }) => {
    const weeks = await confirmSchedule(site)
    await send(site, 'PATCH', '/api/volunteer-roles/1', { needed: 1 })
    await storeRsvps(site, [testRsvp({ name: 'Ben Roe', volunteerRoles: [1] })])
    await openForm(page)
    const form = dialog(page)
    const note = form.getByText('Greeter: 2 of 1, 1 more than needed. You can save it all the same.')
    await form.getByRole('checkbox', { name: 'Greeter · filled' }).check()
    await expect(note).toBeVisible()
    const day = form.getByRole('combobox', { name: 'Service' })
    await day.selectOption(weeks.next)
    await expect(form.getByRole('checkbox', { name: 'Greeter · 1 still needed' })).toBeChecked()
    await expect(note).toHaveCount(0)
    await day.selectOption(weeks.this)
    await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Ana Cole')
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Saved: Ana Cole, 1 person')).toBeVisible()
    await form.getByRole('checkbox', { name: 'Greeter · filled' }).check()
    await expect(form.getByText('Greeter: 3 of 1, 2 more than needed.')).toBeVisible()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    const greeters = page.getByRole('listitem').filter({ hasText: 'Greeter' })
    await expect(greeters).toContainText('2 of 1, 1 more than needed')
    await open(page, '/admin?tab=settings')
    await expect(page.getByText(`${dayText(weeks.this)}: 2 of 1, 1 more than needed.`)).toBeVisible()
    await open(page, `/admin/sheet?week=${weeks.this}`)
    await expect(page.getByText('2 of 1, 1 more than needed')).toBeVisible()
  })

  test('asks before it discards what was typed', async ({ page, site }) => {
    await openForm(page)
    await page.keyboard.type('Ana')
    await page.keyboard.press('Escape')
    await expect(dialog(page).getByText('What you typed is not saved. Close once more to discard it.')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Add a response' })).toBeFocused()
    expect(await readRsvps(site)).toEqual([])
  })
})

test.describe('a response that is not stored', () => {
  test.use({ expectedErrors: /status of 503|ERR_FAILED/ })

  test('is stored once where it is saved again', async ({ page, site }) => {
    await storeRsvps(site, [testRsvp({ name: 'Ben Roe' })])
    // The first reply is lost, and what was sent is stored all the same.
    await page.route('**/api/rsvps', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await openForm(page)
    await typeKeys(page, 'Ana Cole', 'Enter')
    await expect(dialog(page).getByText('The site could not save it. Please try again.')).toBeVisible()
    await page.unrouteAll()
    await page.keyboard.press('Enter')
    await expect(page.getByText('Saved: Ana Cole, 1 person')).toBeVisible()
    expect(await readRsvps(site)).toHaveLength(2)
  })
})

test.describe('editing a response', () => {
  test('changes what is typed and keeps the rest, family members who stay away too', async ({ page, site }) => {
    const family = [{ name: 'Joel Cole', age: 'child', attending: false }]
    await storeRsvps(site, [testRsvp({ phone: '555 0101', familyMembers: family, volunteerRoles: [3] })])
    await open(page, '/admin')
    await page.getByRole('button', { name: 'Edit the RSVP of Ana Cole' }).press('Enter')
    const form = page.getByRole('dialog', { name: 'Edit the Response' })
    await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Ana Roe')
    await page.keyboard.press('Enter')
    await expect(page.getByText('The response has been changed.').first()).toBeVisible()
    await expect(page.getByRole('rowheader', { name: 'Ana Roe' })).toBeVisible()
    expect(await readRsvps(site)).toMatchObject([
      {
        name: 'Ana Roe',
        email: 'ana@cole.example',
        phone: '555 0101',
        familyMembers: family,
        volunteerSignups: [{ role: { id: 3 } }],
      },
    ])
  })

  test('counts no one of a family that is set to Not Attending, unless others of it come', async ({ page, site }) => {
    await storeRsvps(site, [testRsvp({ familyMembers: [{ name: 'Joel Cole' }, { name: 'Mia Cole' }] })])
    const form = page.getByRole('dialog', { name: 'Edit the Response' })
    const edit = page.getByRole('button', { name: 'Edit the RSVP of Ana Cole' })
    const others = form.getByRole('checkbox', { name: 'Others of the family will come' })
    const save = async () => {
      const saved = page.waitForEvent('load')
      await form.getByRole('button', { name: 'Save' }).click()
      await saved
    }
    await open(page, '/admin')
    await edit.press('Enter')
    await expect(others).toHaveCount(0)
    await form.getByText('Not Attending').click()
    await expect(others).not.toBeChecked()
    await expect(form.getByRole('checkbox', { name: 'Comes' })).toHaveCount(0)
    await save()
    await expect(page.locator('.week-figures__people')).toHaveText('0 people expected')
    await waitForHydration(page)
    await expect(edit).toBeFocused()
    await edit.press('Enter')
    await others.check()
    await form.getByRole('checkbox', { name: 'Comes' }).first().check()
    await save()
    await expect(page.locator('.week-figures__people')).toHaveText('1 person expected')
    await waitForHydration(page)
    await edit.press('Enter')
    await expect(others).toBeChecked()
    await form.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Delete the RSVP of Ana Cole' }).click()
    await expect(page.getByRole('alertdialog')).toContainText('Are you sure you want to delete this RSVP?Ana Cole')
  })

  test('asks for nothing that visitors are not offered, but shows what the response has', async ({ page, site }) => {
    await storeRsvps(site, [testRsvp({ familyMembers: [{ name: 'Joel Cole' }] }), testRsvp({ name: 'Ben Roe' })])
    await send(site, 'PATCH', '/api/features', { familyRsvp: false, volunteerSignup: false })
    await open(page, '/admin')
    const family = page.getByRole('dialog').getByRole('group', { name: 'Family Members' })
    const name = page.getByRole('dialog').getByRole('textbox', { name: 'Name', exact: true })
    for (const [who, count] of [
      ['Ben Roe', 0],
      ['Ana Cole', 1],
    ] as const) {
      await page.getByRole('button', { name: `Edit the RSVP of ${who}` }).press('Enter')
      await expect(name).toHaveValue(who)
      await expect(family).toHaveCount(count)
      await expect(page.getByRole('dialog').getByRole('group', { name: 'Volunteer Roles' })).toHaveCount(0)
      await page.keyboard.press('Escape')
    }
    expect(await readRsvps(site)).toMatchObject([{}, { familyMembers: [{ name: 'Joel Cole' }] }])
  })

  test.describe('at the same time as its sender', () => {
    test.use({ expectedErrors: /status of 412/ })

    test('overwrites nothing', async ({ page, site }) => {
      await storeRsvps(site, [testRsvp()])
      await open(page, '/admin')
      await page.getByRole('button', { name: 'Edit the RSVP of Ana Cole' }).press('Enter')
      const form = page.getByRole('dialog', { name: 'Edit the Response' })
      await form.getByLabel('Message').fill('Mine')
      await send(site, 'PATCH', '/api/rsvps/1', { message: 'Theirs' })
      await page.keyboard.press('Control+Enter')
      await expect(form.getByText(/was changed meanwhile/)).toBeVisible()
      expect(await readRsvps(site)).toMatchObject([{ message: 'Theirs' }])
    })
  })
})
