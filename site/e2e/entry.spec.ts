import type { Page } from '@playwright/test'
import { expect, open, people, test, waitForHydration } from './fixtures.ts'
import { paste } from './form.ts'
import { readRsvps, send, storeRsvps, testRsvp } from './stored.ts'
import { expectUsable } from './usable.ts'

test.use({ expectedErrors: /status of (400|412|503)|ERR_FAILED/ })

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Add a Response' })
const editing = (page: Page) => page.getByRole('dialog', { name: 'Edit the Response' })
const name = (page: Page) => page.getByRole('dialog').getByRole('textbox', { name: 'Name', exact: true })
const save = (page: Page) => page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true })
const edit = (page: Page, who = 'Ana Cole') =>
  page.getByRole('button', { name: `Edit the RSVP of ${who}` }).press('Enter')

async function openForm(page: Page, path = '/admin'): Promise<void> {
  await open(page, path)
  await page.getByRole('button', { name: 'Add a response' }).press('Enter')
  await expect(name(page)).toBeFocused()
}

/** Types keys where the focus is, and returns how many they were. */
async function typeKeys(page: Page, ...words: string[]): Promise<number> {
  let keys = 0
  for (const word of words) {
    const isKey = /^(Tab|Enter)$/.test(word)
    keys += isKey ? 1 : word.length
    if (isKey) await page.keyboard.press(word)
    else await page.keyboard.type(word)
  }
  return keys
}

