import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ask, expectProblem, type Site } from '#site/scenarios/fixtures.ts'
import { NO_MOUNT, smallDisk } from './disk-fixtures.ts'
import {
  type Clients,
  canary,
  eventually,
  expectDiscreet,
  expectKept,
  expectReading,
  expectUnwell,
  expectWell,
  fiveClients,
  siteOn,
  storedIn,
} from './fixtures.ts'

const FULL = /disk is full/i

/** What there is no room for is not written, and `head` says so. */
const fill = (name: string, size: string) => `head -c ${size} /dev/zero > "$PLACE/${name}" 2> /dev/null || true`

async function expectNoRoom(site: Site): Promise<void> {
  const reply = await ask(site, 'POST /api/rsvp', { json: canary('Canary No Room') })
  expectProblem(reply, 507)
  expect(JSON.parse(reply.body).detail).toMatch(FULL)
  const typed = new URLSearchParams({
    name: 'Canary Form',
    email: 'canary@b.example',
    attending: 'true',
    page: '/share',
  })
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const form = await ask(site, 'POST /api/rsvp', { body: String(typed), headers })
  expect(form.status).toBe(507)
  expect(form.body).toContain('Everything you typed is still here.')
  expect(form.body).not.toMatch(FULL)
  expect(form.body).toContain('canary@b.example')
  await expectReading(site)
  await expectUnwell(site, FULL)
}

describe('a disk that is full', () => {
  it('stores nothing, shows everything, and stores RSVPs again once there is room', async ({ skip }) => {
    const disk = await smallDisk('mount -t tmpfs -o size=2m none "$PLACE"')
    if (disk === undefined) return skip(NO_MOUNT)
    const site = await siteOn(disk.file, { within: disk.within })
    const seen: Clients['seen'] = []
    for (const size of ['10M', '1900K']) {
      const clients = fiveClients(site)
      await clients.until(201)
      await disk.run(fill('filler', size))
      await clients.until(507)
      await clients.stop()
      // What five clients at once had no room for may fit from one alone: now there is no room at all.
      await disk.run(fill('rest', '10M'))
      await expectNoRoom(site)
      await disk.run('rm "$PLACE/filler" "$PLACE/rest"')
      const again = fiveClients(site)
      await again.until(201, 10)
      await again.stop()
      await eventually(() => expectWell(site))
      seen.push(...clients.seen, ...again.seen)
    }
    expectDiscreet(site, { seen }, [201, 507])
    await site.stop()
    expectKept({ seen }, storedIn(join(disk.seen, 'rsvp.db')))
  })

  it('is filled by the RSVPs themselves to the last whole one', async ({ skip }) => {
    const disk = await smallDisk(
      'mount -t tmpfs -o size=1400k none "$PLACE" && head -c 1000k /dev/zero > "$PLACE/filler"',
    )
    if (disk === undefined) return skip(NO_MOUNT)
    const site = await siteOn(disk.file, { within: disk.within })
    const clients = fiveClients(site)
    await clients.until(507, 30)
    await expectReading(site)
    await disk.run('rm "$PLACE/filler"')
    await clients.until(201, 10)
    await eventually(() => expectWell(site))
    await clients.stop()
    expectDiscreet(site, clients, [201, 507])
    await site.stop()
    expectKept(clients, storedIn(join(disk.seen, 'rsvp.db')))
  })

  it('lets the site start and show what is stored', async ({ skip }) => {
    const disk = await smallDisk('mount -t tmpfs -o size=2m none "$PLACE"')
    if (disk === undefined) return skip(NO_MOUNT)
    const before = await siteOn(disk.file, { within: disk.within })
    expect((await ask(before, 'POST /api/rsvp', { json: canary('Ana Cole') })).status).toBe(201)
    await before.stop()
    await disk.run(fill('filler', '10M'))
    const site = await siteOn(disk.file, { within: disk.within })
    expect((await ask(site, 'GET /api/rsvps')).body).toContain('Ana Cole')
    const clients = fiveClients(site)
    await clients.until(507)
    await expectNoRoom(site)
    await disk.run('rm "$PLACE/filler"')
    await clients.until(201)
    await eventually(() => expectWell(site))
    await clients.stop()
    expectDiscreet(site, clients, [201, 507])
    await site.stop()
    expectKept(clients, storedIn(join(disk.seen, 'rsvp.db')))
  })
})
