import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { ask, expectProblem, type Site, storedRsvps } from '#site/scenarios/fixtures.ts'
import {
  type Clients,
  canary,
  eventually,
  expectDiscreet,
  expectKept,
  expectUnwell,
  expectWell,
  fiveClients,
  type Stored,
  siteOn,
  storedIn,
  testPlace,
} from './fixtures.ts'

let otherDatabase: Promise<Buffer> | undefined

/** A database that a site has left, with one RSVP. */
async function makeOther(): Promise<Buffer> {
  const file = join(testPlace(), 'other.db')
  const site = await siteOn(file)
  expect((await ask(site, 'POST /api/rsvp', { json: canary('Canary Other') })).status).toBe(201)
  await site.stop()
  return readFileSync(file)
}

/** A site with five clients, and another database beside its own that holds one RSVP. */
async function siteBesideAnother() {
  const folder = testPlace()
  const file = join(folder, 'rsvp.db')
  const other = join(folder, 'other.db')
  const away = join(folder, 'away.db')
  otherDatabase ??= makeOther()
  writeFileSync(other, await otherDatabase, { mode: 0o600 })
  const site = await siteOn(file)
  const clients = fiveClients(site)
  await clients.until(201)
  return { file, other, away, site, clients }
}

/** No reply comes from a file that is missing, and no file is made in its place. */
async function expectAway(site: Site, file: string): Promise<void> {
  const present = existsSync(file) ? readFileSync(file) : undefined
  await eventually(async () => {
    for (const call of ['GET /share', 'GET /api/rsvps', 'GET /admin'])
      expect([call, (await ask(site, call)).status]).toEqual([call, 503])
  })
  const reply = await ask(site, 'POST /api/rsvp', { json: canary('Canary Away') })
  expectProblem(reply, 503)
  await expectUnwell(site, /\.$/)
  expect(existsSync(file) ? readFileSync(file) : undefined).toEqual(present)
}

/** No RSVP sent and replied to while the file was away was acknowledged. */
function expectNoneAcknowledged({ seen }: Clients, from: number, to: number): void {
  const between = seen.filter(({ sentAt, repliedAt }) => sentAt > from && repliedAt < to)
  expect(between.length).toBeGreaterThan(0)
  expect(between.filter(({ status }) => status !== 503)).toEqual([])
}

/** The site is well again, and what was acknowledged is in this file. */
async function expectNothingLost(site: Site, clients: Clients, file: string): Promise<void> {
  await eventually(() => expectWell(site))
  await clients.stop()
  expectDiscreet(site, clients, [201, 503])
  await site.stop()
  expectKept(clients, storedIn(file), true)
}

const TEXT = 'Dear congregation, '.repeat(2000)
const namesOf = (stored: Pick<Stored, 'name'>[]) => stored.map(({ name }) => name)

describe('a database that is taken away under the server', () => {
  it('is missed at once, and well again as soon as it is back, twice', async () => {
    const { file, away, site, clients } = await siteBesideAnother()
    for (const pauseMs of [0, 20]) {
      await wait(pauseMs)
      renameSync(file, away)
      const gone = performance.now()
      if (pauseMs === 0) await expectAway(site, file)
      await clients.until(503)
      expect(existsSync(file)).toBe(false)
      expectNoneAcknowledged(clients, gone, performance.now())
      renameSync(away, file)
      await clients.until(201)
    }
    await expectNothingLost(site, clients, file)
  })

  it('is not written once its name is deleted, though it is still open', async () => {
    const { file, away, site, clients } = await siteBesideAnother()
    // A second name shows what becomes of the file whose first is deleted.
    linkSync(file, away)
    await clients.until(201)
    rmSync(file)
    const gone = performance.now()
    await expectAway(site, file)
    await clients.until(503, 20)
    await clients.stop()
    expectNoneAcknowledged(clients, gone, performance.now())
    expectDiscreet(site, clients, [201, 503])
    await site.stop()
    expect(existsSync(file)).toBe(false)
    expectKept(clients, storedIn(away), true)
  })
})

