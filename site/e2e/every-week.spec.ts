import type { Page } from '@playwright/test'
import { expect, open, press, test, waitForHydration } from './fixtures.ts'
import { member } from './form.ts'
import { confirmSchedule, readRsvps, send, testRsvp } from './stored.ts'
import { expectUsable } from './usable.ts'

test.use({ expectedErrors: /410|Failed to load resource/ })

const weeks = (page: Page) => page.locator('.own-weeks > li')

test.describe('a household, without script,', () => {
  test.use({ javaScriptEnabled: false, viewport: { width: 320, height: 640 } })

  test('switches weeks off, changes one and all, has a calendar, and ends', async ({ page, site }) => {
    await confirmSchedule(site)
    const household = testRsvp({ familyMembers: [{ name: 'Joel Cole', age: 'child' }], volunteerRoles: [1] })
    await page.goto((await send(site, 'POST', '/api/rsvp', { ...household, standing: true })).link)
    await expect(weeks(page)).toHaveCount(8)
    await expect(weeks(page).nth(1)).toContainText('Yes, 2 people')
    // Also the first one, which is the RSVP of the link.
    for (const week of [0, 1]) {
      await weeks(page).nth(week).getByRole('switch').press('Enter')
      await expect(weeks(page).nth(week)).toContainText('Not coming')
    }
    await weeks(page).nth(0).getByRole('switch').press('Enter')
    await expect(page.locator('#reply')).toContainText('Taken back.')
    await expect(weeks(page).nth(1).getByRole('switch')).toHaveAttribute('aria-checked', 'false')

    await weeks(page).nth(2).getByRole('link', { name: 'Change' }).press('Enter')
    await page.getByLabel('Message').fill('We come late')
    await page.getByRole('button', { name: /^Save for \w+day, / }).press('Enter')
    await expect(page.locator('#reply')).toContainText('Saved.')
    expect((await readRsvps(site)).filter(({ message }: { message: string }) => message !== null)).toHaveLength(1)

    await weeks(page).nth(0).getByRole('link', { name: 'Change' }).press('Enter')
    await member(page).fill('Joel M. Cole')
    await press(page, 'Save for every week')
    await expect(page.locator('#reply')).toContainText('Saved.')

    await press(page, 'Make an address for our calendar')
    await expect(page.locator('#reply')).toHaveText('Saved.')
    const feed = await page.request.get(await page.getByLabel('The address of your calendar').inputValue())
    expect(await feed.text()).toContain('Joel M. Cole')

    await page.getByText('We do not come every week any more').press('Enter')
    await press(page, 'End every week')
    await expect(page.getByRole('heading', { name: 'Thank you, Ana Cole' })).toBeVisible()
    await expect(page.locator('#reply')).toHaveText('You no longer come every week.')
    expect(await readRsvps(site)).toEqual([])
    await press(page, 'Take that back')
    await expect(page.locator('#reply')).toContainText('Taken back.')
    for (const [week, people] of ['Yes, 2 people', 'Not coming', 'Yes, 2 people'].entries())
      await expect(weeks(page).nth(week)).toContainText(people)
  })
})

test('begins from the private link of an RSVP, with script', async ({ page, site }) => {
  await confirmSchedule(site)
  const { link } = await send(site, 'POST', '/api/rsvp', testRsvp())
  await open(page, link)
  const begin = page.getByRole('button', { name: 'Save, and come every week' })
  for (const [choice, count] of [["No, I can't", 0] as const, ["Yes, I'll attend", 1] as const]) {
    await page.getByRole('radio', { name: choice }).check({ force: true })
    await expect(begin).toHaveCount(count)
  }
  await begin.press('Enter')
  await expect(weeks(page)).toHaveCount(8)
  await expectUsable(page, 'weeks')
  await weeks(page).nth(2).getByRole('link', { name: 'Change' }).press('Enter')
  await waitForHydration(page)
  await page.getByLabel('Message').fill('We come late')
  await page.getByRole('button', { name: /^Save for \w+day, / }).press('Enter')
  await expect(page.locator('#reply')).toContainText('Saved.')
  await page.getByText('We do not come every week any more').click()
  await press(page, 'End every week')
  await expect(page.locator('#reply')).toBeFocused()
  await expectUsable(page, 'ended')

  // A device that remembers it says so, with the link to undo that.
  const kept = { name: 'Ana Cole', attending: true, coming: ['Ana Cole'], roles: [], everyWeek: true, link }
  await page.evaluate((text) => localStorage.setItem('rsvp-thanks', text), JSON.stringify(kept))
  await open(page, '/share')
  const said = page.locator('.your-rsvp')
  await expect(said).toHaveText('You no longer come every week. · Take that back')
  await said.getByRole('link').click()
  await press(page, 'Take that back')
  await open(page, '/share')
  await expect(said).toHaveText("You're coming every week · Change")
})
