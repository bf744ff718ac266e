import type { BrowserContext, Page } from '@playwright/test'
import { missingMembers } from '../../scripts/browsers.mjs'
import { beginEdit, confirmEdit, readEvent } from './event-editing.ts'
import { expect, expectToast, open, test, waitForHydration } from './fixtures.ts'
import { expectSubmitted, fillForm, submit, thanked } from './form.ts'
import { confirmSchedule, readRsvps, storeRsvps, testRsvp } from './stored.ts'

/** Chromium without what any of the oldest browsers lacks, whether or not the page can do without. */
async function ageBrowser(context: BrowserContext): Promise<void> {
  await context.addInitScript((missing: string[][]) => {
    for (const [owner = '', name = ''] of missing) {
      const object = Reflect.get(window, owner) ?? {}
      Reflect.deleteProperty(object, name.replace('_static', ''))
      if (object.prototype) Reflect.deleteProperty(object.prototype, name)
    }
  }, missingMembers())
}

const member = (page: Page) => page.getByLabel('Name of family member 1')

test.beforeEach(({ context }) => ageBrowser(context))

test.describe('the oldest browsers', () => {
  test.use({ viewport: { width: 375, height: 667 } })

  test('send an RSVP, remember it, and change it', async ({ page, site }) => {
    await confirmSchedule(site)
    await open(page, '/share')
    await fillForm(page)
    await page.getByRole('button', { name: 'Add Family Member' }).click()
    await member(page).fill('Joel')
    await submit(page).click()
    await expectSubmitted(page)
    for (const path of ['', '/share', '/']) {
      if (path) await open(page, path)
      await expect(thanked(page)).toBeVisible()
      await expect(submit(page)).toBeHidden()
    }
    await page.getByRole('checkbox', { name: 'Remember this on this device' }).check()
    await page.getByRole('button', { name: 'Done' }).click()
    await open(page, '/share')
    await expect(page.getByRole('heading', { name: 'Your RSVP' })).toBeVisible()
    await expect(submit(page)).toBeHidden()
    await page.getByRole('link', { name: 'Change', exact: true }).click()
    await waitForHydration(page)
    await expect(member(page)).toHaveValue('Joel')
    await page.getByLabel('Message').fill('See you')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(page.getByText('Your RSVP says now what you see here.')).toBeVisible()
    expect(await readRsvps(site)).toMatchObject([{ message: 'See you', familyMembers: [{ name: 'Joel' }] }])
  })

  test('administer: the editor, the map link, entering and merging', async ({ page, site }) => {
    await page.setViewportSize({ width: 1280, height: 800 })
    await confirmSchedule(site)
    await storeRsvps(site, [testRsvp(), testRsvp({ name: 'ana cole', message: 'Pray for Joel' })])
    await open(page, '/')
    const mapLink = page.getByLabel('Map Link')
    await beginEdit(page, { 'Page Title': 'Harvest' })
    await mapLink.fill('https://')
    await confirmEdit(page)
    await expect(mapLink).toHaveAccessibleDescription(/^A map link begins with https:\/\/\./)
    await mapLink.fill('https://maps.example/?q=12+Chapel+Road')
    await confirmEdit(page)
    await expectToast(page, 'Event Saved', 'Visitors see it now.')
    expect(await readEvent(site)).toMatchObject({ mapLink: 'https://maps.example/?q=12+Chapel+Road' })

    await open(page, '/admin')
    await page.getByRole('button', { name: 'Merge the RSVPs of ana cole' }).first().click()
    const merging = page.getByRole('dialog', { name: 'Merge the Responses' })
    await expect(merging.getByLabel('Message')).toHaveValue('Pray for Joel')
    await merging.getByRole('button', { name: 'Merge' }).click()
    await expectToast(page, 'Responses Merged', '1 response of ana cole was merged into the newest.')
    await page.getByRole('button', { name: 'Add a response' }).click()
    const name = page.getByRole('dialog').getByRole('textbox', { name: 'Name', exact: true })
    await name.fill('Eva Kim')
    await name.press('Enter')
    await expect(page.getByText('Saved: Eva Kim, 1 person')).toBeVisible()
  })
})
