import { linkSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ask, storedRsvps } from '#site/scenarios/fixtures.ts'
import {
  canary,
  eventually,
  expectDiscreet,
  expectKept,
  expectUnwell,
  expectWell,
  fiveClients,
  otherDatabase,
  siteOn,
  storedIn,
  testPlace,
} from './fixtures.ts'

const TEXT = 'Dear congregation, '.repeat(2000)
const namesOf = (stored: { name: string }[]) => stored.map(({ name }) => name)

it('a text that is written into the database is not used, logged once, told to visitors in words for them, and over with it', async () => {
  const file = join(testPlace(), 'rsvp.db')
  const site = await siteOn(file, { variables: { LOG_LEVEL: 'warn' } })
  expect((await ask(site, 'POST /api/rsvp', { json: canary('Canary Before') })).status).toBe(201)
  const whole = readFileSync(file)
  writeFileSync(file, TEXT)
  await expectUnwell(site, /rsvp backup restore FILE/)
  const form = { page: '/share', attending: 'true', name: 'Canary', email: 'canary@b.example' }
  const { status, body } = await ask(site, 'POST /api/rsvp', { form })
  expect(status).toBe(503)
  expect(body).toContain('Everything you typed is still here. If it fails again, tell the church office.')
  expect(body).toContain('value="Canary"')
  expect(body).not.toContain('rsvp backup restore')
  expect(site.output().match(/"reason":"The database is damaged\..+rsvp backup restore FILE/g)).toHaveLength(1)
  expect(site.output()).not.toMatch(/canary/i)
  expect(readFileSync(file, 'utf8')).toBe(TEXT)
  writeFileSync(file, whole)
  await eventually(() => expectWell(site))
  expect(namesOf(storedIn(file))).toEqual(['Canary Before'])
})

it('a database that is put in the place of another one is read and written from then on, and the old one no more', async () => {
  const file = join(testPlace(), 'rsvp.db')
  const away = `${file}.away`
  const site = await siteOn(file)
  const clients = fiveClients(site)
  await clients.until(201)
  writeFileSync(`${file}.other`, await otherDatabase(), { mode: 0o600 })
  linkSync(file, away)
  renameSync(`${file}.other`, file)
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
  const shown = namesOf(await storedRsvps(site))
  await clients.stop()
  expectDiscreet(site, clients, [201, 503])
  await site.stop()

  const [before, after] = [storedIn(away), storedIn(file)]
  expect(namesOf(after)).toEqual(expect.arrayContaining(['Canary Other', ...shown]))
  // What was being written in that moment is in both.
  const later = new Set(clients.seen.filter(({ sentAt }) => sentAt > replaced).map(({ name }) => name))
  expect(namesOf(before).filter((name) => later.has(name))).toEqual([])
  const inBoth = new Set(namesOf(after))
  const onlyBefore = before.filter(({ name }) => !inBoth.has(name))
  expectKept(clients, [...onlyBefore, ...after.filter(({ name }) => name !== 'Canary Other')], true)
})
