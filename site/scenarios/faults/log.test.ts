import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { spawnServer } from '#site/scenarios/fixtures.ts'
import { freePort } from '../../../scripts/testing/free-port.mjs'
import { type Disk, NO_MOUNT, smallDisk } from './disk-fixtures.ts'
import { afterTest, eventually, testPlace } from './fixtures.ts'

const FILL = 'head -c 10M /dev/zero > "$PLACE/filler" 2> /dev/null || true'

/** A site that writes all that it says into a file of this disk; its database is on another one. */
async function siteWithLogOn(disk: NonNullable<Disk>) {
  const file = join(disk.seen, 'log')
  const log = openSync(file, 'a')
  const PORT = String(await freePort())
  const DATABASE_URL = `file:${join(testPlace(), 'rsvp.db')}`
  const { child, ended } = spawnServer({ PORT, DATABASE_URL, LOG_LEVEL: 'info' }, ['ignore', log, log])
  closeSync(log)
  afterTest(() => child.kill('SIGKILL'))
  const status = async () => {
    const reply = await fetch(`http://127.0.0.1:${PORT}/share`, { signal: AbortSignal.timeout(60_000) })
    await reply.arrayBuffer()
    return reply.status
  }
  await eventually(async () => expect(await status()).toBe(200))
  async function stop() {
    child.kill('SIGTERM')
    return (await ended).code
  }
  return { status, stop, logged: () => readFileSync(file, 'utf8') }
}

describe('a log on a disk that is full', () => {
  it('keeps the site neither from replying nor from ending, and goes on once there is room', async ({ skip }) => {
    const disk = await smallDisk()
    if (disk === undefined) return skip(NO_MOUNT)
    const site = await siteWithLogOn(disk)
    expect(site.logged()).toContain('is ready')
    await disk.run(FILL)
    for (let count = 0; count < 100; count++) expect(await site.status()).toBe(200)
    const before = site.logged().length
    await disk.run('rm "$PLACE/filler"')
    await eventually(async () => {
      expect(await site.status()).toBe(200)
      expect(site.logged().length).toBeGreaterThan(before)
    })
    await disk.run(FILL)
    expect(await site.stop()).toBe(0)
  })

  it('does not keep the site from starting', async ({ skip }) => {
    const disk = await smallDisk()
    if (disk === undefined) return skip(NO_MOUNT)
    await disk.run(FILL)
    const site = await siteWithLogOn(disk)
    expect(site.logged()).toBe('')
    expect(await site.stop()).toBe(0)
  })
})
