import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Frame, Page } from '@playwright/test'
import { defaultEvent } from '#db/event/default-event.ts'
import { toPayload } from '#db/event/payload.ts'
import { fetchAll, postForms, showInFrame, type TargetCall } from './attack.ts'
import { test as base, expect, storeRsvps, testRsvps } from './fixtures.ts'
import { callAs, guarded, PASSWORD, readTables, signIn } from './guarded.ts'

const calls: TargetCall[] = [
  { method: 'POST', path: '/api/rsvp', body: { name: 'Mallory', email: 'mallory@evil.example', attending: true } },
  { method: 'POST', path: '/api/event', body: toPayload({ ...defaultEvent, pageTitle: 'Owned' }) },
  { method: 'PATCH', path: '/api/features', body: { familyRsvp: false } },
  { method: 'DELETE', path: '/api/rsvps/1' },
  { method: 'POST', path: '/api/rsvps/2/restore' },
  { method: 'POST', path: '/api/session', body: { password: PASSWORD } },
  { method: 'DELETE', path: '/api/session' },
  { method: 'PATCH', path: '/api/settings', body: { publicNames: 'full' } },
  { method: 'POST', path: '/api/volunteer-roles', body: { name: 'Mallory' } },
  { method: 'PATCH', path: '/api/volunteer-roles/1', body: { retired: true } },
]
const reads = ['/api/rsvps', '/api/rsvps/download', '/api/settings', '/api/event', '/admin', '/'].map((path) => ({
  method: 'GET',
  path,
}))

/** The attacker's server. On `/sandbox` the attack runs in a frame with an opaque origin. */
const test = base.extend<{ otherPort: number }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a function asks for from its pattern.
  otherPort: async ({}, use) => {
    const frame = `<iframe sandbox="allow-scripts allow-forms" srcdoc="<!doctype html><body>"></iframe>`
    const server = createServer(({ url }, response) => {
      response.setHeader('content-type', 'text/html')
      response.end(`<!doctype html><title>Prizes</title><body>${url === '/sandbox' ? frame : ''}`)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    await use((server.address() as AddressInfo).port)
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  },
})

/** Another port shares cookies; a frame of `/sandbox` has an opaque origin. */
const places: [path: string, from: (page: Page) => Page | Frame][] = [
  ['', (page) => page],
  ['sandbox', (page) => page.frames()[1] ?? page],
]

test.describe('a page of another site', () => {
  // Chromium logs an error for each refused call.
  test.use({ variables: guarded, expectedErrors: /./ })

  test('changes, reads and frames nothing', async ({ page, site, otherPort }) => {
    await storeRsvps(site, testRsvps(2))
    await signIn(page)
    await callAs(page, 'DELETE', '/api/rsvps/2')
    // Otherwise the administrator's browser would post the default event from any page it opens.
    await callAs(page, 'POST', '/api/event', toPayload(defaultEvent))
    const before = readTables(site)
    expect(before.rsvps).toHaveLength(2)
    const target = site.url
    for (const [path, from] of places)
      await test.step(path, async () => {
        await page.goto(`http://127.0.0.1:${otherPort}/${path}`)
        const attacker = from(page)
        const refusedBefore = site.output().match(/"status":403/g)?.length ?? 0
        const refused = () => (site.output().match(/"status":403/g)?.length ?? 0) - refusedBefore
        await attacker.evaluate(postForms, { target, calls })
        // Each form except the sign-out has reached the server and was refused there.
        await expect.poll(refused).toBeGreaterThanOrEqual(3 * (calls.length - 1))
        expect(await attacker.evaluate(fetchAll, { target, calls: [...reads, ...calls] })).toEqual([])
        await expect.poll(refused).toBeGreaterThanOrEqual(7 * calls.length)
        expect(readTables(site)).toEqual(before)
        for (const shown of ['/', '/admin', '/nope']) {
          await attacker.evaluate(showInFrame, site.url + shown)
          await expect.poll(() => page.frame('ours')?.url(), shown).toBe('chrome-error://chromewebdata/')
        }
      })
  })
})
