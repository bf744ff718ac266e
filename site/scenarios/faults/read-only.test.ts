import { chmodSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ask, expectProblem, type Site } from '#site/scenarios/fixtures.ts'
import { type Disk, NO_MOUNT, smallDisk } from './disk-fixtures.ts'
import {
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

const NOT_WRITABLE = /can only be read|write-protected/

/** A second view of the same folder through which nothing can be written, put over it: what is open already stays so. */
const readOnly = [
  'mkdir -p "$PLACE/.view" && mount --bind "$PLACE" "$PLACE/.view" && mount -o remount,bind,ro "$PLACE/.view"',
  // It cannot note what it has done, and says so.
  'mount --move "$PLACE/.view" "$PLACE" 2> /dev/null || ! touch "$PLACE/written" 2> /dev/null',
].join(' && ')
const writable = 'umount --lazy "$PLACE"'

async function expectOnlyReading(site: Site): Promise<void> {
  await expectReading(site)
  const reply = await ask(site, 'POST /api/rsvp', { json: canary('Canary Read Only') })
  expectProblem(reply, 503)
  expect(reply.headers['retry-after']).toMatch(/^\d+$/)
  expect(JSON.parse(reply.body).detail).toMatch(NOT_WRITABLE)
  await expectUnwell(site, NOT_WRITABLE)
}

describe('a folder that becomes read-only under the server', () => {
  it('is still read, and written again as soon as that is possible', async ({ skip }) => {
    const disk = await smallDisk('mount -t tmpfs -o size=8m none "$PLACE"')
    if (disk === undefined) return skip(NO_MOUNT)
    const site = await siteOn(disk.file, { within: disk.within })
    const clients = fiveClients(site)
    await clients.until(201)
    for (const time of [1, 2]) {
      await disk.run(readOnly)
      await clients.until(503)
      await expectOnlyReading(site)
      await disk.run(writable)
      await clients.until(201, 10 * time)
      await eventually(() => expectWell(site))
    }
    await clients.stop()
    expectDiscreet(site, clients, [201, 503])
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
    await before.until(201, 20)
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

describe('a start in a read-only folder', () => {
  it('shows what is stored, and is well once it can be written', async ({ skip }) => {
    const disk = await smallDisk('mount -t tmpfs -o size=8m none "$PLACE"')
    if (disk === undefined) return skip(NO_MOUNT)
    const before = await siteOn(disk.file, { within: disk.within })
    expect((await ask(before, 'POST /api/rsvp', { json: canary('Ana Cole') })).status).toBe(201)
    await before.stop()
    await disk.run(readOnly)
    const site = await startedOn(disk)
    expect((await ask(site, 'GET /api/rsvps')).body).toContain('Ana Cole')
    const clients = fiveClients(site)
    await clients.until(503)
    await expectOnlyReading(site)
    await disk.run(writable)
    await clients.until(201)
    await eventually(() => expectWell(site))
    await clients.stop()
    expectDiscreet(site, clients, [201, 503])
    await site.stop()
    expectKept(clients, storedIn(join(disk.seen, 'rsvp.db')))
  })
})

function startedOn({ file, within }: NonNullable<Disk>) {
  return siteOn(file, { within })
}
