import { chmodSync, closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ask, expectProblem, type Site, spawnServer } from '#site/scenarios/fixtures.ts'
import { freePort } from '../../../scripts/testing/free-port.mjs'
import { NO_MOUNT, smallDisk } from './disk-fixtures.ts'
import {
  afterTest,
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
  testPlace,
} from './fixtures.ts'

const FULL = /disk is full/i
const NOT_WRITABLE = /can only be read|write-protected/

/** What there is no room for is not written, and `head` says so. */
const fill = (name: string) => `head -c 10M /dev/zero > "$PLACE/${name}" 2> /dev/null || true`

/** A second view of the same folder through which nothing can be written, put over it: what is open already stays so. */
const readOnly = [
  'mkdir -p "$PLACE/.view" && mount --bind "$PLACE" "$PLACE/.view" && mount -o remount,bind,ro "$PLACE/.view"',
  // It cannot note what it has done, and says so.
  'mount --move "$PLACE/.view" "$PLACE" 2> /dev/null || ! touch "$PLACE/written" 2> /dev/null',
].join(' && ')

async function expectNoRoom(site: Site): Promise<void> {
  const reply = await ask(site, 'POST /api/rsvp', { json: canary('Canary No Room') })
  expectProblem(reply, 507)
  expect(JSON.parse(reply.body).detail).toMatch(FULL)
  const form = { name: 'Canary Form', email: 'canary@b.example', attending: 'true', page: '/share' }
  const { status, body } = await ask(site, 'POST /api/rsvp', { form })
  expect(status).toBe(507)
  expect(body).toContain('Everything you typed is still here.')
  expect(body).not.toMatch(FULL)
  expect(body).toContain('canary@b.example')
  await expectReading(site)
  await expectUnwell(site, FULL)
}

async function expectOnlyReading(site: Site): Promise<void> {
  await expectReading(site)
  const reply = await ask(site, 'POST /api/rsvp', { json: canary('Canary Read Only') })
  expectProblem(reply, 503)
  expect(reply.headers['retry-after']).toMatch(/^\d+$/)
  expect(JSON.parse(reply.body).detail).toMatch(NOT_WRITABLE)
  await expectUnwell(site, NOT_WRITABLE)
}

describe('a disk that is full', () => {
  it('stores nothing and shows everything, also after a new start, and stores RSVPs again once there is room', async ({
    skip,
  }) => {
    const disk = await smallDisk('mount -t tmpfs -o size=2m none "$PLACE"')
    if (disk === undefined) return skip(NO_MOUNT)
    const start = () => siteOn(disk.file, { within: disk.within })
    const first = await start()
    const before = fiveClients(first)
    await before.until(201)
    await disk.run(fill('filler'))
    await before.until(507)
    await before.stop()
    // What five clients at once had no room for may fit from one alone: now there is no room at all.
    await disk.run(fill('rest'))
    await expectNoRoom(first)
    await first.stop()
    const site = await start()
    await expectNoRoom(site)
    await disk.run('rm "$PLACE/filler" "$PLACE/rest"')
    const after = fiveClients(site)
    await after.until(201, 10)
    await after.stop()
    await eventually(() => expectWell(site))
    const seen: Clients['seen'] = [...before.seen, ...after.seen]
    expectDiscreet(first, { seen }, [201, 507])
    expectDiscreet(site, { seen }, [201, 507])
    await site.stop()
    expectKept({ seen }, storedIn(join(disk.seen, 'rsvp.db')))
  })

  it('is filled by the RSVPs themselves to the last whole one', async ({ skip }) => {
    const filled = 'mount -t tmpfs -o size=1400k none "$PLACE" && head -c 1100k /dev/zero > "$PLACE/filler"'
    const disk = await smallDisk(filled)
    if (disk === undefined) return skip(NO_MOUNT)
    const site = await siteOn(disk.file, { within: disk.within })
    const clients = fiveClients(site)
    await clients.until(507, 15)
    await expectReading(site)
    await disk.run('rm "$PLACE/filler"')
    await clients.until(201, 10)
    await eventually(() => expectWell(site))
    await clients.stop()
    expectDiscreet(site, clients, [201, 507])
    await site.stop()
    expectKept(clients, storedIn(join(disk.seen, 'rsvp.db')))
  })
})

