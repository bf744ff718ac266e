import type { Page } from '@playwright/test'
import { expect, open, tab, test } from './fixtures.ts'
import { addMember, fillForm, submit, thanked } from './form.ts'
import { readRsvps, testRsvp } from './stored.ts'

const note = (page: Page) => page.getByRole('alert').filter({ hasText: 'This part of the page did not load' })
const storedNote = (page: Page) => page.getByRole('alert').filter({ hasText: 'Your RSVP is stored' })

test.describe('a form whose code has not loaded', () => {
  test.use({ expectedErrors: /ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to fetch/ })

  test('says that nothing was sent while the device is offline, and sends later', async ({ page, context, site }) => {
    await page.route('**/assets/parts.*', (route) => route.abort())
    await open(page, '/share')
    await fillForm(page)
    await context.setOffline(true)
    await submit(page).click()
    await expect(page.getByRole('alert')).toContainText('Not sent yet. Everything you typed is still here')
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Ana Cole')
    await page.unrouteAll()
    await context.setOffline(false)
    await submit(page).click()
    await expect(thanked(page)).toBeVisible()
    expect(await readRsvps(site)).toHaveLength(1)
  })
})

test.describe('a part of the page that fails', () => {
  test.use({ expectedErrors: /Ana Cole|dynamically imported|ERR_FAILED|Error hydrating/ })

  test('says that the RSVP is stored, and leaves the form', async ({ page, site }) => {
    await page.addInitScript(() => {
      Element.prototype.scrollIntoView = () => {
        throw new TypeError('Ana Cole')
      }
    })
    await open(page, '/share')
    await fillForm(page)
    await submit(page).click()
    await expect(storedNote(page)).toBeVisible()
    await expect(storedNote(page).getByRole('link')).toHaveAttribute('href', /\/answer\?key=/)
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    expect(await readRsvps(site)).toMatchObject([testRsvp()])
    await expect
      .poll(() => site.output())
      .toMatch(/"part":"RsvpForm","error":"TypeError","at":"assets\/parts\.[\w-]+\.js:\d+:\d+","browser":"Chrome, /)
    expect(site.output()).not.toContain('Ana Cole')
    await storedNote(page).getByRole('button', { name: 'Reload' }).click()
    await expect(thanked(page)).toBeVisible()
  })

  test('leaves a form that still sends', async ({ page, site }) => {
    await page.addInitScript(() => {
      const { trim } = String.prototype
      String.prototype.trim = function () {
        if (document.title === 'Fails') throw new RangeError('Ana Cole')
        return trim.call(this)
      }
    })
    await open(page, '/share')
    await page.evaluate(() => {
      document.title = 'Fails'
    })
    await addMember(page).click()
    await expect(note(page)).toHaveText(/Nothing that was stored is lost/)
    await fillForm(page)
    await submit(page).click()
    await expect(page).toHaveURL(/thanks=/)
    await expect(thanked(page)).toBeVisible()
    expect(await readRsvps(site)).toHaveLength(1)
  })

  test('causes no second RSVP, whatever fails once one is stored', async ({ page, site }) => {
    await open(page, '/share')
    await fillForm(page)
    await page.evaluate(() => {
      const { json } = Response.prototype
      const { toISOString } = Date.prototype
      Response.prototype.json = function () {
        Date.prototype.toISOString = () => {
          Date.prototype.toISOString = toISOString
          Response.prototype.json = json
          throw new TypeError('Ana Cole')
        }
        return json.call(this)
      }
    })
    await submit(page).click()
    await expect(thanked(page)).toBeVisible()
    await expect.poll(() => site.output()).toContain('part of a page failed')
    await fillForm(page)
    await submit(page).click()
    await expect(thanked(page)).toBeVisible()
    expect(await readRsvps(site)).toHaveLength(1)
  })

  test('is missing from the settings alone, not the administration', async ({ page }) => {
    await page.addInitScript(() => {
      Intl.supportedValuesOf = () => {
        throw new TypeError('Ana Cole')
      }
    })
    await open(page, '/admin?tab=settings')
    await expect(note(page)).toHaveCount(1)
    await expect(page.getByRole('heading', { name: 'Volunteer Roles' })).toBeVisible()
    await tab(page, 'Share').click()
    await expect(page.getByRole('heading', { name: 'Share RSVP Form' })).toBeVisible()
  })
})
