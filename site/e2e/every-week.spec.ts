import type { Page } from '@playwright/test'
import ICAL from 'ical.js'
import { expect, open, type Site, test, waitForHydration } from './fixtures.ts'
import { confirmSchedule, readRsvps, send, testRsvp } from './stored.ts'
import { expectUsable } from './usable.ts'

test.use({ expectedErrors: /410|Failed to load resource/ })

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).press('Enter')
const weeks = (page: Page) => page.locator('.own-weeks > li')

async function storeHousehold(site: Site): Promise<string> {
  await confirmSchedule(site)
  const household = testRsvp({ familyMembers: [{ name: 'Joel Cole', age: 'child' }], volunteerRoles: [1] })
  return (await send(site, 'POST', '/api/rsvp', { ...household, standing: true })).link
}

async function feedOf(page: Page): Promise<ICAL.Component[]> {
  const reply = await page.request.get(await page.getByLabel('The address of your calendar').inputValue())
  return new ICAL.Component(ICAL.parse(await reply.text())).getAllSubcomponents('vevent')
}

for (const javaScriptEnabled of [true, false])
  test.describe(javaScriptEnabled ? 'a household with script' : 'a household without script', () => {
    test.use({ javaScriptEnabled, viewport: { width: 320, height: 640 } })
    const ready = async (page: Page) => javaScriptEnabled && (await waitForHydration(page))

    test('switches weeks off, changes one and all, has a calendar, and ends', async ({ page, site }) => {
      await open(page, await storeHousehold(site))
      if (javaScriptEnabled) await expectUsable(page, 'weeks')
      await expect(weeks(page)).toHaveCount(8)
      await expect(weeks(page).nth(1)).toContainText('Yes, 2 people')
      // Also the first one, which is the RSVP of the link.
      for (const week of [0, 1]) {
        await weeks(page).nth(week).getByRole('switch').press('Enter')
        await expect(weeks(page).nth(week)).toContainText('Not coming')
        await expect(page.locator('#reply')).toContainText('Saved.')
      }
      await weeks(page).nth(0).getByRole('switch').press('Enter')
      await expect(page.locator('#reply')).toContainText('Taken back.')
      await page.reload()
      await expect(weeks(page).nth(1).getByRole('switch')).toHaveAttribute('aria-checked', 'false')

      await weeks(page).nth(2).getByRole('link', { name: 'Change' }).press('Enter')
      await ready(page)
      await page.getByLabel('Message').fill('We come late')
      await page.getByRole('button', { name: /^Save for \w+day, / }).press('Enter')
      await expect(page.locator('#reply')).toContainText('Saved.')
      expect((await readRsvps(site)).filter(({ message }: { message: string }) => message !== null)).toHaveLength(1)

      await weeks(page).nth(0).getByRole('link', { name: 'Change' }).press('Enter')
      await ready(page)
      await page.getByLabel('Name of family member 1').fill('Joel M. Cole')
      await press(page, 'Save for every week')
      await expect(page.locator('#reply')).toContainText('Saved.')

      await press(page, 'Make an address for our calendar')
      await expect(page.locator('#reply')).toHaveText('Saved.')
      const services = await feedOf(page)
      expect(services).toHaveLength(7)
      expect(String(services[3]?.getFirstPropertyValue('description'))).toContain('Coming: Ana Cole and Joel M. Cole')
      await weeks(page).nth(1).getByRole('switch').press('Enter')
      expect(await feedOf(page)).toHaveLength(8)

      await page.getByText('We do not come every week any more').press('Enter')
      await press(page, 'End every week')
      await expect(page.locator('#reply')).toContainText('no longer comes every week')
      expect(await readRsvps(site)).toEqual([])
      await page.getByRole('link', { name: 'Send a new RSVP' }).press('Enter')
      await expect(page).toHaveURL(/\/share/)
    })
  })

test('begins every week from the link of a single RSVP', async ({ page, site }) => {
  await confirmSchedule(site)
  await open(page, (await send(site, 'POST', '/api/rsvp', testRsvp())).link)
  await waitForHydration(page)
  const begin = page.getByRole('button', { name: 'Save, and come every week' })
  for (const [choice, count] of [["No, I can't", 0] as const, ["Yes, I'll attend", 1] as const]) {
    await page.getByRole('radio', { name: choice }).check({ force: true })
    await expect(begin).toHaveCount(count)
  }
  await begin.press('Enter')
  await expect(weeks(page)).toHaveCount(8)
})
