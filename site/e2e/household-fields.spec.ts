import type { Page } from '@playwright/test'
import { defaultEvent } from '#db/values/default-event.ts'
import { toPayload } from '#db/values/event-payload.ts'
import { expect, open, type Site, test } from './fixtures.ts'
import { fillForm, openMore, submit, thanked } from './form.ts'
import { confirmSchedule, readRsvps, send, storeLinked } from './stored.ts'
import { expectUsable } from './usable.ts'

const mail = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'rsvp@cole.example' }
const texts = {
  whatToExpect: 'About 90 minutes.',
  parking: 'Behind the church.',
  children: 'From three years on.',
  contact: 'Ana Cole, ana@cole.example',
}
const everyWeek = (page: Page) => page.getByRole('radio', { name: 'Every week until we change it' })
const once = (page: Page) => page.getByRole('radio', { name: 'Only this time' })
const firstTime = (page: Page) => page.getByRole('checkbox', { name: 'It is our first time' })
const remind = (page: Page) => page.getByRole('checkbox', { name: 'Remind me the day before' })
const prayer = (page: Page) => page.getByLabel('Prayer request')
const group = (page: Page) => page.getByRole('radio', { name: 'Those who pray' })
const newcomers = (page: Page) => page.locator('.rsvp-form__newcomers')
const chosen = (page: Page) => [everyWeek(page), firstTime(page), remind(page), group(page)]

/** Chooses all that is asked after a Yes. */
async function choose(page: Page): Promise<void> {
  for (const hidden of chosen(page)) await expect(hidden).toBeHidden()
  await page.getByText("Yes, I'll attend").click()
  await prayer(page).fill('For Mia')
  for (const choice of chosen(page)) await choice.check({ force: true })
}

async function expectChosen(page: Page): Promise<void> {
  for (const choice of chosen(page)) await expect(choice).toBeChecked()
  await expect(prayer(page)).toHaveValue('For Mia')
}

async function expectStored(page: Page, site: Site): Promise<void> {
  const sent = { standing: true, firstVisit: true, remind: true, message: null }
  expect((await readRsvps(site)).at(-1)).toMatchObject(sent)
  const marks = ['Every week: you are expected', 'We remind you by email', 'Your prayer request is with those']
  for (const text of [...marks, 'You get a confirmation by email.', ...Object.values(texts)])
    await expect(page.locator('.thanks')).toContainText(text)
  await expect(page.getByLabel('Your private link')).toHaveValue(/\/answer\?key=/)
}

test.describe('what a household is asked after a Yes', () => {
  test.use({ variables: mail, expectedErrors: /INTERNET_DISCONNECTED/ })
  test.beforeEach(async ({ site }) => {
    await confirmSchedule(site)
    await send(site, 'PATCH', '/api/settings', { prayers: true })
    await send(site, 'POST', '/api/event', { ...toPayload(defaultEvent), ...texts })
  })

  test('is hidden until then, kept over a reload and offline, sent and remembered', async ({ page, context, site }) => {
    await open(page, '/share')
    await expect(newcomers(page)).toBeHidden()
    await choose(page)
    await page.getByText('Have you responded already? Send me my link').click()
    for (const text of Object.values(texts)) await expect(newcomers(page)).toContainText(text)
    await expectUsable(page, 'every field')

    await page.reload()
    await expectChosen(page)
    await page.getByText("No, I can't").click()
    await expect(everyWeek(page)).toBeHidden()
    await page.getByText("Yes, I'll attend").click()
    await fillForm(page)
    await context.setOffline(true)
    await submit(page).click()
    await expect(page.getByRole('heading', { name: 'Kept on this device' })).toBeFocused()
    await context.setOffline(false)
    await expect(thanked(page)).toBeVisible()
    await expectStored(page, site)

    await openMore(page)
    await page.getByRole('checkbox', { name: 'Remember this on this device' }).check()
    await page.reload()
    await expect(page.getByText('Every week: you are expected at each service')).toBeVisible()
    await expect(page.getByText('Have you responded already?')).toBeHidden()

    await fillForm(page, 'Eve Poe')
    await expect(once(page)).toBeChecked()
    for (const empty of [firstTime(page), remind(page)]) await expect(empty).not.toBeChecked()
    await expect(prayer(page)).toHaveValue('')
  })

  test('is changed and taken back by the private link', async ({ page, site }) => {
    const ticked = { firstVisit: true, remind: true, prayer: 'For Mia', prayerAudience: 'group' }
    await open(page, await storeLinked(site, ticked))
    for (const kept of [firstTime(page), remind(page), group(page)]) await expect(kept).toBeChecked()
    await firstTime(page).uncheck()
    await prayer(page).clear()
    for (const hidden of [newcomers(page), group(page)]) await expect(hidden).toBeHidden()
    await page.getByRole('button', { name: 'Save', exact: true }).press('Enter')
    await expect(page.getByText('Your RSVP says now what you see here.')).toBeVisible()
    expect(await readRsvps(site)).toMatchObject([{ firstVisit: false, remind: true }])
    await expect(prayer(page)).toHaveValue('')
  })

  test.describe('without JavaScript', () => {
    test.use({ javaScriptEnabled: false })

    test('is sent, and a lost link is asked for', async ({ page, site }) => {
      await page.goto('/share')
      await page.getByText('Have you responded already? Send me my link').click()
      await page.getByLabel('The email address of your RSVP').fill('ana@cole.example')
      await page.getByLabel('The email address of your RSVP').press('Enter')
      await expect(page.locator('#reply')).toContainText('an email with their private links is on its way')
      await expect(page.locator('#reply')).toBeFocused()

      await page.goto('/share')
      await choose(page)
      await expect(newcomers(page)).toBeVisible()
      await fillForm(page)
      await submit(page).click()
      await expect(page.getByText('Thank you for your response!')).toBeInViewport()
      await expectStored(page, site)
    })
  })
})
