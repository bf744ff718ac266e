import { expect, expectToast, hold, open, readRsvps, test } from './fixtures.ts'

test.describe('the RSVP form before its scripts have loaded', () => {
  test('keeps what was typed and selected', async ({ page, site }) => {
    const release = await hold(page, '**/assets/*.js')
    await page.goto('/share', { waitUntil: 'commit' })
    await page.getByText("Yes, I'll attend").click()
    await page.getByLabel('Name', { exact: true }).fill('Early Bird')
    await page.getByLabel('Email').fill('early@bird.example')
    await page.getByLabel('Message').fill('First!')
    await page.getByText('iCal').click()
    await expect(page.locator('form:not([novalidate])')).toHaveCount(1)
    release()
    await expect(page.locator('form[novalidate]')).toHaveCount(1)

    await expect(page.getByRole('radio', { name: "Yes, I'll attend" })).toBeChecked()
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Early Bird')
    await expect(page.getByRole('radio', { name: 'iCal' })).toBeChecked()
    await page.getByLabel('Phone').fill('+1 555 0100')
    await page.getByRole('button', { name: 'Add Family Member' }).click()
    await page.keyboard.type('Chick')
    await expect(page.getByRole('radio', { name: "Yes, I'll attend" })).toBeChecked()
    await page.getByRole('button', { name: 'Submit RSVP' }).click()
    await expectToast(page, 'RSVP Submitted', 'Thank you for your response!')
    expect(await readRsvps(site)).toMatchObject([
      {
        name: 'Early Bird',
        attending: true,
        message: 'First!',
        calendarType: 'ical',
        familyMembers: [{ name: 'Chick' }],
      },
    ])
  })

  test('keeps a role that was picked', async ({ page, site }) => {
    const release = await hold(page, '**/assets/*.js')
    await page.goto('/share', { waitUntil: 'commit' })
    await page.getByLabel('Name', { exact: true }).fill('Early Bird')
    await page.getByLabel('Email').fill('early@bird.example')
    await page.getByText("Yes, I'll attend").click()
    await page.getByRole('checkbox', { name: 'Usher' }).check()
    release()
    await expect(page.locator('form[novalidate]')).toHaveCount(1)
    await expect(page.getByRole('button', { name: 'Remove Usher' })).toBeVisible()
    await page.getByRole('button', { name: 'Submit RSVP' }).click()
    await expectToast(page, 'RSVP Submitted', 'Thank you for your response!')
    expect(await readRsvps(site)).toMatchObject([{ volunteerSignups: [{ role: { name: 'Usher' } }] }])
  })

  test('keeps the row that is being typed in, however often fields are touched while they load', async ({ page }) => {
    const release = await hold(page, '**/assets/parts.*')
    await open(page, '/share')
    await page.getByRole('button', { name: 'Add Family Member' }).click()
    const name = page.getByRole('textbox', { name: 'Name of family member 1' })
    await name.pressSequentially('Chick')
    await page.locator('form[novalidate]').evaluate((form) => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => {
        form.dispatchEvent(new FocusEvent('focusin', { bubbles: true }))
        port2.postMessage('again')
      }
      port2.postMessage('begin')
    })
    release()
    // Kept by the code that was loaded; a draft that is restored after that replaces the row.
    await expect.poll(() => page.evaluate(() => sessionStorage.getItem('rsvp-draft'))).toContain('Chick')
    await page.evaluate(() => new Promise(requestAnimationFrame))
    await expect(name).toBeFocused()
    await expect(name).toHaveValue('Chick')
  })

  test('can be submitted', async ({ page, site }) => {
    await page.route('**/assets/*.js', () => undefined)
    await page.goto('/share', { waitUntil: 'commit' })
    await page.getByText("No, I can't").click()
    await page.getByLabel('Name', { exact: true }).fill('Early Bird')
    await page.getByLabel('Email').fill('early@bird.example')
    await page.getByRole('button', { name: 'Submit RSVP' }).click({ noWaitAfter: true })
    await expect(page.getByText('Thank you for your response!')).toBeVisible()
    expect(await readRsvps(site)).toMatchObject([{ name: 'Early Bird', attending: false }])
  })
})
