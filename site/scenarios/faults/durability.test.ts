import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { fileDatabase, testCall, testRsvp } from '#db/fixtures.ts'
import { openDatabase } from '#db/open.ts'
import { listRsvps } from '#db/rsvp/list.ts'
import { closeDatabase } from '#db/storage/client.ts'
import { startBuiltServer } from '../../../scripts/testing/built-server.mjs'
import { withOverrides } from '../../../scripts/testing/overrides.mjs'

const lockScript = join(import.meta.dirname, '../../../scripts/testing/lock-database.mjs')
const stops: (() => unknown)[] = []

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

async function startSite(variables: Record<string, string> = {}) {
  const site = await startBuiltServer(variables)
  stops.push(site.stop)
  return { ...site, file: join(site.folder, 'rsvp.db') }
}

async function holdLock(file: string, holdMs: number, pauseMs: number): Promise<ChildProcess> {
  const holder = spawn(process.execPath, [lockScript, file, String(holdMs), String(pauseMs)])
  stops.push(() => holder.kill('SIGKILL'))
  await once(holder.stdout, 'data')
  return holder
}

function post(url: string, name: string): Promise<Response> {
  const body = testRsvp({ name, familyMembers: [{ name: `${name} Junior` }], volunteerRoles: [1, 2] })
  return fetch(`${url}/api/rsvp`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
}

/** Everything stored in a file that no process has open. Read from a copy: only what is on the disk counts. */
async function storedIn(file: string) {
  const copy = fileDatabase()
  stops.push(copy.stop)
  for (const end of ['', '-journal'])
    if (existsSync(file + end)) copyFileSync(file + end, `${copy.folder}/rsvp.db${end}`)
  await openDatabase(copy.url)
  const { json } = await listRsvps({ limit: 1000 }, testCall())
  await closeDatabase()
  return JSON.parse(String(json))
}

describe('an acknowledged RSVP', () => {
  it('is in the file after kill -9, whole, while another process fights for the lock', async () => {
    const site = await startSite()
    await holdLock(site.file, 30, 20)
    const acknowledged: string[] = []
    const names = Array.from({ length: 200 }, (_, number) => `Visitor ${number}`)
    async function visitor() {
      for (let name = names.shift(); name !== undefined; name = names.shift()) {
        // On a busy machine a client may have to retry, as the reply says: what was refused is not stored.
        for (let status = 0; status !== 201; ) {
          status = (await post(site.url, name)).status
          expect([201, 503]).toContain(status)
        }
        acknowledged.push(name)
      }
    }
    await Promise.all(Array.from({ length: 8 }, visitor))
    await site.kill()

    expect(acknowledged).toHaveLength(200)
    const stored: { name: string; familyMembers: { name: string }[]; volunteerSignups: unknown[] }[] = await storedIn(
      site.file,
    )
    expect(stored.map(({ name }) => name).sort()).toEqual(acknowledged.sort())
    for (const { name, familyMembers, volunteerSignups } of stored) {
      expect(familyMembers.map((member) => member.name)).toEqual([`${name} Junior`])
      expect(volunteerSignups).toHaveLength(2)
    }
  })

  it('comes late while the lock is held for a second, and the site goes on replying', async () => {
    const site = await startSite()
    for (let status = 0; status !== 201; ) {
      const holder = await holdLock(site.file, 60_000, 60_000)
      const locked = performance.now()
      let released = false
      const reply = post(site.url, 'Waiting Person').then(({ status }) => ({ status, released }))
      // In this order: the page does not wait for the lock.
      expect((await fetch(`${site.url}/favicon.svg`)).status).toBe(200)
      await wait(1000)
      const lockedMs = performance.now() - locked
      released = true
      holder.kill('SIGKILL')
      const late = await reply
      status = late.status
      // On a busy machine that may have been longer than the timeout of a request.
      if (status !== 503 || lockedMs < 4000) expect(late).toEqual({ status: 201, released: true })
    }
  })

  it('is refused with Retry-After while the lock is held for long, and nothing is stored', async () => {
    const site = await startSite(withOverrides({ REQUEST_DEADLINE_MS: 1500 }))
    const holder = await holdLock(site.file, 60_000, 60_000)
    const reply = await post(site.url, 'Unlucky Person')
    expect(reply.status).toBe(503)
    expect(reply.headers.get('retry-after')).toBe('5')
    const pages = await Promise.all(['/', '/share', '/admin'].map((path) => fetch(site.url + path)))
    for (const { status, headers } of pages) expect([status, headers.get('retry-after')]).toEqual([503, '5'])
    expect(await reply.json()).toMatchObject({ title: 'Service Unavailable', status: 503 })
    holder.kill('SIGKILL')
    await once(holder, 'close')
    expect((await post(site.url, 'Next Person')).status).toBe(201)
    const rows: { name: string }[] = await (await fetch(`${site.url}/api/rsvps`)).json()
    expect(rows.map(({ name }) => name)).toEqual(['Next Person'])
  })
})
