import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { defaultEvent } from '#db/values/default-event.ts'
import { toPayload } from '#db/values/event-payload.ts'
import { expect, type Site, test } from './fixtures.ts'
import { callAs, guarded, signIn } from './guarded.ts'
import { openDatabase, storeRsvps, testRsvps } from './stored.ts'

// Chromium logs an error for each refused call.
test.use({ variables: guarded, expectedErrors: /./ })

// Which requests come from another site is decided by the guard, whose test has them all.

/** All that a page can send with the cookies of the browser, by script and by form. Returns what it could read. */
async function attack(target: string): Promise<string[]> {
  const leaks: string[] = []
  const posts = ['/api/event', '/api/volunteer-roles', '/api/rsvps/restore', '/api/session']
  async function send(path: string, init: RequestInit): Promise<void> {
    const reply = await fetch(target + path, { ...init, credentials: 'include' }).catch(() => undefined)
    const text = await reply?.text()
    if (text) leaks.push(`${path}: ${text}`)
  }
  for (const mode of ['cors', 'no-cors'] as const) {
    for (const path of ['/api/rsvps', '/api/settings', '/admin', '/']) await send(path, { mode })
    for (const path of posts) await send(path, { mode, method: 'POST', body: '{"name":"Mallory"}' })
    await send('/api/rsvps/1', { mode, method: 'DELETE' })
  }
  const frame = document.querySelector('iframe')
  for (const path of ['/api/rsvps/restore', '/api/session'])
    for (const enctype of ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain']) {
      const form = document.body.appendChild(document.createElement('form'))
      Object.assign(form, { method: 'post', action: target + path, enctype, target: frame?.name })
      form.innerHTML = '<input name="action" value="sign-out"><input name="name" value="Mallory">'
      const replied = new Promise((resolve) => frame?.addEventListener('load', resolve, { once: true }))
      form.submit()
      await replied
    }
  return leaks
}

test('a page of another site changes, reads and frames nothing', async ({ page, site }) => {
  await storeRsvps(site, testRsvps(2))
  await signIn(page)
  await callAs(page, 'DELETE', '/api/rsvps/2')
  // Otherwise the administrator's browser would post the default event from any page it opens.
  await callAs(page, 'POST', '/api/event', toPayload(defaultEvent))
  const before = readTables(site)
  expect(before.rsvps).toHaveLength(2)
  const other = await startOther('<iframe name="reply"></iframe>')
  await page.goto(other.address)
  expect(await page.evaluate(attack, site.url)).toEqual([])
  // The log may be a moment behind the replies.
  await expect.poll(() => site.output().match(/"status":403/g)?.length).toBeGreaterThanOrEqual(4 * 2 + 2 * 3)
  expect(readTables(site)).toEqual(before)
  for (const path of ['/', '/admin']) {
    await page
      .locator('iframe')
      .evaluate((frame: HTMLIFrameElement, src) => Object.assign(frame, { src }), site.url + path)
    await expect.poll(() => page.frame('reply')?.url(), path).toBe('chrome-error://chromewebdata/')
  }
  expect((await page.request.get('/api/settings')).status()).toBe(200)
  await other.stop()
})

/**
 * All rows by table, without what changes by itself: the times at which a session and a person were last here and the
 * site cleaned up, and limits, which fill up again.
 */
function readTables(site: Site): Record<string, unknown[]> {
  const database = openDatabase(site)
  const listed = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'allowances' ORDER BY name"
  const names = database.prepare(listed).all()
  const tables = names.map(({ name }) => {
    const rows = database.prepare(`SELECT * FROM "${name}"`).all()
    return [name, rows.map(({ used_at, seen_at, purged_at, ...row }) => row)]
  })
  database.close()
  return Object.fromEntries(tables)
}

/** A site that is not ours. It has the same host name and another port, so the browser sends it our cookies. */
async function startOther(body: string) {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(`<!doctype html><link rel="icon" href="data:,"><title>Other</title>${body}`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = () => new Promise((resolve) => server.close(resolve).closeAllConnections())
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, stop }
}
