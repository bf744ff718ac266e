import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ask } from '#site/scenarios/fixtures.ts'
import { canary, eventually, expectUnwell, expectWell, siteOn, storedIn, testPlace } from './fixtures.ts'

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
