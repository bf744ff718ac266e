import type { Page } from '@playwright/test'
import { defaultEvent } from '#db/values/default-event.ts'
import { toPayload } from '#db/values/event-payload.ts'
import { findUntranslated, pageTexts } from '../../scripts/testing/page-texts.mjs'
import korean from '../texts/ko.json' with { type: 'json' }
import { expect, open, test, waitForHydration } from './fixtures.ts'
import { openMore } from './form.ts'
import { callAs, guarded, signIn } from './guarded.ts'
import { send, storeRsvps, testRsvp } from './stored.ts'

const catalogue: Record<string, unknown> = { ...korean.server, ...korean.visitors, ...korean.administration }
/** Names of time zones, what is typed here and stored, and the names of roles where they are edited. */
const TYPED =
  /\w+\/[\w/-]+|Every Sabbath, 10:00 AM|\(UTC\)|Chrome, Windows|Ana Cole|Ana C\.|\bana\b|Joel Cole|Dina Cole|Bus driver|Coffee first|Choir|Bring a hat|Nemo|Cole\b/g
const ROLES = /Greeter|Usher|Music|Children's Class|Audio and Video|Fellowship Meal/
const SETTINGS = new RegExp(`${TYPED.source}|${ROLES.source}`, 'g')

const say = (text: string) => String(catalogue[text])
const notice = (page: Page) => page.locator('.toast').first()
const button = (page: Page, text: string) => page.getByRole('button', { name: say(text), exact: true })

async function fill(page: Page, name: string): Promise<void> {
  await page.getByText(say("Yes, I'll attend"), { exact: true }).click()
  await page.getByLabel(say('Name'), { exact: true }).fill(name)
  await page.getByLabel(say('Email'), { exact: true }).fill('ana@cole.example')
}

/** What the page says by now in another language than Korean, and does not say so. */
async function expectKorean(page: Page, typed = TYPED): Promise<void> {
  const texts: { text: string; lang: string }[] = await page.evaluate(`(${pageTexts})(document)`)
  expect(findUntranslated(texts, typed)).toEqual([])
}

// Korean is not written in Latin letters: any word in them is one that was forgotten.
test.use({ locale: 'ko', expectedErrors: /status of (400|401|404)|ERR_INTERNET_DISCONNECTED/ })

test.describe('the language of what the browser draws', () => {
  test.beforeEach(async ({ site }) => {
    await send(site, 'POST', '/api/event', toPayload(defaultEvent))
    await send(site, 'PATCH', '/api/schedule', { weekday: 6, startTime: '10:00' })
    await send(site, 'POST', '/api/volunteer-roles', { name: 'Bus driver', needed: 2 })
    await send(site, 'PATCH', '/api/volunteer-roles/1', { needed: 2 })
  })

  test('covers visitors: mistakes, roles, thanks, and while they are offline', async ({ page, context }) => {
    await open(page, '/share')
    await page.getByText(say("Yes, I'll attend"), { exact: true }).click()
    await button(page, 'Add Family Member').click()
    for (const name of [say('Greeter'), say('Usher'), 'Bus driver'])
      await page.getByRole('button', { name }).first().click()
    await button(page, 'Submit RSVP').click()
    await expect(page.getByText(say('Name is required')).first()).toBeVisible()
    await expectKorean(page)
    await fill(page, 'Ana Cole')
    await page
      .getByRole('textbox', { name: say('Name of family member {number}').replace('{number}', '1') })
      .fill('Joel Cole')
    await button(page, 'Submit RSVP').click()
    await expect(page.locator('.thanks')).toBeVisible()
    await expect(page.locator('.thanks [lang=en]', { hasText: 'Bus driver' })).toBeVisible()
    await expectKorean(page)
    await context.setOffline(true)
    await openMore(page)
    await page.getByRole('link', { name: say('Respond for another family') }).click()
    await fill(page, 'Dina Cole')
    await button(page, 'Submit RSVP').click()
    await expect(page.getByRole('heading', { name: say('Kept on this device') })).toBeVisible()
    await expectKorean(page)
  })

  test('covers administrators: the event, the responses, the settings and the notices', async ({ page, site }) => {
    const rsvp = testRsvp({
      volunteerRoles: [1, 7],
      familyMembers: [{ name: 'Joel Cole', age: 'teen', attending: false }],
    })
    await storeRsvps(site, [rsvp, testRsvp({ attending: false })])
    await open(page, '/')
    await button(page, 'Edit').click()
    await expectKorean(page)
    // Another page would cut the sending off, and send it again.
    const synced = page.waitForResponse((reply) => reply.request().method() === 'POST')
    await button(page, 'Confirm').click()
    await synced
    await open(page, '/admin?week=all')
    await button(page, 'Add a response').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: say('Name'), exact: true }).fill('Dina Cole')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Dina Cole').first()).toBeVisible()
    await expectKorean(page)
    const reloaded = page.waitForEvent('load')
    await dialog.getByRole('button', { name: say('Done') }).click()
    await reloaded
    await waitForHydration(page)
    await page.locator('tbody input[type=checkbox]').first().check()
    await button(page, 'Delete Selected').click()
    await expectKorean(page)
    await page.getByRole('alertdialog').getByRole('button').last().click()
    await expect(notice(page)).toContainText(say('RSVPs Deleted'))
    await open(page, '/admin?tab=settings')
    await page.getByRole('switch').first().click()
    await expect(notice(page)).toContainText(say('Features Updated'))
    await expectKorean(page, SETTINGS)
    await page.locator('.panel:has(#event-languages) li button').first().click()
    await button(page, 'Save Translation').click()
    await expectKorean(page, SETTINGS)
  })
})

test.describe('the language of what the server draws', () => {
  test.use({ variables: guarded, javaScriptEnabled: false })

  test('is that of the page', async ({ page }) => {
    await signIn(page)
    await callAs(page, 'PATCH', '/api/schedule', { weekday: 6, startTime: '10:00' })
    await callAs(page, 'POST', '/api/event', { ...toPayload(defaultEvent), whatToExpect: 'Coffee first' })
    await callAs(page, 'POST', '/api/volunteer-roles', { name: 'Bus driver', needed: 3 })
    await callAs(page, 'PATCH', '/api/volunteer-roles/1', { needed: 1 })
    const familyMembers = [
      { name: 'Joel Cole', age: 'child' },
      { name: 'Dina Cole', attending: false },
    ]
    const rsvp = testRsvp({ message: 'Bring a hat', familyMembers, volunteerRoles: [1, 2, 7] })
    for (const data of [rsvp, { ...rsvp, volunteerRoles: [3, 7] }, { ...rsvp, attending: false }])
      await callAs(page, 'POST', '/api/rsvp', data)
    const { link } = await (await page.request.post('/api/rsvp', { data: testRsvp() })).json()
    const look = async (path: string, typed = TYPED) => {
      await page.goto(path)
      await expectKorean(page, typed)
    }
    for (const path of ['', '?week=all', '?q=Nemo&role=1', '?tab=share', '/poster', '/sheet'])
      await look(`/admin${path}`)
    for (const group of ['', '#people', '#you', '#server']) await look(`/admin?tab=settings${group}`, SETTINGS)
    await page.context().clearCookies()
    for (const path of ['/', '/share', '/privacy', '/missing', '/answer', link, '/admin']) await look(path)
    await page.goto('/share')
    await page.getByRole('checkbox', { name: 'Bus driver' }).check({ force: true })
    await fill(page, 'Ana Cole')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/thanks=/)
    await expectKorean(page)
  })
})
