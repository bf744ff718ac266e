import { copyFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { testRsvp } from '#db/fixtures.ts'
import { ask, type Reply, type Site } from '#site/scenarios/fixtures.ts'
import { guardedSite, signIn } from '#site/scenarios/guarded-fixtures.ts'
import { asVisitor } from '#site/scenarios/guarded-fixtures.ts'
import { keepAll, rsvpCommand } from './fixtures.ts'

const READERS = 16
const ROUNDS = 8
/** They start a process each time. */
const ROUNDS_OF_COMMANDS = 3
const WRITERS_OF_RSVPS = 8

describe('a kept page', () => {
  const site = guardedSite({ RSVP_POST_LIMIT: 'off' })
  let headers: Record<string, string>
  beforeAll(async () => {
    headers = { cookie: await signIn(site()) }
    await ask(site(), 'PATCH /api/settings', { json: { publicNames: 'full' }, headers })
  })

  it.each<[string, string, RegExp, (site: Site) => Promise<unknown>]>([
    ['an RSVP', '/share', /Zacharias/, (at) => ask(at, 'POST /api/rsvp', { json: testRsvp({ name: 'Zacharias' }) })],
    ['an RSVP', '/', /Bartholomew/, (at) => ask(at, 'POST /api/rsvp', { json: testRsvp({ name: 'Bartholomew' }) })],
    [
      'a feature',
      '/api/features',
      /"familyRsvp":false/,
      (at) => change(at, 'PATCH /api/features', { familyRsvp: false }),
    ],
    ['a setting', '/privacy', /123 days/, (at) => change(at, 'PATCH /api/settings', { retentionDays: 123 })],
    ['the church', '/share', /Grace Church/, (at) => change(at, 'PATCH /api/church', { name: 'Grace Church' })],
    ['the church of the terminal', '/', /Zion Church/, (at) => rsvpCommand(at, 'settings', 'churchName=Zion Church')],
    ['a role', '/', /Lamplighter/, (at) => change(at, 'POST /api/volunteer-roles', { name: 'Lamplighter' })],
    ['a role of the terminal', '/share', /Bellringer/, (at) => rsvpCommand(at, 'roles', 'Bellringer', '--add')],
    [
      'a role of the terminal',
      '/api/volunteer-roles',
      /Gardener/,
      (at) => rsvpCommand(at, 'roles', 'Gardener', '--add'),
    ],
    ['a text of the terminal', '/', /Harvest Supper/, (at) => rsvpCommand(at, 'event', '--title', 'Harvest Supper')],
    ['a text of the terminal', '/api/event', /Lent Lunch/, (at) => rsvpCommand(at, 'event', '--title', 'Lent Lunch')],
  ])('is made anew at the next request after a write: %s on %s', async (_, path, words, write) => {
    const visitor = asVisitor(site())
    await keepAll(visitor)
    expect((await ask(visitor, `GET ${path}`)).body).not.toMatch(words)
    await write(site())
    expect((await ask(visitor, `GET ${path}`)).body).toMatch(words)
  })

  function change(at: Site, call: string, json: unknown): Promise<Reply> {
    return ask(at, call, { json, headers })
  }
})

describe('pages that are kept while sixteen write', () => {
  const site = guardedSite({ RSVP_POST_LIMIT: 'off' })
  /** Words that every page has to show: the writes that were acknowledged. */
  const acknowledged = new Set<string>()
  let writing = WRITERS_OF_RSVPS
  let headers: Record<string, string>
  beforeAll(async () => {
    headers = { cookie: await signIn(site()) }
    await ask(site(), 'PATCH /api/settings', { json: { publicNames: 'full' }, headers })
  })

  it('never lack what was acknowledged before they were asked for', async () => {
    const writers = [
      ...Array.from({ length: WRITERS_OF_RSVPS }, (_, number) => write(number, ROUNDS, addRsvp)),
      ...Array.from({ length: 6 }, (_, number) => write(number, ROUNDS, addRole)),
      ...Array.from({ length: 2 }, (_, number) => write(number, ROUNDS_OF_COMMANDS, addRoleByCommand)),
    ]
    writing = writers.length
    const readers = Array.from({ length: READERS }, async (_, number) => {
      let loads = 0
      for (; writing > 0; loads += 1) await expectCurrent(number % 2 === 0 ? '/' : '/?nothing=kept')
      return loads
    })
    await Promise.all(writers.map((each) => each.finally(() => (writing -= 1))))
    for (const loads of await Promise.all(readers)) expect(loads).toBeGreaterThan(0)
    expect(acknowledged.size).toBe((WRITERS_OF_RSVPS + 6) * ROUNDS + 2 * ROUNDS_OF_COMMANDS)
    await expectCurrent('/')
  })

  async function write(number: number, rounds: number, add: (word: string) => Promise<void>): Promise<void> {
    for (let round = 0; round < rounds; round += 1) {
      const word = `${add.name} ${String.fromCharCode(97 + number)}${String.fromCharCode(97 + round)}`
      await add(word)
      acknowledged.add(word)
      await expectCurrent('/')
    }
  }

  async function addRsvp(name: string): Promise<void> {
    expect((await ask(site(), 'POST /api/rsvp', { json: testRsvp({ name }) })).status).toBe(201)
  }

  async function addRole(name: string): Promise<void> {
    expect((await ask(site(), 'POST /api/volunteer-roles', { json: { name }, headers })).status).toBe(201)
  }

  async function addRoleByCommand(name: string): Promise<void> {
    await rsvpCommand(site(), 'roles', name, '--add')
  }

  async function expectCurrent(path: string): Promise<void> {
    const expected = Array.from(acknowledged)
    const { status, body } = await ask(asVisitor(site()), `GET ${path}`)
    expect(status).toBe(200)
    expect(expected.filter((word) => !body.includes(word))).toEqual([])
  }
})

describe('a page that is kept while its file is replaced or removed', () => {
  const site = guardedSite()

  it('is that of the file which is there', async () => {
    const file = join(site().folder, 'rsvp.db')
    const other = `${file}.other`
    await keepAll(site())
    copyFileSync(file, other)
    const database = new DatabaseSync(other)
    database.exec(`INSERT INTO volunteer_roles (name) VALUES ('Lamplighter')`)
    database.close()
    // Asked for once more: reads look every half a second whether their file is still there.
    await keepAll(site())
    renameSync(other, file)
    const shown = async () => (await ask(site(), 'GET /share')).body
    // Also in between, where a page of the earlier file could be kept as one of this file.
    for (let asked = 0; asked < 5; asked += 1) await shown()
    await vi.waitFor(async () => expect(await shown()).toContain('Lamplighter'), { timeout: 10_000 })
    renameSync(file, other)
    await wait(600)
    for (const path of ['/share', '/', '/api/features']) expect((await ask(site(), `GET ${path}`)).status).toBe(503)
    renameSync(other, file)
    await vi.waitFor(async () => expect(await shown()).toContain('Lamplighter'))
    rmSync(file)
    await wait(600)
    expect((await ask(site(), 'GET /share')).status).toBe(503)
  })
})
