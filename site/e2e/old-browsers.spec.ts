import type { BrowserContext } from '@playwright/test'
import { missingMembers } from '../../scripts/browsers.mjs'
import { expect, open, test, waitForHydration } from './fixtures.ts'
import { addMember, expectSubmitted, fillForm, member, openMore, submit, thanked } from './form.ts'
import { confirmSchedule, readRsvps } from './stored.ts'

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

test.beforeEach(({ context }) => ageBrowser(context))

test.use({ viewport: { width: 375, height: 667 } })

test('sends an RSVP from the oldest browsers, remembers it, and changes it', async ({ page, site }) => {
  await confirmSchedule(site)
  await open(page, '/share')
  await fillForm(page)
  await addMember(page).click()
  await member(page).fill('Joel')
  await submit(page).click()
  await expectSubmitted(page)
  for (const path of ['', '/share', '/']) {
    if (path) await open(page, path)
    await expect(thanked(page)).toBeVisible()
    await expect(submit(page)).toBeHidden()
  }
  await openMore(page)
  await page.getByRole('checkbox', { name: 'Remember this on this device' }).check()
  await open(page, '/share')
  await openMore(page)
  await expect(page.getByRole('button', { name: 'Forget on this device' })).toBeVisible()
  await expect(submit(page)).toBeHidden()
  await page.getByRole('link', { name: 'Change or withdraw' }).click()
  await waitForHydration(page)
  await expect(member(page)).toHaveValue('Joel')
  await page.getByLabel('Message').fill('See you')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Your RSVP says now what you see here.')).toBeVisible()
  expect(await readRsvps(site)).toMatchObject([{ message: 'See you', familyMembers: [{ name: 'Joel' }] }])
})
