import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { expect, open, press, test } from './fixtures.ts'
import { addMember, member } from './form.ts'
import { guarded } from './guarded.ts'
import { changeDatabase, confirmSchedule, moveToWeek, readRsvps, send, storeLinked, testRsvp } from './stored.ts'
import { expectUsable } from './usable.ts'

test.use({
  expectedErrors: /404|409|410|Failed to load resource|CSP: img-src|Content Security Policy/,
})

const message = (page: Page) => page.getByLabel('Message')

/** A site that is not ours: it has another host name. */
async function startOther(body: string, onRequest: (request: string) => void) {
  const server = createServer(({ url, headers }, response) => {
    onRequest(JSON.stringify([url, headers]))
    response.setHeader('content-type', 'text/html')
    response.end(`<!doctype html><link rel="icon" href="data:,"><title>Other</title>${body}`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = () => new Promise((resolve) => server.close(resolve).closeAllConnections())
  return { address: `http://localhost:${(server.address() as AddressInfo).port}/`, stop }
}

test.describe('the form of a private link', () => {
  test('saves, also once online again, withdraws, undoes that, and moves focus', async ({ page, context, site }) => {
    const weeks = await confirmSchedule(site)
    await send(site, 'PATCH', '/api/church', { name: 'Grace Church Springfield' })
    const longWord = 'Wolfeschlegelsteinhausenbergerdorff'.repeat(2)
    const family = Array.from({ length: 8 }, (_, place) => ({ name: `${place} ${longWord}`, attending: place > 0 }))
    const household = { name: longWord, phone: '+1 555 0100', familyMembers: family, volunteerRoles: [1, 2] }
    const { id, link } = await send(site, 'POST', '/api/rsvp', testRsvp(household))
    const expectReply = async (text: string) => {
      await expect(page.locator('#reply')).toContainText(text)
      await expect(page.locator('#reply')).toBeFocused()
      await expect(page.locator('#reply')).toHaveCSS('outline-color', 'rgba(0, 0, 0, 0)')
    }
    await open(page, link)
    await expectUsable(page, 'form')
    // The picture is as wide as the card, and does not lie under its texts.
    const edges = await page.locator('.card, .cover svg, .card__contents').evaluateAll((parts) =>
      parts.map((part) => {
        const { top, bottom, width } = part.getBoundingClientRect()
        return { top, bottom, width }
      }),
    )
    expect(edges[1]?.width).toBeGreaterThan((edges[0]?.width ?? 0) - 4)
    expect(edges[1]?.bottom).toBeLessThanOrEqual((edges[2]?.top ?? 0) + 1)
    for (const width of [390, 768, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      const end = await page.locator('.cover__name').evaluate((name) => name.getBoundingClientRect().bottom)
      const tops = await page
        .locator('h1, .when')
        .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().top))
      expect(Math.min(...tops), `${width} px`).toBeGreaterThanOrEqual(end)
    }
    await press(page, 'Save')
    await expectReply('Saved')
    // What was changed elsewhere since the page was loaded stays.
    await send(site, 'PATCH', `/api/rsvps/${id}`, { phone: '555 0100' })
    await message(page).fill('See you')
    await addMember(page).click()
    await member(page, 9).fill('Joel; Mia')
    await context.setOffline(true)
    const tried = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/api/health'))
    await press(page, 'Save')
    await tried
    await context.setOffline(false)
    await expect(page.getByText('Not sent yet. Everything you typed is still here')).toBeVisible()
    // A button does nothing until the page has read the reply to the one pressed before.
    await expect(async () => {
      await press(page, 'Save')
      await expect(page.getByText('Your RSVP says now what you see here.')).toBeVisible({ timeout: 5000 })
    }).toPass()
    await expectReply('Saved')
    const [stored] = await readRsvps(site)
    expect(stored).toMatchObject({ phone: '555 0100', message: 'See you' })
    expect(stored.familyMembers[0].attending).toBe(false)
    expect(stored.familyMembers.slice(8)).toMatchObject([{ name: 'Joel' }, { name: 'Mia' }])
    await press(page, 'Withdraw my RSVP')
    await expectReply('You have withdrawn this RSVP')
    expect(await readRsvps(site)).toEqual([])
    await press(page, 'Take that back')
    await expectReply('Taken back')
    expect(await readRsvps(site)).toHaveLength(1)
    moveToWeek(site, longWord, '2020-01-04')
    await press(page, 'Save')
    await expectReply('is over')
    moveToWeek(site, longWord, weeks.this)
    await open(page, link)
    await send(site, 'DELETE', `/api/rsvps/${id}`)
    await press(page, 'Save')
    await expectReply('The church has deleted this RSVP')
  })
})

test.describe('the privacy of a private link', () => {
  // An open site refuses whoever comes from another one.
  test.use({ variables: guarded })

  test('leaves its key neither in the history nor in what other pages and sites receive', async ({ page, site }) => {
    const requests: string[] = []
    const link = await storeLinked(site)
    const other = await startOther(`<a href="${link}">Open</a>`, (request) => requests.push(request))
    const key = new URL(link).searchParams.get('key') ?? 'none'
    await open(page, '/share')
    const expectNoKey = async (path: RegExp) => {
      await expect(page).toHaveURL(path)
      const known = await page.evaluate(() =>
        JSON.stringify([location, document.referrer, performance.getEntries(), document.cookie, history.state]),
      )
      expect(known + (await page.content())).not.toContain(key)
    }
    await page.evaluate((href) => location.assign(href), link)
    await expectNoKey(/\/answer$/)
    await page.goBack()
    await expectNoKey(/\/share$/)
    await page.goForward()
    await expectNoKey(/\/answer$/)
    // As from a mail program on the web.
    await page.context().clearCookies()
    await page.goto(other.address)
    await page.getByRole('link', { name: 'Open' }).click()
    await expectNoKey(/\/answer$/)
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Ana Cole')

    await page.evaluate((href) => {
      const leading = document.body.appendChild(document.createElement('a'))
      Object.assign(leading, { href, textContent: 'Leave', referrerPolicy: '' })
      document.body.appendChild(new Image()).src = `${href}pixel`
    }, other.address)
    await page.getByRole('link', { name: 'Leave' }).click()
    await expect(page).toHaveTitle('Other')
    expect(requests).toHaveLength(2)
    expect(requests.join()).not.toContain('referer')
    await other.stop()
  })

  test('shows by Back only what is stored by now', async ({ page, site }) => {
    await open(page, await storeLinked(site))
    await page.getByRole('link', { name: 'Privacy' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Privacy' })).toBeVisible()
    changeDatabase(site, 'DELETE FROM rsvps')
    await page.goBack()
    await expect(page.getByText('This link does not work')).toBeVisible()
    await expect(page.locator('body')).not.toContainText('Ana Cole')

    // A browser that keeps the page all the same, as Safari may, is made to load it anew.
    await open(page, await storeLinked(site, { name: 'Bea Cole' }))
    changeDatabase(site, 'DELETE FROM rsvps')
    await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
    await expect(page.getByText('This link does not work')).toBeVisible()
    await expect(page.locator('body')).not.toContainText('Bea Cole')
  })
})
