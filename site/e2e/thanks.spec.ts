import type { Page } from '@playwright/test'
import { expect, hold, open, test, waitForHydration } from './fixtures.ts'
import { fillForm, openMore, submit } from './form.ts'
import { callAs, guarded, signIn } from './guarded.ts'
import { send, storeRsvps, testRsvp } from './stored.ts'
import { expectStill, expectUsable, watchPage } from './usable.ts'

const thanks = (page: Page) => page.locator('.thanks')
/** What the invitation says of the visitor's own RSVP. */
const yourRsvp = (page: Page) => page.locator('.your-rsvp')
const remember = (page: Page) => page.getByRole('checkbox', { name: 'Remember this on this device' })
const forget = (page: Page) => page.getByRole('button', { name: 'Forget on this device' })
const remembered = (page: Page) => page.evaluate(() => localStorage.getItem('rsvp-thanks') ?? '')

const typicalEvent = {
  title: 'Worship Together at Grace Church',
  subtitle: 'Join us in worship and fellowship',
  eventTitle: 'Saturday Service',
  description:
    'Come as you are. Everyone is welcome to a morning of worship, prayer and community. Our choir sings, the children have a program of their own, and afterwards there is coffee, cake and time to talk. Bring your family, bring a friend, and stay a while with us: we are glad that you are here.',
  date: 'Every Saturday',
  time: '10:00 AM',
  location: '123 Main Street, Springfield',
  whatToExpect: 'The service takes an hour and a half, with a sermon of half an hour. Wear what you like.',
  contact: 'Ask Mary Cole, 555 0100 or mary@grace.example',
}

test.describe('the thank-you of a tab', () => {
  // What the visitor has taken away is asked for once more, and not found.
  test.use({ expectedErrors: /status of 404/ })

  test('outlives reloads, says what holds, and leaves nothing behind', async ({ page, context }) => {
    await open(page, '/share')
    await fillForm(page)
    await submit(page).click()
    const link = page.getByLabel('Your private link')
    const address = await link.inputValue()
    await page.addInitScript(watchPage)
    for (const [path, width] of [
      ['/share', 390],
      ['/', 320],
    ] as const) {
      await page.setViewportSize({ width, height: 844 })
      await page.goto(path)
      await expect(link).toHaveValue(address)
      await expect(thanks(page)).toContainText('Coming: Ana Cole')
      await expect(yourRsvp(page)).toHaveText("You're coming · Change")
      await expect(page.locator('.reply-bar')).toBeHidden()
      await expectStill(page)
    }
    await yourRsvp(page).getByRole('link', { name: 'Change' }).click()
    await page.reload()
    await waitForHydration(page)
    await page.getByText("No, I can't").click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(page.getByText('Your RSVP says now')).toBeVisible()
    await page.getByRole('link', { name: 'Back to the invitation' }).click()
    await expect(thanks(page)).toContainText('Not Attending')
    await expect(yourRsvp(page)).toHaveText("You can't come this time · Change")
    await expect(link).toHaveValue(address)
    // Also where the code of the thank-you comes late, and what follows the form moves up on the screen.
    await page.setViewportSize({ width: 768, height: 1600 })
    const release = await hold(page, '**/assets/parts.*')
    await page.reload({ waitUntil: 'domcontentloaded' })
    await waitForHydration(page)
    release()
    await expect(thanks(page)).toContainText('Not Attending')
    await expectStill(page)

    // Where the browser denies copying, the link is shown and selected.
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new DOMException('no', 'NotAllowedError'))
      document.execCommand = () => false
    })
    await page.getByRole('button', { name: 'Copy Private Link' }).click()
    await expect(link).toBeFocused()
    await page.getByRole('button', { name: 'Done' }).click()
    await expect(page.getByRole('heading', { name: 'RSVP', exact: true })).toBeFocused()
    await expect(submit(page)).toBeVisible()
    await expect(yourRsvp(page)).toBeEmpty()
    await expect.poll(() => context.cookies(address).then((cookies) => cookies.map(({ name }) => name))).toEqual([])
    expect(JSON.stringify(await context.storageState({ indexedDB: true }))).not.toContain('Ana Cole')
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('Ana Cole')
    await page.reload()
    await expect(submit(page)).toBeVisible()
    await expect(thanks(page)).toHaveCount(0)
  })
})

