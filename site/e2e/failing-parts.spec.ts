import type { Page } from '@playwright/test'
import { expect, open, type Site, tab, test } from './fixtures.ts'
import { fillForm, submit, thanked } from './form.ts'
import { readRsvps, send, storeLinked, storeRsvps, testRsvp } from './stored.ts'

const note = (page: Page) => page.getByRole('alert').filter({ hasText: 'This part of the page did not load' })
const storedNote = (page: Page) => page.getByRole('alert').filter({ hasText: 'Your RSVP is stored' })

/** The lines of the log about failures, without their time. */
function failuresIn(site: Site): object[] {
  const lines = site
    .output()
    .split('\n')
    .filter((line) => line.includes('part of a page failed'))
  return lines.map((line) => {
    const { part, error, at, browser } = JSON.parse(line)
    return { part, error, at, browser }
  })
}

const script = (name: string) => expect.stringMatching(`^assets/${name}\\.[\\w-]+\\.js(:\\d+:\\d+)?$`)
const browser = expect.stringMatching(/^Chrome, /)

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
      .poll(() => failuresIn(site))
      .toEqual([{ part: 'RsvpForm', error: 'TypeError', at: script('parts'), browser }])
    expect(site.output()).not.toContain('Ana Cole')
    await storedNote(page).getByRole('button', { name: 'Reload' }).click()
    await expect(thanked(page)).toBeVisible()
  })

  test('is the form, which still sends', async ({ page, site }) => {
    await page.addInitScript(() => {
      const isOnline = () => {
        if (document.title === 'Fails') throw new RangeError('Ana Cole')
        return true
      }
      Object.defineProperty(navigator, 'onLine', { get: isOnline })
    })
    await open(page, '/share')
    await page.evaluate(() => {
      document.title = 'Fails'
      dispatchEvent(new Event('online'))
    })
    await expect(note(page)).toHaveText(/Nothing that was stored is lost/)
    await fillForm(page)
    await submit(page).click()
    await expect(page).toHaveURL(/thanks=/)
    await expect(thanked(page)).toBeVisible()
    expect(await readRsvps(site)).toHaveLength(1)
  })

  test('does not have an RSVP sent again, whatever fails once it is stored', async ({ page, site }) => {
    await open(page, '/share')
    await fillForm(page)
    await page.evaluate(() => {
      const { json } = Response.prototype
      const { toISOString } = Date.prototype
      const failOnce = () => {
        Date.prototype.toISOString = toISOString
        Response.prototype.json = json
        throw new TypeError('Ana Cole')
      }
      Response.prototype.json = function () {
        Date.prototype.toISOString = failOnce
        return json.call(this)
      }
    })
    await submit(page).click()
    await expect(thanked(page)).toBeVisible()
    await expect.poll(() => failuresIn(site)).not.toHaveLength(0)
    await expect(page.getByText(/^Not sent yet/)).toHaveCount(0)
    await page.getByRole('link', { name: 'Respond for another family' }).click()
    await fillForm(page)
    await submit(page).click()
    await expect(thanked(page)).toBeVisible()
    expect(await readRsvps(site)).toHaveLength(1)
  })

  test('is one section of the settings, not the administration', async ({ page, site }) => {
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
    await expect.poll(() => failuresIn(site)).toMatchObject([{ part: 'AdminTabs', error: 'TypeError' }])
  })
})

test.describe('a time zone that the browser does not know', () => {
  const zone = 'America/Denver'

  test('costs nothing but its times', async ({ page, site }) => {
    await send(site, 'PATCH', '/api/schedule', { timeZone: zone })
    await storeRsvps(site, [testRsvp({ name: 'Cy Fox' })])
    const [{ id }] = await readRsvps(site)
    await send(site, 'PATCH', `/api/rsvps/${id}`, { phone: '1' })
    const link = await storeLinked(site, { name: 'Di Ray' })
    await page.goto('/admin')
    const written = await page.getByRole('cell', { name: /changed/ }).textContent()
    await page.addInitScript(forgetZone, zone)

    await open(page, '/share')
    await fillForm(page)
    await submit(page).click()
    await expect(thanked(page)).toBeVisible()
    await expect(page.getByRole('rowheader', { name: 'Ana Cole' })).toBeVisible()
    await expect(page.getByRole('row', { name: 'Ana Cole' })).toContainText(/, \d{4} UTC$/)
    await open(page, '/')
    await expect(page.getByRole('row', { name: 'Ana Cole' })).not.toContainText('UTC')
    await page.goto(link)
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Di Ray')

    await open(page, '/admin')
    await expect(page.getByRole('cell', { name: /changed/ })).toHaveText(written ?? '')
  })
})

function forgetZone(zone: string): void {
  const without = <Own extends object>(own: Own): Own => {
    const check = (options?: Intl.DateTimeFormatOptions) => {
      if (options?.timeZone === zone) throw new RangeError(`Invalid time zone specified: ${zone}`)
    }
    return new Proxy(own, {
      construct: (target, given) => check(given[1]) ?? Reflect.construct(target as () => void, given),
      apply: (target, self, given) => check(given[1]) ?? Reflect.apply(target as () => void, self, given),
    })
  }
  Intl.DateTimeFormat = without(Intl.DateTimeFormat)
  for (const name of ['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString'] as const)
    Date.prototype[name] = without(Date.prototype[name])
}
