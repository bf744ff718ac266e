import type { Page } from '@playwright/test'
import { expect, open, test } from './fixtures.ts'
import {
  addMember,
  age,
  draft,
  expectSubmitted,
  fillForm,
  member,
  paste,
  pickRole,
  roleButton,
  roles,
  submit,
  thanked,
} from './form.ts'
import { readRsvps, send, storeRsvps, testRsvp } from './stored.ts'
import { expectStill, watchPage } from './usable.ts'

const picked = (page: Page) => page.getByRole('list', { name: 'Roles picked' }).getByRole('listitem')
const thanks = (page: Page) => page.locator('.thanks')

/** Whether nothing covers what has the focus. */
function isFocusSeen(): boolean {
  const { left, top, bottom } = document.activeElement?.getBoundingClientRect() ?? new DOMRect()
  return [top + 4, bottom - 4].every((y) => document.elementFromPoint(left + 20, y) === document.activeElement)
}

test.describe('the RSVP form', () => {
  test('sends an RSVP for a family, and waits for another one', async ({ page, site }) => {
    await send(site, 'PATCH', '/api/schedule', { timeZone: 'UTC' })
    const four = ['Cy', 'Di', 'Ed', 'Fay'].map((name) => ({ name, attending: true }))
    await storeRsvps(site, [testRsvp({ name: 'Ben Roe', familyMembers: four })])
    await open(page, '/share')
    await expect(page.locator('.coming')).toHaveText('5 people are coming')
    await fillForm(page)
    await addMember(page).click()
    await page.keyboard.type('Joel Cole')
    await pickRole(page, 'Usher')
    await page.getByText('iCal').click()
    await page.getByLabel('Email').fill('Ana Cole <mailto:ana@cole.example>,')
    await page.getByLabel('Message').fill('We bring bread')
    await expect(page.getByLabel('Phone')).toHaveAttribute('type', 'tel')
    await page.getByLabel('Phone').fill('+1 555 0100')
    await page.getByLabel('Phone').press('Enter')

    await expectSubmitted(page)
    await expect(thanked(page)).toBeFocused()
    await expect(page.getByRole('rowheader', { name: 'Ana Cole' })).toBeVisible()
    for (const text of ['Coming: Ana Cole, Joel Cole', 'help with: Usher'])
      await expect(thanks(page)).toContainText(text)
    await expect(page.getByText(/^See you [A-Z][a-z]+day at 10:00 AM$/)).toBeVisible()
    await expect(page.locator('.coming')).toHaveText('7 people are coming')
    await expect(page.locator('.your-rsvp')).toHaveText("You're coming, 2 people · Change")
    await expect(thanks(page).getByRole('link', { name: 'Add to calendar (.ics)' })).toBeVisible()
    await expect(submit(page)).toBeHidden()
    expect((await readRsvps(site))[0]).toMatchObject({
      ...testRsvp({ phone: '+1 555 0100' }),
      addToCalendar: true,
      calendarType: 'ical',
      familyMembers: [{ name: 'Joel Cole', age: null, attending: true }],
      volunteerSignups: [{ role: { name: 'Usher' } }],
    })

    await fillForm(page, 'Eve Poe')
    await expect(page.getByLabel('Message')).toHaveValue('')
    await expect(member(page, 1)).toHaveCount(0)
    await submit(page).click()
    await expect(thanked(page, 'Eve Poe')).toBeFocused()
    await expect(thanks(page)).toHaveCount(1)
    await expect(page.getByText('8 people are coming')).toBeVisible()
  })

  test('keeps family members, roles and the calendar apart', async ({ page, site }) => {
    await open(page, '/share')
    // One that people neither see nor reach.
    await expect(page.locator('input[name="website"][tabindex="-1"]')).toHaveCount(1)
    await expect(page.getByRole('textbox', { name: 'Leave this empty' })).toHaveCount(0)
    await expect(roles(page)).toBeHidden()
    await fillForm(page)
    await addMember(page).click()
    await addMember(page).click()
    await member(page, 2).fill('Joel')
    await submit(page).click()
    await expect(member(page, 1)).toBeFocused()
    await page.getByRole('button', { name: 'Remove family member 1' }).click()
    await expect(addMember(page)).toBeFocused()
    await expect(page.getByText('Name is required')).toHaveCount(0)
    await member(page, 1).press('Enter')
    const ages = page.getByRole('radiogroup', { name: 'Age group of Joel' })
    await expect(ages.getByRole('radio', { name: 'Adult' })).toBeFocused()
    expect(await readRsvps(site)).toEqual([])
    for (const name of ['Dina', 'Mara']) {
      await addMember(page).click()
      await page.keyboard.type(name)
    }
    await page.getByText('Adult').first().click()
    // The second press takes the age back.
    for (const _press of [1, 2]) await page.getByText('Teen').nth(1).click()
    await page.getByText('Child', { exact: true }).nth(2).click()
    await expect(age(page, 'Teen', 2)).not.toBeChecked()
    await page.getByRole('button', { name: 'Remove family member 2' }).click()
    await expect(member(page, 2)).toHaveValue('Mara')
    await expect(age(page, 'Child', 2)).toBeChecked()

    await page.locator('input[name="website"]').fill('https://spam.example', { force: true })
    for (const label of ['Usher', 'Music', 'Usher']) await pickRole(page, label)
    await expect(picked(page)).toHaveText(['Usher', 'Music', 'Usher'])
    await expect(roleButton(page, 'Usher')).toHaveAttribute('aria-pressed', 'true')
    await expect(roleButton(page, 'Greeter')).toHaveAttribute('aria-pressed', 'false')
    await page.getByRole('button', { name: 'Remove Usher' }).last().click()
    await expect(picked(page)).toHaveText(['Music'])
    await expect(roleButton(page, 'Usher')).toBeFocused()
    for (const label of ['Usher', 'Usher']) await pickRole(page, label)

    const google = page.getByRole('radio', { name: 'Google Calendar' })
    await google.focus()
    for (const isChecked of [true, false, true]) {
      await page.keyboard.press('Space')
      await expect(google).toBeChecked({ checked: isChecked })
    }

    // What a No hides is there again after a Yes.
    await page.getByText("No, I can't").click()
    for (const hidden of [roles(page), google]) await expect(hidden).toBeHidden()
    await page.getByText("Yes, I'll attend").click()
    await expect(google).toBeChecked()

    const sent = page.waitForRequest((request) => request.method() === 'POST')
    await submit(page).click()
    expect((await sent).postDataJSON()).toMatchObject({ volunteerRoles: [3, 2, 2], website: 'https://spam.example' })
    await expectSubmitted(page)
    const [rsvp] = await readRsvps(site)
    expect(rsvp).toMatchObject({ addToCalendar: true, calendarType: 'google' })
    expect(rsvp.volunteerSignups).toHaveLength(2)
    expect(rsvp.familyMembers).toEqual([
      { name: 'Joel', age: 'adult', attending: true },
      { name: 'Mara', age: 'child', attending: true },
    ])

    await fillForm(page)
    for (const _member of [1, 2]) await addMember(page).click()
    await paste(member(page, 1), '- Joel Cole\n- Cole, Mia\n- Noah Cole')
    await expect(member(page, 1)).toBeFocused()
    await expect(member(page, 2)).toHaveValue('Cole, Mia')
    await expect(member(page, 3)).toHaveValue('Noah Cole')
    await expect(member(page, 4)).toHaveCount(0)
    await addMember(page).click()
    await paste(member(page, 4), Array.from({ length: 18 }, (_, child) => `Child ${child}`).join('; '))
    await expect(member(page, 20)).toHaveValue('Child 16, Child 17')
    await expect(page.getByText('An RSVP has room for 20 family members.')).toBeVisible()
    await page.getByRole('button', { name: 'Remove family member 20' }).click()
    await expect(page.getByText('An RSVP has room for')).toHaveCount(0)
  })
})

