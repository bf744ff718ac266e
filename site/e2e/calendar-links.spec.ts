import type { Page } from '@playwright/test'
import { expect, open, type Site, test } from './fixtures.ts'

const submit = (page: Page) => page.getByRole('button', { name: 'Submit RSVP' })
const thanks = (page: Page) => page.locator('.thanks')
const google = (page: Page) => thanks(page).getByRole('link', { name: 'Add to Google Calendar' })
const file = (page: Page) => thanks(page).getByRole('link', { name: 'Add to calendar (.ics)' })
/** The link for one day alone. */
const only = (page: Page, name: string) => thanks(page).getByRole('link', { name, exact: true })

async function change(site: Site, method: string, path: string, json: unknown): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const { status } = await fetch(site.url + path, { method, headers, body: JSON.stringify(json) })
  expect(status).toBe(200)
}

async function send(page: Page, { choice, attends = true }: { choice?: string; attends?: boolean }): Promise<void> {
  await page.getByLabel('Name', { exact: true }).fill('Ana Cole')
  await page.getByLabel('Email').fill('ana@cole.example')
  await page.getByText(attends ? "Yes, I'll attend" : "No, I can't").click()
  if (choice !== undefined) await page.getByRole('radio', { name: choice }).check()
  await submit(page).click()
  await expect(page.getByRole('heading', { name: 'Thank you, Ana Cole' })).toBeVisible()
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(`the links to a calendar ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, () => {
    test.use({ javaScriptEnabled })
    test.beforeEach(({ site }) => change(site, 'PATCH', '/api/schedule', { weekday: 0, timeZone: 'Asia/Kolkata' }))

    async function openPage(page: Page): Promise<void> {
      if (javaScriptEnabled) await open(page, '/share')
      else await page.goto('/share')
    }

    /** For another RSVP: only JavaScript keeps the thank-you of the one before. */
    async function openPageAgain(page: Page): Promise<void> {
      await openPage(page)
      if (javaScriptEnabled) await page.getByRole('button', { name: 'Done' }).click()
    }

    test('are those of the calendar that was chosen', async ({ page, site }) => {
      await openPage(page)
      await send(page, { choice: 'Google Calendar' })
      await expect(google(page)).toBeVisible()
      await expect(file(page)).toHaveCount(0)
      const link = new URL((await google(page).getAttribute('href')) ?? '')
      expect(link.origin + link.pathname).toBe('https://calendar.google.com/calendar/render')
      expect(link.searchParams.get('ctz')).toBe('Asia/Kolkata')
      expect(link.searchParams.get('dates')).toMatch(/^\d{8}T100000\/\d{8}T120000$/)
      expect(link.searchParams.get('details')).toContain(`${site.url}/share`)
      await expect(only(page, 'Google Calendar')).toHaveAttribute('href', /^\/calendar\.ics\?date=[\d-]{10}&to=google$/)
      await expect(thanks(page)).toContainText('Or only on Sunday, ')

      await openPageAgain(page)
      await send(page, { choice: 'iCal' })
      await expect(file(page)).toBeVisible()
      await expect(google(page)).toHaveCount(0)
      const [saved] = await Promise.all([page.waitForEvent('download'), file(page).click()])
      expect(saved.suggestedFilename()).toBe('service.ics')
      const day = /\?date=(.*)/.exec((await only(page, 'iCal').getAttribute('href')) ?? '')?.[1]
      expect(await (await fetch(`${site.url}/calendar.ics?date=${day}`)).text()).not.toContain('FREQ=WEEKLY')
    })

    test('are both where no calendar was chosen', async ({ page }) => {
      await openPage(page)
      await send(page, {})
      await expect(google(page)).toBeVisible()
      await expect(file(page)).toBeVisible()
      await expect(thanks(page)).toContainText('For your calendar, every Sunday:')
    })

    test('are missing for those who stay away, while the feature is off', async ({ page, site }) => {
      await openPage(page)
      await send(page, { attends: false })
      await expect(google(page).or(file(page))).toHaveCount(0)

      await change(site, 'PATCH', '/api/features', { calendarIntegration: false })
      await openPageAgain(page)
      await expect(page.getByText('Subscribe to the calendar')).toHaveCount(0)
      await send(page, {})
      await expect(google(page).or(file(page))).toHaveCount(0)
    })

    test('stand beside the page for who wants to subscribe', async ({ page, site }) => {
      await openPage(page)
      const share = page.getByRole('region', { name: 'Share with others' })
      const address = `${site.url.replace('http:', 'webcal:')}/calendar.ics`
      await expect(share.getByRole('link', { name: 'iPhone, Outlook and others' })).toHaveAttribute('href', address)
      await expect(share.getByRole('link', { name: 'Google' })).toHaveAttribute(
        'href',
        `https://calendar.google.com/calendar/r?cid=${encodeURIComponent(address)}`,
      )
      await share.getByText('Show the address of the calendar').click()
      await expect(share.getByLabel('Address to subscribe to')).toHaveValue(`${site.url}/calendar.ics`)
    })
  })
}