test.describe('an RSVP that a device remembers', () => {
  test.use({ expectedErrors: /404|410/ })

  test('replaces the form, lets another family respond, and is forgotten in all tabs', async ({ page, context }) => {
    await page.addInitScript(watchPage)
    await open(page, '/share')
    await fillForm(page)
    await submit(page).click()
    await openMore(page)
    await expect(remember(page)).not.toBeChecked()
    expect(await remembered(page)).toBe('')
    await remember(page).check()
    await expect.poll(() => remembered(page)).toContain('"endsAt"')
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('Ana Cole')
    await expectUsable(page, 'remembered')
    const other = await context.newPage()
    for (const path of ['/share', '/']) {
      await open(other, path)
      await expect(thanks(other)).toContainText('Thank you, Ana Cole')
      await expect(submit(other)).toBeHidden()
    }
    await page.reload()
    await openMore(page)
    await expect(remember(page)).toBeChecked()
    await expectStill(page)
    // Also where the scripts take longer than the form waits for them.
    const release = await hold(page, '**/assets/visitors.*')
    await page.goto('/share', { waitUntil: 'commit' })
    await page.locator('.thanked').evaluate((body) => body.classList.remove('thanked'))
    await expect(submit(page)).toBeVisible()
    release()
    await openMore(page)
    await expect(remember(page)).toBeChecked()

    await page.getByRole('link', { name: 'Respond for another family' }).click()
    await expect(page.getByRole('radio', { name: "Yes, I'll attend" })).toBeFocused()
    await fillForm(page, 'Bea Cole')
    await submit(page).click()
    await expect(thanks(page)).toContainText('Thank you, Bea Cole')
    await expect(thanks(page)).toContainText('It takes the place of the one that is remembered now.')
    await openMore(page)
    await page.getByRole('button', { name: 'Done' }).click()
    await expect(thanks(page)).toContainText('Thank you, Ana Cole')

    await page.getByRole('link', { name: 'Change or withdraw' }).click()
    await waitForHydration(page)
    await page.getByRole('button', { name: 'Withdraw my RSVP' }).click()
    await expect(page.getByText('You have withdrawn this RSVP')).toBeVisible()
    await open(page, '/share')
    await expect(thanks(page)).toContainText('You have withdrawn this RSVP')
    await expect(thanks(page)).not.toContainText('Not Attending')
    await openMore(page)
    await forget(page).click()
    await expect(page.getByRole('heading', { name: 'RSVP', exact: true })).toBeFocused()
    for (const tab of [other, page]) await expect(submit(tab)).toBeVisible()
    expect(await remembered(page)).toBe('')
  })

  test('is forgotten once its link is dead or its service over, and no earlier', async ({ page }) => {
    const old = {
      name: 'Ana Cole',
      attending: false,
      coming: [],
      roles: [],
      calendarType: null,
      link: 'https://rsvp.example/answer?key=0123456789012345678901',
    }
    const put = (value: unknown) =>
      page.evaluate((text) => localStorage.setItem('rsvp-thanks', text), JSON.stringify(value))
    await page.route('**/api/answer', (route) => route.fulfill({ status: 404, body: '<h1>Hotel Wi-Fi</h1>' }))
    await open(page, '/share')
    await put({ ...old, endsAt: '2100-01-01T00:00:00.000Z' })
    await open(page, '/share')
    await page.waitForLoadState('networkidle')
    await expect(thanks(page)).toContainText('Ana Cole')
    await page.unroute('**/api/answer')
    await page.reload()
    await expect(submit(page)).toBeVisible()
    expect(await remembered(page)).toBe('')
    await put({ ...old, endsAt: '2020-01-01T00:00:00.000Z' })
    await page.reload()
    await expect(submit(page)).toBeVisible()
    await expect(thanks(page)).toHaveCount(0)
  })
})

test.describe('the invitation to a typical service', () => {
  test.use({ variables: guarded })

  test('has church, title and date on the first screen, and the question soon after', async ({ page }) => {
    await signIn(page)
    await callAs(page, 'PATCH', '/api/schedule', { startTime: '10:00', timeZone: 'UTC' })
    await callAs(page, 'POST', '/api/event', typicalEvent)
    await callAs(page, 'PATCH', '/api/church', { name: 'Grace Church Springfield' })
    await callAs(page, 'PATCH', '/api/settings', { prayers: true, publicNames: 'full' })
    for (const name of ['Ana Cole', 'Ben Roe'])
      await callAs(page, 'POST', '/api/rsvp', testRsvp({ name, familyMembers: [{ name: 'Joel' }, { name: 'Mia' }] }))
    await page.context().clearCookies()
    for (const [width, height] of [
      [844, 390],
      [640, 400],
      [320, 256],
      [1280, 800],
    ] as const) {
      await page.setViewportSize({ width, height })
      await open(page, '/share')
      const bar = await page.locator('.reply-bar').boundingBox()
      // Of a title in two lines, the first is enough.
      for (const part of ['.cover__name', '.fact--day', '.invitation__title'])
        expect(await firstLineOf(page, part), `${part} at ${width} × ${height}`).toBeLessThan(bar?.y ?? height)
      const { height: ofPicture = 0 } = (await page.locator('.cover svg').boundingBox()) ?? {}
      expect(ofPicture / height, `${width} × ${height}`).toBeLessThanOrEqual(0.3)
    }
    // The day and the hours of the schedule say it.
    for (const text of [typicalEvent.date, typicalEvent.time])
      await expect(page.getByText(text, { exact: true })).toHaveCount(0)
    await page.setViewportSize({ width: 390, height: 844 })
    await expect(page.locator('.coming')).toBeVisible()
    expect(await topOf(page, '.choices--large')).toBeLessThanOrEqual(900)
    await page.getByText("Yes, I'll attend").click()
    expect(await topOf(page, '.rsvp-form__submit')).toBeLessThanOrEqual(1900)
  })
})

