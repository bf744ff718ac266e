import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, open, readRsvps, test, testRsvp } from './fixtures.ts'

/** Sends an RSVP without the browser, and returns its private link. */
async function sendLinked(url: string, name: string): Promise<string> {
  const headers = { 'Content-Type': 'application/json' }
  const body = JSON.stringify(testRsvp({ name }))
  return (await (await fetch(`${url}/api/rsvp`, { method: 'POST', headers, body })).json()).link
}

test.describe('a private link', () => {
  test.use({ expectedErrors: /404|409|CSP: img-src|Content Security Policy/ })

  test('leaves its key neither in the history nor in what other pages and sites are told', async ({ page, site }) => {
    const told: string[] = []
    const other = createServer(({ url, headers }, response) => {
      told.push(JSON.stringify([url, headers]))
      response.setHeader('content-type', 'text/html')
      response.end('<!doctype html><link rel="icon" href="data:,"><title>Other</title>')
    })
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const address = `http://localhost:${(other.address() as AddressInfo).port}/`
    const link = await sendLinked(site.url, 'Ana Cole')
    const key = new URL(link).searchParams.get('key') ?? 'none'
    await open(page, '/share')
    const known = () =>
      page.evaluate(() =>
        JSON.stringify([location, document.referrer, performance.getEntries(), document.cookie, history.state]),
      )
    await page.evaluate((href) => location.assign(href), link)
    await expect(page).toHaveURL(/\/answer$/)
    expect(await known()).not.toContain(key)
    expect(await page.content()).not.toContain(key)
    await page.goBack()
    await expect(page).toHaveURL(/\/share$/)
    expect(await known()).not.toContain(key)
    await page.goForward()
    await expect(page).toHaveURL(/\/answer$/)
    expect(await known()).not.toContain(key)

    await page.evaluate((href) => {
      const leading = document.body.appendChild(document.createElement('a'))
      Object.assign(leading, { href, textContent: 'Leave', referrerPolicy: '' })
      document.body.appendChild(new Image()).src = `${href}pixel`
    }, address)
    await page.getByRole('link', { name: 'Leave' }).click()
    await expect(page).toHaveTitle('Other')
    expect(told).toHaveLength(1)
    expect(told[0]).not.toContain('referer')
    await new Promise((resolve) => other.close(resolve).closeAllConnections())
  })

  test('shows by Back only what is stored by now: withdrawn, and nothing once it is erased', async ({ page, site }) => {
    await open(page, await sendLinked(site.url, 'Ana Cole'))
    await page.getByRole('button', { name: 'Withdraw my RSVP' }).click()
    await expect(page.getByText('You have withdrawn this RSVP')).toBeVisible()
    await page.goBack()
    await expect(page.getByText('You have withdrawn this RSVP')).toBeVisible()
    await page.getByRole('button', { name: 'Take that back' }).click()
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Ana Cole')

    const erase = () => {
      const database = new DatabaseSync(join(site.folder, 'rsvp.db'), { timeout: 60_000 })
      database.exec('DELETE FROM rsvps')
      database.close()
    }
    await page.getByRole('link', { name: 'Privacy' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Privacy' })).toBeVisible()
    erase()
    await page.goBack()
    await expect(page.getByText('This link does not work')).toBeVisible()
    await expect(page.locator('body')).not.toContainText('Ana Cole')

    // A browser that keeps the page all the same, as Safari may, is told by it to load it anew.
    await open(page, await sendLinked(site.url, 'Bea Cole'))
    erase()
    await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
    await expect(page.getByText('This link does not work')).toBeVisible()
    await expect(page.locator('body')).not.toContainText('Bea Cole')
  })

  test('that another tab has opened since gets nothing that was typed for the first one', async ({
    page,
    context,
    site,
  }) => {
    await open(page, await sendLinked(site.url, 'Ana Cole'))
    const other = await context.newPage()
    await open(other, await sendLinked(site.url, 'Bea Cole'))
    await page.getByLabel('Message').fill('For Ana alone')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(page.getByText('Another private link was opened in this browser meanwhile')).toBeVisible()
    await expect(page.locator('body')).not.toContainText('Bea Cole')
    expect(await readRsvps(site)).toMatchObject([
      { name: 'Bea Cole', message: null },
      { name: 'Ana Cole', message: null },
    ])
    await page.goBack()
    await expect(page).toHaveURL(/\/answer$/)
    await other.getByRole('button', { name: 'Withdraw my RSVP' }).click()
    await expect(other.getByText('You have withdrawn this RSVP')).toBeVisible()
    expect(await readRsvps(site)).toMatchObject([{ name: 'Ana Cole' }])
  })
})
