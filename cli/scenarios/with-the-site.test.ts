import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pLimit from 'p-limit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testRsvp } from '#db/fixtures.ts'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { startBuiltServer } from '../../scripts/testing/built-server.mjs'
import { inDatabase, rsvp, rsvpProcess, testFolder } from '../fixtures.ts'

const COUNT = 100
const AT_ONCE = 16

const { folder } = testFolder()
let site: Awaited<ReturnType<typeof startBuiltServer>>
let url: string

beforeAll(async () => {
  site = await startBuiltServer()
  url = `file:${join(site.folder, 'rsvp.db')}`
  inDatabase(url, (database) =>
    database.exec(`
      INSERT INTO rsvps (key, name, email, attending, add_to_calendar, created_at, service_date)
      WITH RECURSIVE visitor(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM visitor WHERE id < ${COUNT})
      SELECT 'key ' || id, 'Old ' || id, id || '@visitor.example', 1, 0,
        strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), '2025-01-11' FROM visitor;
      INSERT INTO family_members (rsvp_id, position, name, attending)
        SELECT id, 0, 'Old ' || id || ' Junior', 1 FROM rsvps;
      INSERT INTO volunteer_signups SELECT id, 1 + id % 6 FROM rsvps;`),
  )
})
afterAll(() => site.stop())

/** Names in the RSVPs that the site has acknowledged. */
const acknowledged: string[] = []

/** Returns the statuses of `COUNT` posts, `AT_ONCE` of them under way at any time. */
async function postAll(): Promise<number[]> {
  const inTurn = pLimit(AT_ONCE)
  const names = Array.from({ length: COUNT }, (_, number) => `New ${number}`)
  return inTurn.map(names, async (name) => {
    const body = testRsvp({ name, familyMembers: [{ name: `${name} Junior` }], volunteerRoles: [1, 2] })
    const headers = { 'content-type': 'application/json' }
    const reply = await fetch(`${site.url}/api/rsvp`, { method: 'POST', headers, body: JSON.stringify(body) })
    await reply.arrayBuffer()
    if (reply.status === 201) acknowledged.push(name)
    return reply.status
  })
}

/** Deletes the old responses: many in one command, and the others in short commands meanwhile. */
async function deleteOld(): Promise<void> {
  const ids = Array.from({ length: COUNT }, (_, number) => String(number + 1))
  async function deleted(some: string[]) {
    const stderr = `Deleted ${some.length} responses.\n`
    expect(await rsvpProcess(url, ['delete', '--yes', ...some])).toEqual({ code: 0, signal: null, stdout: '', stderr })
  }
  const long = deleted(ids.slice(0, 60))
  await deleted(ids.slice(60, 80))
  await deleted(ids.slice(80))
  await long
}

/** Reads all responses repeatedly until the other tasks are done; returns how many times. */
async function readWhile(isRunning: () => boolean): Promise<number> {
  let times = 0
  for (; isRunning(); times++) {
    const file = join(folder, 'responses.json')
    const before = [...acknowledged]
    const exported = await rsvp(url, ['export', '--json', '--force', '--out', file])
    expect(exported).toEqual({ code: 0, signal: null, stdout: '', stderr: '' })
    const responses: StoredRsvp[] = JSON.parse(readFileSync(file, 'utf8'))
    expectWhole(responses)
    const names = new Set(responses.map(({ name }) => name))
    expect(before.filter((name) => !names.has(name))).toEqual([])

    await delay(100)
  }
  return times
}

/** Expects each response once, with its own family members and roles. */
function expectWhole(responses: StoredRsvp[]): void {
  expect(new Set(responses.map(({ id }) => id)).size).toBe(responses.length)
  const broken = responses.filter(({ name, familyMembers, volunteerSignups }) => {
    return familyMembers[0]?.name !== `${name} Junior` || volunteerSignups.length !== (name.startsWith('New') ? 2 : 1)
  })
  expect(broken).toEqual([])
}

describe('the command line and the site on one file', () => {
  it('lose no RSVP and refuse none under concurrent load', async () => {
    let working = true
    const work = Promise.all([postAll(), deleteOld()]).finally(() => {
      working = false
    })
    const [[statuses], times] = await Promise.all([work, readWhile(() => working)])
    expect(statuses).toEqual(Array(COUNT).fill(201))
    expect(times).toBeGreaterThan(0)
    expect(site.output()).toMatch(/^The RSVP site is ready at \S+\nTo guard it, open \S+ on this computer\.\n$/)

    const left: StoredRsvp[] = JSON.parse((await rsvp(url, ['list', '--json'])).stdout)
    expect(left.map(({ name }) => name).sort()).toEqual(Array.from({ length: COUNT }, (_, n) => `New ${n}`).sort())
    expectWhole(left)
    expect(await (await fetch(`${site.url}/api/rsvps`)).json()).toEqual(left)
    const deleted: StoredRsvp[] = JSON.parse((await rsvp(url, ['list', '--deleted', '--json'])).stdout)
    expect(deleted.map(({ id }) => id).sort((a, b) => a - b)).toEqual(Array.from({ length: COUNT }, (_, n) => n + 1))
    expectWhole(deleted)
  })
})