test('has the title on the first screen of a phone on its side, also below two notes', async ({ page, site }) => {
  const { services } = await send(site, 'PATCH', '/api/schedule', { startTime: '10:00', timeZone: 'UTC' })
  await send(site, 'PATCH', '/api/schedule', { skippedDates: [services[0].date] })
  await send(site, 'POST', '/api/event', typicalEvent)
  await send(site, 'PATCH', '/api/church', { name: 'Grace Church Springfield' })
  for (const [width, height] of [
    [844, 390],
    [667, 375],
  ] as const) {
    await page.setViewportSize({ width, height })
    await open(page, '/share')
    await expect(page.locator('.when__note')).toContainText('No service on')
    const { y = 0 } = (await page.locator('.reply-bar').boundingBox()) ?? {}
    expect(await firstLineOf(page, '.invitation__title'), `${width} × ${height}`).toBeLessThan(y)
  }
})

test('shows the day, the place and both choices on the first screen, until one is made', async ({ page, site }) => {
  await send(site, 'PATCH', '/api/schedule', { timeZone: 'UTC' })
  await storeRsvps(site, [testRsvp({ name: 'Ben Roe' })])
  // The administrator's page has a button more.
  for (const { path, ...size } of [
    { path: '/share', width: 360, height: 740 },
    { path: '/', width: 390, height: 844 },
    { path: '/share', width: 1280, height: 800 },
  ]) {
    await page.setViewportSize(size)
    await page.goto(path)
    const day = await page.getByLabel('For', { exact: true }).locator('option').first().textContent()
    await expect(page.locator('.fact--day')).toContainText(`${day}`)
    await expect(page.locator('.fact--day')).toBeInViewport({ ratio: 1 })
    await expect(page.locator('.fact--hours')).toContainText('to 12:00')
    expect(await page.locator('.fact--hours').evaluate(countLines), `${size.width} px`).toBe(1)
    await expect(page.getByRole('link', { name: '123 Main Street' })).toBeInViewport({ ratio: 1 })
    for (const text of ["Yes, I'll attend", "No, I can't"])
      await expect(page.getByText(text), `${size.width} px`).toBeInViewport({ ratio: 1 })
  }

  // On a phone, a bar has them while the form is out of sight, until one is chosen.
  await page.setViewportSize({ width: 320, height: 560 })
  await open(page, '/share')
  const bar = page.getByRole('region', { name: 'Will you be attending?' }).filter({ visible: true })
  await expect(bar).toBeVisible()
  await page.mouse.wheel(0, 10_000)
  await page.getByRole('button', { name: 'No' }).click()
  await expect(page.getByRole('radio', { name: "No, I can't" })).toBeChecked()
  await expect(page.getByRole('radio', { name: "No, I can't" })).toBeFocused()
  await expect(page.getByText("Yes, I'll attend")).toBeInViewport()
  await page.mouse.wheel(0, 10_000)
  await expect(bar).toHaveCount(0)
})

/** The place of an element from the top of the page. */
const topOf = (page: Page, part: string) =>
  page.locator(part).evaluate((element) => element.getBoundingClientRect().top + scrollY)

/** Where the first line of a text ends. */
const firstLineOf = (page: Page, part: string) =>
  page.locator(part).evaluate((element) => {
    const range = document.createRange()
    range.selectNodeContents(element)
    return range.getClientRects()[0]?.bottom ?? Number.NaN
  })

/** Runs in the browser. */
function countLines(element: Element): number {
  const range = document.createRange()
  range.selectNodeContents(element)
  return new Set(Array.from(range.getClientRects(), ({ top }) => Math.round(top))).size
}
