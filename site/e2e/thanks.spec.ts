import type { Page } from '@playwright/test'
import { expect, expectToast, fillForm, open, pickRole, readRsvps, test, waitForHydration } from './fixtures.ts'

const submit = (page: Page) => page.getByRole('button', { name: 'Submit RSVP' })
const thanks = (page: Page) => page.locator('.thanks')
const others = (page: Page) => page.getByLabel('Others of my family will come')

/** Fills in a family member and a role, and then selects that the visitor cannot come. */
async function fillFormAndDecline(page: Page): Promise<void> {
  await fillForm(page)
  await page.getByRole('button', { name: 'Add Family Member' }).click()
  await page.keyboard.type('Joel')
  await pickRole(page, 'Greeter')
  await page.getByText("No, I can't").click()
}

test.describe('the thank-you', () => {
  test('is shown once, for the latest RSVP', async ({ page }) => {
    await open(page, '/share')
    for (const name of ['Ana Cole', 'Ben Roe', 'Cy Poe']) {
      await fillForm(page, name)
      await submit(page).click()
      await expect(page.getByRole('heading', { name: `Thank you, ${name}` })).toBeFocused()
      await expect(thanks(page)).toHaveCount(1)
    }
  })

  test('lists neither family members nor roles of a visitor who does not come', async ({ page, site }) => {
    await open(page, '/share')
    await expect(others(page)).toBeHidden()
    await fillFormAndDecline(page)
    await expect(page.getByLabel('Name of family member 1')).toBeHidden()
    await expect(page.locator('.rsvp-form__roles')).toBeHidden()
    await expect(page.getByText('Tick this to send the family members you added.')).toBeVisible()
    await submit(page).click()
    await expectToast(page, 'RSVP Submitted', 'Thank you for your response!')
    await expect(thanks(page)).toContainText('Not Attending')
    for (const text of ['Joel', 'Greeter', 'Coming']) await expect(thanks(page)).not.toContainText(text)
    expect(await readRsvps(site)).toMatchObject([{ attending: false, familyMembers: [], volunteerSignups: [] }])
  })

  test('lists family members who come without the visitor, and switching the choice loses nothing typed', async ({
    page,
    site,
  }) => {
    await open(page, '/share')
    await fillFormAndDecline(page)
    const joel = page.getByLabel('Name of family member 1')
    await others(page).check()
    await expect(page.getByText('Tick this to send')).toBeHidden()
    await expect(joel).toHaveValue('Joel')
    await others(page).uncheck()
    await expect(joel).toBeHidden()
    await page.getByText("Yes, I'll attend").click()
    await expect(joel).toHaveValue('Joel')
    await expect(page.getByRole('button', { name: 'Remove Greeter' })).toBeVisible()
    await page.getByText("No, I can't").click()
    await others(page).check()
    await submit(page).click()
    await expect(thanks(page)).toContainText('Coming without you: Joel')
    await expect(thanks(page)).not.toContainText('Greeter')
    expect(await readRsvps(site)).toMatchObject([
      { attending: false, familyMembers: [{ name: 'Joel', attending: true }], volunteerSignups: [] },
    ])
  })
})

/** How much has moved since the page was opened, and whether its empty form was to be seen. */
function watchPage(): void {
  const seen = { shifted: 0, form: false }
  Object.assign(window, { seen })
  new PerformanceObserver((list) => {
    for (const shift of list.getEntries()) seen.shifted += 'value' in shift ? Number(shift.value) : 0
  }).observe({ type: 'layout-shift', buffered: true })
  const look = () => {
    seen.form ||= document.querySelector('#rsvp-form')?.checkVisibility({ visibilityProperty: true }) === true
    requestAnimationFrame(look)
  }
  look()
}

test.describe('the thank-you of a tab', () => {
  // What the visitor has taken away is asked for once more, and not found.
  test.use({ expectedErrors: /status of 404/ })

  test('outlives reloads with its private link, says what holds, and leaves nothing behind once the visitor is done', async ({
    page,
    context,
  }) => {
    await open(page, '/share')
    await fillForm(page)
    await submit(page).click()
    const link = page.getByLabel(/^Your private link/)
    const address = await link.inputValue()
    await expect(thanks(page)).toContainText(
      'If you respond again with the same name and email, the newest response counts.',
    )
    await page.addInitScript(watchPage)
    await page.setViewportSize({ width: 390, height: 844 })
    for (const path of ['/share', '/']) {
      await page.goto(path)
      await expect(link).toHaveValue(address)
      await expect(thanks(page)).toContainText('Attending')
      await page.waitForLoadState('networkidle')
      expect(await page.evaluate(() => Object(window).seen)).toEqual({ shifted: expect.any(Number), form: false })
      expect(await page.evaluate(() => Object(window).seen.shifted)).toBeLessThan(0.01)
    }
    await page.getByRole('link', { name: 'Change or withdraw' }).click()
    await page.reload()
    await waitForHydration(page)
    await page.getByText("No, I can't").click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(page.getByText('Your RSVP says now')).toBeVisible()
    await page.getByRole('link', { name: 'Back to the invitation' }).click()
    await expect(thanks(page)).toContainText('Not Attending')
    await expect(link).toHaveValue(address)

    const other = await context.newPage()
    await open(other, '/share')
    await expect(submit(other)).toBeVisible()
    await page.getByRole('button', { name: 'Done' }).click()
    await expect(page.getByRole('heading', { name: 'RSVP', exact: true })).toBeFocused()
    await expect(submit(page)).toBeVisible()
    await expect.poll(() => context.cookies(address).then((cookies) => cookies.map(({ name }) => name))).toEqual([])
    expect(JSON.stringify(await context.storageState({ indexedDB: true }))).not.toContain('Ana Cole')
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('Ana Cole')
    await page.reload()
    await expect(submit(page)).toBeVisible()
    await expect(thanks(page)).toHaveCount(0)
    await page.goto('/answer')
    await expect(page.getByText('Ana Cole')).toHaveCount(0)
  })

  test('ends with the form for another family, and with its RSVP', async ({ page }) => {
    await open(page, '/share')
    await fillForm(page)
    await submit(page).click()
    await expect(thanks(page)).toContainText('Ana Cole')
    await page.reload()
    await page.getByRole('link', { name: 'Respond for another family' }).click()
    await expect(page.getByRole('radio', { name: "Yes, I'll attend" })).toBeFocused()
    await expect(thanks(page)).toHaveCount(0)
    await fillForm(page, 'Bea Cole')
    await submit(page).click()
    await page.getByRole('link', { name: 'Change or withdraw' }).click()
    await page.getByRole('button', { name: 'Withdraw my RSVP' }).click()
    await expect(page.getByText('You have withdrawn this RSVP')).toBeVisible()
    await page.goto('/share')
    await expect(submit(page)).toBeVisible()
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('Cole')
  })
})
