import { copyFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { testRsvp } from '#db/fixtures.ts'
import { ask, runRsvp } from '#site/scenarios/fixtures.ts'
import { guardedSite, inSiteDatabase, signIn } from '#site/scenarios/guarded-fixtures.ts'
import { keepAll } from './fixtures.ts'

const READERS = 6
const ROUNDS = 2
const WRITERS_OF_RSVPS = 6

describe('a kept page', () => {
  const site = guardedSite({ RSVP_POST_LIMIT: 'off' })
  let headers: Record<string, string>
  beforeAll(async () => {
    headers = { cookie: await signIn(site()) }
    await ask(site(), 'PATCH /api/settings', { json: { publicNames: 'full' }, headers })
  })

  const change = (call: string, json: unknown) => async () => {
    expect((await ask(site(), call, { json, headers })).status).toBeLessThan(300)
  }
  const command =
    (...words: string[]) =>
    () =>
      runRsvp(site(), words)

  it('never lacks what was acknowledged before it was asked for, while many write', async () => {
    const acknowledged = new Set<string>()
    async function expectCurrent(path: string): Promise<void> {
      const expected = Array.from(acknowledged)
      const { status, body } = await ask(site(), `GET ${path}`)
      expect(status).toBe(200)
      expect(expected.filter((word) => !body.includes(word))).toEqual([])
    }
    async function write(number: number, rounds: number, add: (name: string) => () => Promise<void>): Promise<void> {
      for (let round = 0; round < rounds; round += 1) {
        const word = `Canary ${String.fromCharCode(97 + number)}${String.fromCharCode(97 + round)}`
        await add(word)()
        acknowledged.add(word)
        await expectCurrent('/')
      }
    }
    const asRsvp = (name: string) => change('POST /api/rsvp', testRsvp({ name }))
    const asRole = (name: string) => change('POST /api/volunteer-roles', { name })
    const writers = Array.from({ length: WRITERS_OF_RSVPS }, (_, number) => write(number, ROUNDS, asRsvp))
    writers.push(write(10, ROUNDS, asRole), write(11, ROUNDS, asRole))
    writers.push(write(12, 2, (name) => command('roles', name, '--add')))
    let writing = writers.length
    const readers = Array.from({ length: READERS }, async (_, number) => {
      let loads = 0
      for (; writing > 0; loads += 1) await expectCurrent(number % 2 === 0 ? '/' : '/?nothing=kept')
      return loads
    })
    await Promise.all(writers.map((each) => each.finally(() => (writing -= 1))))
    for (const loads of await Promise.all(readers)) expect(loads).toBeGreaterThan(0)
    expect(acknowledged.size).toBe((WRITERS_OF_RSVPS + 2) * ROUNDS + 2)
  })
})

describe('a bug while a page is made for all', () => {
  const site = guardedSite()

  it('shows the error page and is logged once, and the page comes back', async () => {
    const headers = { cookie: await signIn(site()) }
    await ask(site(), 'PATCH /api/settings', { json: { publicNames: 'full' }, headers })
    expect((await ask(site(), 'POST /api/rsvp', { json: testRsvp({ name: 'Ana Cole' }) })).status).toBe(201)
    const changeRoles = (name: string | Uint8Array) =>
      inSiteDatabase(site(), (database) =>
        database.prepare('UPDATE volunteer_roles SET name = ? WHERE id = 1').run(name),
      )
    // No checkbox can be drawn for it, which is found only after the form was marked.
    changeRoles(Buffer.from([0xff]))
    const { status, headers: received, body } = await ask(site(), 'GET /')
    expect([status, received['content-type']]).toEqual([500, 'text/html; charset=utf-8'])
    expect(body).toContain('The fault is ours, and it has been logged.')
    expect(
      site()
        .output()
        .match(/unexpected error/g),
    ).toHaveLength(1)
    changeRoles('Greeter')
    expect(await ask(site(), 'GET /')).toMatchObject({ status: 200, body: expect.stringContaining('Ana Cole') })
  })
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
