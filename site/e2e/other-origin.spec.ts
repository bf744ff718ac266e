import { defaultEvent } from '#db/values/default-event.ts'
import { toPayload } from '#db/values/event-payload.ts'
import { expect, startOther, test } from './fixtures.ts'
import { callAs, guarded, readTables, signIn } from './guarded.ts'
import { storeRsvps, testRsvps } from './stored.ts'

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

// Another port shares cookies.
test('a page of another site changes, reads and frames nothing', async ({ page, site }) => {
  await storeRsvps(site, testRsvps(2))
  await signIn(page)
  await callAs(page, 'DELETE', '/api/rsvps/2')
  // Otherwise the administrator's browser would post the default event from any page it opens.
  await callAs(page, 'POST', '/api/event', toPayload(defaultEvent))
  const before = readTables(site)
  expect(before.rsvps).toHaveLength(2)
  const other = await startOther('<iframe name="reply"></iframe>')
  await page.goto(other.address.replace('localhost', '127.0.0.1'))
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