describe('a folder that becomes read-only under the server', () => {
  it('is still read, also after a new start, and written again as soon as that is possible', async ({ skip }) => {
    const disk = await smallDisk('mount -t tmpfs -o size=8m none "$PLACE"')
    if (disk === undefined) return skip(NO_MOUNT)
    const start = () => siteOn(disk.file, { within: disk.within })
    const first = await start()
    const clients = fiveClients(first)
    await clients.until(201)
    await disk.run(readOnly)
    await clients.until(503)
    await expectOnlyReading(first)
    await disk.run('umount --lazy "$PLACE"')
    await clients.until(201, 10)
    await eventually(() => expectWell(first))
    await clients.stop()
    expectDiscreet(first, clients, [201, 503])
    await first.stop()
    await disk.run(readOnly)
    const site = await start()
    await expectOnlyReading(site)
    await disk.run('umount --lazy "$PLACE"')
    await eventually(async () =>
      expect((await ask(site, 'POST /api/rsvp', { json: canary('Ana Cole') })).status).toBe(201),
    )
    await eventually(() => expectWell(site))
    await site.stop()
    expectKept(clients, storedIn(join(disk.seen, 'rsvp.db')))
  })

  it('is still read when the file system gives up writing by itself', async ({ skip }) => {
    skip(process.getuid?.() !== 0, 'Only root can make a file system of its own fail.')
    const image = join(testPlace(), 'image')
    const disk = await smallDisk(
      `truncate -s 16M ${image} && mkfs.ext4 -q ${image} && mount -o loop,errors=remount-ro ${image} "$PLACE"`,
    )
    if (disk === undefined) return skip(NO_MOUNT)
    const site = await siteOn(disk.file, { within: disk.within })
    const before = fiveClients(site)
    await before.until(201)
    // A write that is cut in two can only be undone by writing, and could not be read past until then.
    await before.stop()
    await disk.run('echo 1 > "/sys/fs/ext4/$(basename "$(findmnt -n -o SOURCE "$PLACE")")/trigger_fs_error"')
    const clients = fiveClients(site)
    await clients.until(503)
    await expectOnlyReading(site)
    await clients.stop()
    expectDiscreet(site, clients, [503])
    await site.stop()
    expectKept(before, storedIn(join(disk.seen, 'rsvp.db')))
  })

  it('is still read when the rights to write are taken away', async ({ skip }) => {
    skip(process.getuid?.() === 0, 'Root may write whatever the rights say.')
    const folder = testPlace()
    const file = join(folder, 'rsvp.db')
    const site = await siteOn(file)
    const clients = fiveClients(site)
    await clients.until(201)
    const files = [file, `${file}-journal`].filter(existsSync)
    for (const each of files) chmodSync(each, 0o400)
    chmodSync(folder, 0o500)
    await clients.until(503)
    await expectOnlyReading(site)
    chmodSync(folder, 0o700)
    for (const each of files) chmodSync(each, 0o600)
    await clients.until(201)
    await eventually(() => expectWell(site))
    await clients.stop()
    expectDiscreet(site, clients, [201, 503])
    await site.stop()
    expectKept(clients, storedIn(file))
  })
})

describe('a log on a disk that is full', () => {
  it('keeps the site neither from starting nor from replying nor from ending, and goes on once there is room', async ({
    skip,
  }) => {
    const disk = await smallDisk()
    if (disk === undefined) return skip(NO_MOUNT)
    await disk.run(fill('filler'))
    const file = join(disk.seen, 'log')
    const log = openSync(file, 'a')
    const PORT = String(await freePort())
    const DATABASE_URL = `file:${join(testPlace(), 'rsvp.db')}`
    const { child, ended } = spawnServer({ PORT, DATABASE_URL, LOG_LEVEL: 'info' }, ['ignore', log, log])
    closeSync(log)
    afterTest(() => child.kill('SIGKILL'))
    const expectServed = async () => {
      const reply = await fetch(`http://127.0.0.1:${PORT}/share`, { signal: AbortSignal.timeout(60_000) })
      expect([reply.status, (await reply.text()).endsWith('</html>')]).toEqual([200, true])
    }
    await eventually(expectServed)
    for (let count = 0; count < 50; count++) await expectServed()
    expect(readFileSync(file, 'utf8')).toBe('')
    await disk.run('rm "$PLACE/filler"')
    await eventually(async () => {
      await expectServed()
      expect(readFileSync(file, 'utf8')).toContain('"route":"/share"')
    })
    await disk.run(fill('filler'))
    child.kill('SIGTERM')
    expect(await ended).toEqual({ code: 0 })
  })
})