describe('a text that is written into the database', () => {
  it('is not used, logged once, told to visitors in words for them, and over with it', async () => {
    const file = join(testPlace(), 'rsvp.db')
    const site = await siteOn(file, { variables: { LOG_LEVEL: 'warn' } })
    expect((await ask(site, 'POST /api/rsvp', { json: canary('Canary Before') })).status).toBe(201)
    const whole = readFileSync(file)
    writeFileSync(file, TEXT)
    await expectUnwell(site, /rsvp backup restore FILE/)
    await expectAway(site, file)
    const form = { page: '/share', attending: 'true', name: 'Canary', email: 'canary@b.example' }
    const { status, body } = await ask(site, 'POST /api/rsvp', { form })
    expect(status).toBe(503)
    expect(body).toContain('Everything you typed is still here. If it fails again, tell the church office.')
    expect(body).toContain('value="Canary"')
    expect(body).not.toContain('rsvp backup restore')
    expect(site.output().match(/"reason":"The database is damaged\..+rsvp backup restore FILE/g)).toHaveLength(1)
    expect(site.output()).not.toMatch(/canary/i)
    writeFileSync(file, whole)
    await eventually(() => expectWell(site))
    expect(namesOf(storedIn(file))).toEqual(['Canary Before'])
  })
})

describe('a database in whose place another one is put', () => {
  it('is read and written from then on, and the old one no more', async () => {
    const { file, other, away, site, clients } = await siteBesideAnother()
    linkSync(file, away)
    renameSync(other, file)
    const replaced = performance.now()
    let lastWrong = replaced
    await eventually(async () => {
      const askedAt = performance.now()
      const names = await storedRsvps(site).then(namesOf, (): string[] => [])
      if (!names.includes('Canary Other')) lastWrong = askedAt
      expect(names).toContain('Canary Other')
    })
    // A request more than a second later gets the new one, however long the reply takes.
    expect(lastWrong - replaced).toBeLessThan(1500)
    await clients.until(201, 10)
    await eventually(() => expectWell(site))
    const shown: StoredRsvp[] = await storedRsvps(site)
    await clients.stop()
    expectDiscreet(site, clients, [201, 503])
    await site.stop()

    const [before, after] = [storedIn(away), storedIn(file)]
    expect(namesOf(after)).toContain('Canary Other')
    expect(namesOf(shown).filter((name) => !namesOf(after).includes(name))).toEqual([])
    // What was being written in that moment is in both.
    const later = new Set(clients.seen.filter(({ sentAt }) => sentAt > replaced).map(({ name }) => name))
    expect(namesOf(before).filter((name) => later.has(name))).toEqual([])
    const inBoth = new Set(namesOf(after))
    const onlyBefore = before.filter(({ name }) => !inBoth.has(name))
    expectKept(clients, [...onlyBefore, ...after.filter(({ name }) => name !== 'Canary Other')], true)
  })

  it.each<[string, (other: string) => void]>([
    ['an empty file', (other) => writeFileSync(other, '')],
    [
      'a database of a newer version',
      (other) => change(other, "INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('future', 9999999999999)"),
    ],
  ])('is not used when it is %s, and left as it is', async (_, make) => {
    const { file, other, away, site, clients } = await siteBesideAnother()
    make(other)
    const bytes = readFileSync(other)
    linkSync(file, away)
    renameSync(other, file)
    const gone = performance.now()
    await expectAway(site, file)
    await clients.until(503)
    expect(readFileSync(file).equals(bytes)).toBe(true)
    expectNoneAcknowledged(clients, gone, performance.now())
    renameSync(away, file)
    await clients.until(201)
    await expectNothingLost(site, clients, file)
  })
})

function change(file: string, sql: string): void {
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: false })
  database.exec(sql)
  database.close()
}
