import { expect, expectToast, open, readRsvps, storeRsvps, test, testRsvp } from './fixtures.ts'
import { guarded, signIn } from './guarded.ts'

const choices = {
  'Full names': { value: 'full', description: 'Visitors see who is coming, e.g. Ana Cole.' },
  'First name and last initial': { value: 'initial', description: 'Visitors see who is coming, e.g. Ana C.' },
  'Numbers only': { value: 'counts', description: 'Visitors see how many people are coming, but no names.' },
  'No list': { value: 'none', description: 'Visitors see neither who is coming nor how many.' },
}

test.describe('the choice of the public list', () => {
  test.use({ variables: guarded })

  test('has four options, each with a description, and initials as the default', async ({ page }) => {
    await signIn(page)
    await open(page, '/admin?tab=settings')
    await expect(page.getByRole('heading', { name: 'Public List' })).toBeVisible()
    await expect(page.getByText('What visitors see of the responses. Family members are never shown.')).toBeVisible()
    const group = page.getByRole('group', { name: 'Show' })
    await expect(group.getByRole('radio')).toHaveCount(4)
    for (const [label, { description }] of Object.entries(choices)) {
      await expect(group.getByRole('radio', { name: `${label} ${description}` })).toBeVisible()
    }
    await expect(group.getByRole('radio', { checked: true })).toHaveAccessibleName(/^First name and last initial/)
  })

  test('takes effect at once, by mouse and by arrow keys', async ({ page, site }) => {
    await storeRsvps(site, [testRsvp()])
    await signIn(page)
    await open(page, '/admin?tab=settings')
    for (const [label, { value }] of Object.entries(choices)) {
      const [reply] = await Promise.all([
        page.waitForResponse((response) => response.request().method() === 'PATCH'),
        page.getByText(label, { exact: true }).click(),
      ])
      expect(reply.request().postDataJSON()).toEqual({ publicNames: value })
      await expectToast(page, 'Settings Updated', 'The public list has been changed.')
      await expect(page.getByRole('radio', { name: label })).toBeChecked()
    }
    expect((await fetch(`${site.url}/api/rsvps`)).status).toBe(401)
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    await expect(page.getByRole('radio', { name: 'Full names' })).toBeChecked()
    await expect.poll(async () => (await readRsvps(site))[0]?.name).toBe('Ana Cole')
    await page.reload()
    await expect(page.getByRole('radio', { name: 'Full names' })).toBeChecked()
  })

  test.describe('when the call fails', () => {
    test.use({ expectedErrors: /status of 500/ })

    test('is reset', async ({ page }) => {
      await signIn(page)
      await page.route('**/api/settings', (route) => route.fulfill({ status: 500, body: 'no' }))
      await open(page, '/admin?tab=settings')
      await page.getByText('Full names').click()
      await expectToast(page, 'Error', 'Failed to update settings')
      await expect(page.getByRole('radio', { checked: true })).toHaveAccessibleName(/^First name and last initial/)
      await page.unrouteAll()
      await page.getByText('Numbers only').click()
      await expectToast(page, 'Settings Updated', 'The public list has been changed.')
      await expect(page.getByRole('radio', { name: 'Numbers only' })).toBeChecked()
    })
  })
})

test.describe('the choice of the public list in open mode', () => {
  test('says that it takes effect once a password is set', async ({ page, site }) => {
    await storeRsvps(site, [testRsvp()])
    await open(page, '/admin?tab=settings')
    await expect(page.getByText(/once a password is set\. In open mode they see full names\.$/)).toBeVisible()
    await page.getByText('No list').click()
    await expectToast(page, 'Settings Updated', 'The public list has been changed.')
    await open(page, '/share')
    await expect(page.getByRole('rowheader', { name: 'Ana Cole' })).toBeVisible()
  })
})