test('moves nothing where a draft has a Yes', async ({ page }) => {
  await page.addInitScript(watchPage)
  await open(page, '/share')
  await page.getByText("Yes, I'll attend").click()
  await page.getByLabel('Name', { exact: true }).fill('Ana Cole')
  await expect.poll(() => draft(page)).toContain('Ana+Cole')
  await open(page, '/')
  await expect(roles(page)).toBeVisible()
  await expectStill(page, true)
})

test.describe('on a phone, the RSVP form', () => {
  test.use({ viewport: { width: 390, height: 460 }, hasTouch: true })

  test('keeps its button in sight once name and email are there, and nothing moves or is hidden', async ({ page }) => {
    await open(page, '/share')
    const bar = page.getByRole('region', { name: 'Will you be attending?' })
    await page.getByLabel('Name', { exact: true }).evaluate((field) => field.scrollIntoView())
    await expect(bar).toBeVisible()
    await expect(submit(page)).not.toBeInViewport()
    await page.getByLabel('Name', { exact: true }).tap()
    // The code that follows Enter has to be there.
    await page.waitForLoadState('networkidle')
    await page.keyboard.type('Ana Cole')
    await page.keyboard.press('Enter')
    await expect(page.getByLabel('Email')).toBeFocused()
    const place = await page.getByLabel('Email').boundingBox()
    await page.keyboard.type('ana@cole.example')
    await expect(submit(page)).toBeInViewport({ ratio: 1 })
    await expect(bar).toBeHidden()
    expect(await page.getByLabel('Email').boundingBox()).toEqual(place)
    await page.keyboard.press('Enter')
    await expect(page.getByLabel('Phone')).toBeFocused()
    await addMember(page).tap()
    await page.keyboard.type('Joel')
    await page.getByText('Child', { exact: true }).tap()
    // No field that has the focus is below the button.
    for (const label of ['Message', 'Phone', 'Email']) {
      await page.getByLabel(label).focus()
      expect(await page.evaluate(isFocusSeen), label).toBe(true)
    }
    // It leaves the screen with what is below the question, which it never covers.
    await page.getByLabel('Name', { exact: true }).evaluate((field) => field.blur())
    const isNoSeen = await page.getByText("No, I can't").evaluate((no) => {
      scrollBy({ top: no.getBoundingClientRect().bottom - innerHeight, behavior: 'instant' })
      const { left, width, bottom } = no.getBoundingClientRect()
      return no.contains(document.elementFromPoint(left + width / 2, bottom - 8))
    })
    expect(isNoSeen).toBe(true)
    // At a zoom of 400 % it would cover too much.
    await page.setViewportSize({ width: 320, height: 256 })
    await page.getByLabel('Name', { exact: true }).scrollIntoViewIfNeeded()
    await expect(submit(page)).not.toBeInViewport()
  })
})
