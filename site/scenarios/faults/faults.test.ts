import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ask, expectProblem, type Site, spawnServer } from '#site/scenarios/fixtures.ts'
import { freePort } from '#testing/free-port.mjs'
import {
  afterTest,
  canary,
  eventually,
  expectDiscreet,
  expectKept,
  expectReading,
  expectUnwell,
  expectWell,
  fiveClients,
  holdLock,
  siteOn,
  storedIn,
  testPlace,
} from './fixtures.ts'

/** Where mount, unshare and mkfs are. */
const PROGRAMS = '/usr/sbin:/usr/bin:/sbin:/bin'
const NO_MOUNT = 'This account may mount nothing here.'

/** Where the site has its database, and as this process sees the same file; `run` is on a disk of its own. */
type Place = { file: string; seen: string; within?: string[]; run: (line: string) => Promise<void> }
type Fault = {
  /** How the disk is made, where the site needs one of its own. */
  mount?: string
  status: 503 | 507
  says: RegExp
  /** Whether everything can still be read meanwhile. If not, nothing is acknowledged either. */
  reads: boolean
  /** Whether the site can start while it lasts. */
  starts?: boolean
  /** Returns how it is undone. */
  strike: (place: Place) => unknown
}

const NOT_WRITABLE = /can only be read|write-protected/

/** What there is no room for is not written, and `head` says so. */
const fill = (name: string) => `head -c 10M /dev/zero >> "$PLACE/${name}" 2> /dev/null || true`

/** A second view of the same folder through which nothing can be written, put over it: what is open already stays so. */
const readOnly = [
  'mkdir -p "$PLACE/.view" && mount --bind "$PLACE" "$PLACE/.view" && mount -o remount,bind,ro "$PLACE/.view"',
  // It cannot note what it has done, and says so.
  'mount --move "$PLACE/.view" "$PLACE" 2> /dev/null || ! touch "$PLACE/written" 2> /dev/null',
].join(' && ')

const faults: Record<string, Fault> = {
  'a disk that others fill': {
    mount: 'mount -t tmpfs -o size=2m none "$PLACE"',
    ...{ status: 507, says: /disk is full/i, reads: true, starts: true },
    strike: async ({ run }) => {
      await run(fill('filler'))
      return () => run('rm -f "$PLACE/filler" "$PLACE/rest"')
    },
  },
  'a folder that becomes read-only': {
    mount: 'mount -t tmpfs -o size=8m none "$PLACE"',
    ...{ status: 503, says: NOT_WRITABLE, reads: true, starts: true },
    strike: async ({ run }) => {
      await run(readOnly)
      return () => run('umount --lazy "$PLACE"')
    },
  },
  'a lock against writers': {
    ...{ status: 503, says: /\.$/, reads: true },
    strike: ({ file }) => holdLock(file, { kind: 'IMMEDIATE' }),
  },
  'a database that is taken away': {
    ...{ status: 503, says: /\.$/, reads: false },
    strike: ({ file }) => {
      renameSync(file, `${file}.away`)
      return () => renameSync(`${file}.away`, file)
    },
  },
}

async function placeFor(mount: string | undefined): Promise<Place | undefined> {
  const file = join(testPlace(), 'rsvp.db')
  if (mount === undefined) return { file, seen: file, run: async () => {} }
  const disk = await smallDisk(mount)
  return disk && { ...disk, seen: join(disk.seen, 'rsvp.db') }
}

/** What the site says while it lasts, to who sends and to who watches it; the form comes back with what was typed. */
async function expectFault(site: Site, { status, says, reads }: Fault): Promise<void> {
  if (reads) await eventually(() => expectReading(site))
  else
    await eventually(async () => {
      for (const call of ['GET /share', 'GET /api/rsvps', 'GET /admin'])
        expect([call, (await ask(site, call)).status]).toEqual([call, 503])
    })
  await expectUnwell(site, says)
  const reply = await ask(site, 'POST /api/rsvp', { json: canary('Canary Refused') })
  expectProblem(reply, status)
  const form = { name: 'Canary Form', email: 'canary@b.example', attending: 'true', page: '/share' }
  const page = await ask(site, 'POST /api/rsvp', { form })
  expect(page.status).toBe(status)
  expect(page.body).toContain('Everything you typed is still here.')
  expect(page.body).toContain('canary@b.example')
}