test.describe('adding a response', () => {
  test('takes a family of four in 44 keys, the next one, and a list, a line each', async ({ page, site }) => {
    await openForm(page)
    const family = ['Ana Cole', 'Tab', 'Ben Cole', 'Tab', 'a', 'Enter', 'Joel Cole', 'Tab', 'c', 'Enter']
    const keys = await typeKeys(page, ...family, 'Mia Cole', 'Tab', 't', 'Enter', 'Enter')
    expect(keys).toBe(44)
    await expect(page.getByText('Saved: Ana Cole, 4 people')).toBeVisible()
    await expect(name(page)).toBeFocused()
    await expect(name(page)).toHaveValue('')
    await typeKeys(page, 'Eva Kim', 'Enter')
    await expect(page.getByText('Saved: Eva Kim, 1 person')).toBeVisible()
    expect(await readRsvps(site)).toMatchObject([
      { name: 'Eva Kim', email: '', familyMembers: [], attending: true },
      {
        ...testRsvp({ email: '', phone: null, message: null, volunteerSignups: [] }),
        familyMembers: [
          { name: 'Ben Cole', age: 'adult', attending: true },
          { name: 'Joel Cole', age: 'child', attending: true },
          { name: 'Mia Cole', age: 'teen', attending: true },
        ],
      },
    ])

    await name(page).fill('Familie Lind')
    const line = (number: number) => page.getByLabel(`Family member ${number}`, { exact: true })
    await paste(line(1), 'Joel Lind\n3 kids')
    await expect(line(2)).toHaveValue('3 kids')
    await line(2).press('Enter')
    await line(3).fill('Uli (8); Vera')
    await line(3).press('Enter')
    await expect(line(4)).toBeFocused()
    await expect(line(5)).toHaveValue('Vera')
    await line(4).fill('Anna, Ben and Carl')
    await expectUsable(page, 'the entry', 'dialog[open]')
    await dialog(page).getByRole('button', { name: 'Save', exact: true }).click()
    await expect(page.getByText('Saved: Familie Lind, 8 people')).toBeVisible()
    await dialog(page).getByRole('button', { name: 'Done' }).press('Enter')
    await expect(page.getByRole('row')).toHaveCount(4)
    const row = page.getByRole('row').filter({ hasText: 'Familie Lind' })
    await expect(row).toContainText('several people?')
    await expect(row).toContainText('Joel Lind, 3 kids (several people?), Uli (child), Anna, Vera, Ben')
  })

  test('asks before it discards, says what is wrong, and stores it once', async ({ page, site }) => {
    // The reply is lost, and what was sent is stored all the same. From the start: right after a route is added, Chromium may
    // still send one request past it.
    let isReplyLost = false
    await page.route('**/api/rsvps', async (route) => {
      if (!isReplyLost) return route.fallback()
      await route.fetch()
      await route.abort()
    })
    await openForm(page)
    await typeKeys(page, 'Ben')
    await page.keyboard.press('Escape')
    await expect(dialog(page).getByText('What you typed is not saved. Close once more to discard it.')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Add a response' })).toBeFocused()
    await page.keyboard.press('Enter')
    await name(page).fill('Ana Cole')
    await dialog(page).getByLabel('Email').fill('ana@')
    const member = dialog(page).getByRole('textbox', { name: 'Family member 1' })
    await member.fill('J')
    await save(page).click()
    await expect(dialog(page).getByText('Invalid email address')).toBeVisible()
    await expect(member).toBeFocused()
    await expect(dialog(page).getByText('Write the name with at least two letters.')).toBeVisible()
    await typeKeys(page, 'o')
    await dialog(page).getByLabel('Email').fill('')
    isReplyLost = true
    await save(page).click()
    await expect(dialog(page).getByText('The site could not save it. Please try again.')).toBeVisible()
    isReplyLost = false
    await save(page).click()
    await expect(page.getByText('Saved: Ana Cole, 2 people')).toBeVisible()
    expect(await readRsvps(site)).toMatchObject([{ name: 'Ana Cole', familyMembers: [{ name: 'Jo', age: null }] }])
  })
})

test('changes a stored response where it is edited, keeps the rest, and overwrites nothing', async ({ page, site }) => {
  const family = [{ name: 'Joel Cole', age: 'child', attending: false }]
  await storeRsvps(site, [testRsvp({ phone: '555 0101', familyMembers: family, volunteerRoles: [3] })])
  await send(site, 'PATCH', '/api/features', { familyRsvp: false, volunteerSignup: false })
  await open(page, '/admin')
  const group = (label: string) => page.getByRole('dialog').getByRole('group', { name: label })
  // What a response has is shown all the same.
  await edit(page)
  await expect(group('Family Members')).toHaveCount(1)
  await name(page).fill('Ana Roe')
  await page.keyboard.press('Enter')
  await expect(page.getByText('The response of Ana Roe has been changed.').first()).toBeVisible()
  await expect(page.getByRole('rowheader', { name: 'Ana Roe' })).toBeVisible()
  const kept = { name: 'Ana Roe', email: 'ana@cole.example', phone: '555 0101', familyMembers: family }
  expect((await readRsvps(site))[0]).toMatchObject({ ...kept, volunteerSignups: [{ role: { id: 3 } }] })

  await waitForHydration(page)
  await edit(page, 'Ana Roe')
  await editing(page).getByLabel('Message').fill('Mine')
  // Its sender is faster.
  await send(site, 'PATCH', '/api/rsvps/1', { message: 'Theirs' })
  await save(page).click()
  await expect(editing(page).getByText(/was changed meanwhile/)).toBeVisible()
  expect((await readRsvps(site))[0]).toMatchObject({ message: 'Theirs' })

  // Of a family that does not attend, no one is counted, unless others of it come.
  const form = editing(page)
  await open(page, '/admin')
  await edit(page, 'Ana Roe')
  await form.getByText('Not Attending').click()
  await expect(form.getByRole('checkbox', { name: 'Comes' })).toHaveCount(0)
  await form.getByRole('checkbox', { name: 'Others of the family will come' }).check()
  await form.getByRole('checkbox', { name: 'Comes' }).first().check()
  const reloaded = page.waitForEvent('load')
  await form.getByRole('button', { name: 'Save' }).click()
  await reloaded
  await expect(people(page)).toContainText('1 person expected')
  await waitForHydration(page)
  await expect(page.getByRole('button', { name: 'Edit the RSVP of Ana Roe' })).toBeFocused()
})
