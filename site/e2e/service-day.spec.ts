import type { Page } from '@playwright/test'
import { dayText } from '#db/values/dates.ts'
import { expect, expectToast, fillForm, hold, open, readRsvps, type Site, send, test } from './fixtures.ts'

const submit = (page: Page) => page.getByRole('button', { name: 'Submit RSVP' })
const day = (page: Page) => page.getByLabel('For', { exact: true })
const list = (page: Page) => page.locator('.responses')

/** Confirms the schedule and returns the days of the next services, as dates and in words. */
async function confirmSchedule(site: Site, change: object = { startTime: '10:00' }) {
  await send(site, 'PATCH', '/api/schedule', change)
  const { services } = await (await fetch(`${site.url}/api/schedule`)).json()
  return services.map(({ date }: { date: string }) => ({ date, label: dayText(date) }))
}

async function storedDates(site: Site): Promise<string[]> {
  return (await readRsvps(site)).map(({ serviceDate }: { serviceDate: string }) => serviceDate)
}

test.describe('the day of an RSVP', () => {
  test.use({ viewport: { width: 320, height: 800 } })

  test('is the next one, or another that is chosen, and the thank-you says which', async ({ page, site }) => {
    const [next, second] = await confirmSchedule(site)
    await open(page, '/share')
    await expect(list(page)).toContainText(`For ${next.label}`)
    await expect(list(page)).toContainText(`No responses for ${next.label} yet. Be the first!`)
    await expect(day(page)).toHaveValue(next.date)
    await expect(day(page).locator('option')).toHaveCount(8)
    await fillForm(page, 'Later Cole')
    await day(page).selectOption(second.label)
    await submit(page).click()
    await expect(page.getByText(`We have written down your answer for ${second.label}:`)).toBeVisible()
    await expect(page.getByRole('rowheader')).toHaveCount(0)
    await expect(day(page)).toHaveValue(next.date)
    await fillForm(page, 'Next Cole')
    await submit(page).click()
    await expect(page.getByText(`We have written down your answer for ${next.label}:`)).toBeVisible()
    await expect(page.getByRole('rowheader')).toHaveText(['Next Cole'])
    await open(page, '/')
    await expect(page.getByRole('rowheader')).toHaveText(['Next Cole'])
    await expect(list(page)).toContainText(`1 person is coming on ${next.label}`)
    expect(await storedDates(site)).toEqual([next.date, second.date])
  })

  test('that is skipped is named with the next one, and never cut off', async ({ page, site }) => {
    const [next, second] = await confirmSchedule(site, { weekday: 3 })
    await confirmSchedule(site, { skippedDates: [next.date] })
    await open(page, '/share')
    await expect(page.getByText(`No service on ${next.label}. The next is on ${second.label}.`)).toBeVisible()
    await expect(day(page)).toHaveValue(second.date)
    expect(await day(page).evaluate((select) => select.scrollWidth <= select.clientWidth)).toBe(true)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
  })

  test.describe('that can no longer be chosen', () => {
    test.use({ expectedErrors: /status of 400/ })

    test('is said beside the choice, which is renewed, and nothing typed is lost', async ({ page, site }) => {
      const [next, second] = await confirmSchedule(site)
      await open(page, '/share')
      await fillForm(page)
      await page.getByLabel('Message').fill('Two lines')
      await page.getByRole('button', { name: 'Add Family Member' }).click()
      await page.keyboard.type('Joel')
      await confirmSchedule(site, { skippedDates: [next.date] })
      await submit(page).click()
      await expect(day(page)).toBeFocused()
      await expect(day(page)).toHaveValue(second.date)
      await expect(day(page)).toHaveAccessibleDescription(
        `There is no service on ${next.label}. The next service is on ${second.label}.`,
      )
      await expect(day(page).locator('option')).toHaveCount(8)
      await expect(page.getByLabel('Name of family member 1')).toHaveValue('Joel')
      await submit(page).click()
      await expectToast(page, 'RSVP Submitted', 'Thank you for your response!')
      await expect(page.getByText(`We have written down your answer for ${second.label}:`)).toBeVisible()
      expect(await readRsvps(site)).toMatchObject([
        { serviceDate: second.date, message: 'Two lines', familyMembers: [{ name: 'Joel' }] },
      ])
    })
  })

  test('is kept in the draft, and one that is over is replaced and named', async ({ page, site }) => {
    const [next, second] = await confirmSchedule(site)
    const draft = () => page.evaluate(() => sessionStorage.getItem('rsvp-draft') ?? '')
    await open(page, '/share')
    await page.getByLabel('Name', { exact: true }).fill('Ana Cole')
    await day(page).selectOption(second.label)
    await expect.poll(draft).toContain(second.date)
    // Not by a reload, after which the browser itself would restore the choice.
    await open(page, '/')
    await expect(day(page)).toHaveValue(second.date)

    const old = (await draft()).replace(second.date, '2020-01-04')
    await page.evaluate((text) => sessionStorage.setItem('rsvp-draft', text), old)
    await open(page, '/share')
    await expect(
      page.getByText(`You began this for ${dayText('2020-01-04')}, which can no longer be chosen.`),
    ).toBeVisible()
    await expect(day(page)).toHaveValue(next.date)
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Ana Cole')
    await page.getByText("Yes, I'll attend").click()
    await page.getByLabel('Email').fill('ana@cole.example')
    await submit(page).click()
    await expectToast(page, 'RSVP Submitted', 'Thank you for your response!')
    expect(await storedDates(site)).toEqual([next.date])
  })

  test('that is chosen before the scripts have loaded stays chosen', async ({ page, site }) => {
    const [, second] = await confirmSchedule(site)
    const release = await hold(page, '**/assets/visitors.*')
    await page.goto('/share', { waitUntil: 'commit' })
    await day(page).selectOption(second.label)
    release()
    await expect(page.locator('form[novalidate]')).toHaveCount(1)
    await fillForm(page)
    await submit(page).click()
    await expectToast(page, 'RSVP Submitted', 'Thank you for your response!')
    expect(await storedDates(site)).toEqual([second.date])
  })
})

test.describe('the day of an RSVP without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('can be chosen, and the thank-you says which', async ({ page, site }) => {
    const [, second] = await confirmSchedule(site)
    await page.goto('/share')
    await fillForm(page)
    await day(page).selectOption(second.label)
    await submit(page).click()
    await expect(page.getByText(`We have written down your answer for ${second.label}:`)).toBeVisible()
    expect(await storedDates(site)).toEqual([second.date])
  })
})