describe('a fault under the server', () => {
  it.for(Object.entries(faults))('loses nothing that was acknowledged: %s', async ([, fault], { skip }) => {
    const place = await placeFor(fault.mount)
    if (place === undefined) return skip(NO_MOUNT)
    const { file, seen, within = [] } = place
    // Where there is no room, nothing waits: a refusal because of the time would not be one because of the disk.
    const overrides = { REQUEST_DEADLINE_MS: fault.status === 507 ? 5000 : 500 }
    const first = await siteOn(file, { overrides, within })
    const clients = fiveClients(first)
    await clients.until(201)
    const undo = (await fault.strike(place)) as () => unknown
    const struck = performance.now()
    const left = existsSync(seen) ? readFileSync(seen) : undefined
    await clients.until(fault.status)
    // What five clients at once had no room for may fit from one alone, or where a journal was: then no room is left at all.
    if (fault.status === 507)
      await eventually(async () => {
        await place.run(fill('rest'))
        expect((await ask(first, 'GET /api/health')).status).toBe(503)
      })
    await expectFault(first, fault)
    if (!fault.reads) {
      // No file is made in the place of one that is missing, none is written, and nothing was acknowledged.
      expect(existsSync(seen) ? readFileSync(seen) : undefined).toEqual(left)
      const meanwhile = clients.seen.filter(({ sentAt }) => sentAt > struck)
      expect(new Set(meanwhile.map(({ status }) => status))).toEqual(new Set([503]))
    }
    await undo()
    if (fault.status === 507) await place.run('rm "$PLACE/rest" 2> /dev/null || true')
    await clients.until(201, 10)
    await eventually(() => expectWell(first))
    await clients.stop()
    expectDiscreet(first, clients, [201, fault.status])
    if (fault.starts) {
      const again = (await fault.strike(place)) as () => unknown
      await first.stop()
      const second = await siteOn(file, { overrides, within })
      await expectFault(second, fault)
      await again()
      await eventually(async () => {
        expect((await ask(second, 'POST /api/rsvp', { json: canary('Ana Cole') })).status).toBe(201)
      })
      await eventually(() => expectWell(second))
      await second.stop()
    } else await first.stop()
    expectKept(clients, storedIn(seen), !fault.reads)
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

/**
 * A file system of its own that only the site sees, and that is gone with it. `file` is the database as the site names
 * it, `seen` the folder as this process reaches it. Undefined where this account may mount nothing.
 */
async function smallDisk(mount = 'mount -t tmpfs -o size=1m none "$PLACE"') {
  const folder = testPlace()
  const user = process.getuid?.() === 0 ? [] : ['--map-root-user']
  // It ends with this process, at the latest when that no longer writes to it.
  const keeper = spawn('unshare', ['--mount', ...user, 'bash', '--norc', '-c', `${mount} && echo mounted && cat`], {
    env: { PATH: PROGRAMS, PLACE: folder },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  keeper.on('error', () => {})
  const ended = once(keeper, 'close').catch(() => {})
  afterTest(async () => {
    keeper.stdin.destroy()
    await ended
  })
  if ((await Promise.race([once(keeper.stdout, 'data'), ended])) === undefined || keeper.exitCode !== null)
    return undefined
  const target = [`--target=${keeper.pid}`, '--mount', ...(user.length > 0 ? ['--user', '--preserve-credentials'] : [])]
  const within = ['nsenter', ...target]

  /** Runs a line of bash where the site runs; `$PLACE` is the folder. */
  async function run(line: string): Promise<void> {
    const env = { PATH: PROGRAMS, PLACE: folder }
    const shell = spawn('nsenter', [...target, 'bash', '--norc', '-e', '-c', line], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const said = Promise.all([shell.stdout.toArray(), shell.stderr.toArray()])
    const [code] = await once(shell, 'close')
    expect([code, (await said).join('')]).toEqual([0, ''])
  }
  return { folder, file: join(folder, 'rsvp.db'), seen: `/proc/${keeper.pid}/root${folder}`, within, run }
}
