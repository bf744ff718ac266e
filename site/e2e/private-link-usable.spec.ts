import type { Page } from '@playwright/test'
import { expect, fillForm, open, send, test, testRsvp, waitForHydration } from './fixtures.ts'
import { expectNoFindings, findSmallTargets, overflowOf } from './usable.ts'
import { confirmSchedule, moveToWeek } from './weeks.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' }, expectedErrors: /status of 4/ })

const longWord = 'Wolfeschlegelsteinhausenbergerdorff'.repeat(2)
const household = testRsvp({
  name: longWord,
  phone: '+1 555 0100',
  message: 'Wir kommen etwas später. Llegamos tarde. 우리는 조금 늦을 거예요.',
  familyMembers: Array.from({ length: 8 }, (_, place) => ({ name: `${place} ${longWord}`, age: 'child' })),
  volunteerRoles: [1, 2],
})

async function expectUsable(page: Page, state: string): Promise<void> {
  await expectNoFindings(page, state)
  for (const width of [320, 768]) {
    await page.setViewportSize({ width, height: 800 })
    await expect.poll(() => overflowOf(page), state).toBe(0)
  }
  await expect.poll(() => page.evaluate(findSmallTargets), state).toEqual([])
}

/** What a form says of itself has the focus, with and without JavaScript. */
async function expectSaid(page: Page, text: string | RegExp): Promise<void> {
  await expect(page.locator('#reply')).toContainText(text)
  await expect(page.locator('#reply')).toBeFocused()
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).press('Enter')

test('the page of a private link is accessible in all its states, and the focus goes to what it says', async ({
  page,
  site,
}) => {
  const weeks = await confirmSchedule(site)
  const headers = { 'Content-Type': 'application/json' }
  const sent = await fetch(`${site.url}/api/rsvp`, { method: 'POST', headers, body: JSON.stringify(household) })
  const { id, link } = await sent.json()
  const key = new URL(link).searchParams.get('key') ?? ''
  await open(page, link)
  await expectUsable(page, 'form')
  await press(page, 'Save')
  await expectSaid(page, 'Saved')
  await expectUsable(page, 'saved')
  const change = JSON.stringify({ message: 'From the telephone' })
  await fetch(`${site.url}/api/answer`, { method: 'PATCH', headers: { ...headers, 'Link-Key': key }, body: change })
  await waitForHydration(page)
  await press(page, 'Save')
  await expectSaid(page, 'Not saved: this RSVP was changed meanwhile')
  await expectUsable(page, 'overtaken')
  await press(page, 'Withdraw my RSVP')
  await expectSaid(page, 'You have withdrawn this RSVP')
  await expectUsable(page, 'withdrawn')
  await press(page, 'Take that back')
  await expectSaid(page, 'Taken back')
  await expectUsable(page, 'taken back')
  moveToWeek(site, longWord, '2020-01-04')
  await press(page, 'Save')
  await expectSaid(page, 'is over')
  await expectUsable(page, 'over')
  moveToWeek(site, longWord, weeks.this)
  await open(page, link)
  const other = await fetch(`${site.url}/api/rsvp`, { method: 'POST', headers, body: JSON.stringify(testRsvp()) })
  const otherTab = await page.context().newPage()
  await otherTab.goto((await other.json()).link)
  await press(page, 'Save')
  await expectSaid(page, 'Another private link was opened in this browser meanwhile')
  await expectUsable(page, 'of another link')
  await open(page, link)
  await fetch(`${site.url}/api/rsvps/${id}`, { method: 'DELETE' })
  await press(page, 'Save')
  await expectSaid(page, 'The church has deleted this RSVP')
  await expectUsable(page, 'deleted')
  await page.goto('/answer?key=0123456789012345678901')
  await expect(page.getByText('This link does not work')).toBeVisible()
  await expectUsable(page, 'dead')
})

test('what a device remembers is accessible, after it was sent and in place of the form', async ({ page, site }) => {
  await send(site, 'PATCH', '/api/schedule', { timeZone: 'UTC' })
  await open(page, '/share')
  await fillForm(page)
  await page.getByRole('button', { name: 'Submit RSVP' }).click()
  await page.getByRole('checkbox', { name: 'Remember this on this device' }).check()
  await expect.poll(() => page.evaluate(() => localStorage.getItem('rsvp-remembered'))).not.toBeNull()
  await expectUsable(page, 'sent')
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(page.locator('.remembered')).toBeVisible()
  await expectUsable(page, 'remembered')
})
