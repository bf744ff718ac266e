import { randomUUID } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { setPassword } from '#db/access/setup.ts'
import { testCall, testRsvp } from '#db/fixtures.ts'
import { deleteRsvps } from '#db/rsvp/delete.ts'
import { changeSchedule } from '#db/rsvp/service-dates.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { freePort } from '../../scripts/testing/free-port.mjs'
import { withOverrides } from '../../scripts/testing/overrides.mjs'
import { inDatabase, rsvp, start, testDatabase } from '../fixtures.ts'
import { everyCommand } from '../understood-fixtures.ts'

type Running = ReturnType<typeof start>
type Run = {
  line: string
  code: number
  /** Read from standard input. */
  input?: string
  env?: Record<string, string>
  /** What happens meanwhile, which also ends it. */
  meanwhile?: (running: Running, printed: () => string) => Promise<void>
}

const { url: template, folder } = testDatabase()
/** In every text that was typed, and in the password. */
const CANARY = `canary${randomUUID().replaceAll('-', '')}`
const address = `${CANARY}@canary.example`
const absent = expect.not.stringContaining(CANARY)
const everyField = testRsvp({
  name: `Quentin ${CANARY}`,
  email: address,
  phone: CANARY.slice(0, 40),
  message: `Pray for ${CANARY}`,
  familyMembers: [{ name: `${CANARY} Junior`, age: 'child' }],
  volunteerRoles: [1, 2],
  calendarType: 'ical',
  standing: true,
})
/** Set, so that a developer's own .env does not reach into these tests. */
const plain = { ADMIN_PASSWORD: '', ADMIN_PASSWORD_FILE: '', HOST: '', PUBLIC_URL: '', RSVP_ACCESS: '', PORT: '1' }
const missing = '--db file:/nonexistent/rsvp.db'

/** Every command in a way that succeeds and in one that fails, with the exit codes. */
const runs: Record<string, [well: string, code: number, badly: string, code: number]> = {
  list: ['list --week all', 0, 'list --week yesterday', 2],
  show: ['show 1', 0, 'show 3', 3],
  add: [`add --name ${CANARY} --email ${address} --family ${CANARY}`, 0, `add --name ${CANARY} --email ${CANARY}`, 2],
  'add --samples': ['add --samples 3 --force', 0, 'add --samples 3', 1],
  import: [`import ${join(folder, 'responses.csv')} --yes`, 0, `import ${join(folder, 'misfit.csv')} --yes`, 1],
  delete: ['delete 1 --yes', 0, 'delete 1 3 --yes', 3],
  'delete --erase': [`delete --erase ${address} --yes`, 0, `delete --erase ${address}`, 2],
  restore: ['restore 3', 0, 'restore 1 3', 3],
  export: ['export --out -', 0, 'export --out missing/', 1],
  stats: ['stats', 0, `stats ${missing}`, 78],
  sheet: ['sheet --week 2025-01-11', 0, 'sheet --week all', 2],
  features: ['features familyRsvp off', 0, 'features familyRsvp maybe', 2],
  'admins list': ['admins', 0, 'admins list all', 2],
  'admins invite': [
    `admins invite --name ${CANARY} --email ${address} --role owner`,
    0,
    `admins invite --email ${address}`,
    3,
  ],
  'admins remove': ['admins remove', 2, `admins remove ${address} --yes`, 3],
  password: ['password', 0, 'password', 1],
  'backup make': ['backup --out .', 0, 'backup', 2],
  'backup list': ['backup list --out .', 0, 'backup list', 2],
  'backup verify': ['backup verify missing.db', 3, 'backup verify', 2],
  'backup restore': ['backup restore missing.db --yes', 3, 'backup restore', 2],
  migrate: ['migrate', 0, `migrate ${missing}`, 78],
  'mail test': ['mail test', 78, `mail test ${address}`, 78],
  'mail retry': ['mail retry', 78, 'mail retry 99', 2],
  serve: ['serve', 0, 'serve', 78],
  doctor: ['doctor', 1, `doctor ${missing}`, 1],
}
const surroundings: Record<string, { well?: Partial<Run>; badly?: Partial<Run> }> = {
  password: { well: { input: `the ${CANARY}` }, badly: { input: CANARY.repeat(10) } },
  serve: {
    well: { env: { ADMIN_PASSWORD: `the ${CANARY}` }, meanwhile: visitSite },
    badly: { env: { ADMIN_PASSWORD: CANARY.repeat(10) } },
  },
}
/** Those that are there to print responses. */
const showing = ['list', 'show', 'export', 'sheet']

beforeAll(async () => {
  for (const [name, status] of Object.entries({ responses: 'Attending', misfit: CANARY })) {
    const row = `${CANARY},${address},${status},2025-01-05T14:00:00.000Z`
    writeFileSync(join(folder, `${name}.csv`), `Name,Email,Status,Date\r\n${row}\r\n`)
  }
  for (const _ of [1, 2, 3]) await createRsvp(everyField, testCall())
  await deleteRsvps({ ids: [3] }, testCall())
  await changeSchedule({ weekday: 6 }, testCall())
  await setPassword(`once ${CANARY}`, testCall())
})

/** Submits a valid and an invalid RSVP, and signs in with a wrong password and with the right one. */
async function visitSite({ child }: Running, printed: () => string): Promise<void> {
  const ready = /^The RSVP site is ready at (\S+)$/m
  while (!ready.test(printed()) && child.exitCode === null) await delay(20)
  const [, site] = ready.exec(printed()) ?? []
  const statuses: number[] = []
  const sent: [path: string, body: unknown][] = [
    ['rsvp', everyField],
    ['rsvp', { ...everyField, attending: CANARY }],
    ['session', { password: CANARY }],
    ['session', { password: `the ${CANARY}` }],
    [CANARY, everyField],
  ]
  for (const [path, body] of sent) {
    const headers = { 'content-type': 'application/json' }
    const reply = await fetch(`${site}/api/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    statuses.push(reply.status)
  }
  expect(statuses).toEqual([201, 400, 401, 204, 404])
  child.kill('SIGTERM')
}

/** A copy of the database for a run, with its words and settings. */
async function prepared({ line, env = {} }: Run) {
  const cwd = mkdtempSync(join(folder, 'place-'))
  const file = join(cwd, 'data', 'rsvp.db')
  mkdirSync(dirname(file), { mode: 0o700 })
  cpSync(template.slice('file:'.length), file)
  const settings = { ...plain, PORT: String(await freePort()), LOG_LEVEL: 'trace', ...env }
  return { url: `file:${file}`, words: line.split(' '), cwd, env: settings }
}

function auditOf(url: string): string {
  return JSON.stringify(inDatabase(url, (database) => database.prepare('SELECT * FROM audit_entries').all()))
}

/** The site runs in a process of its own, as it ends the one that it cannot start in. */
async function run({ line, input, env, meanwhile, ...rest }: Run) {
  const place = await prepared({ line, env, ...rest })
  const { url, words, cwd } = place
  if (words[0] !== 'serve') return { ...(await rsvp(url, words, { cwd, env: place.env, input })), url }
  const running = start(url, words, { cwd, env: { ...withOverrides(), ...place.env } })
  let printed = ''
  running.child.stdout.on('data', (text) => (printed += text))
  await meanwhile?.(running, () => printed)
  return { ...(await running.ended), url }
}

describe('what people typed', () => {
  it('is looked for in every command: add a new one to `runs`', async () => {
    const tried = Object.keys(runs).map((name) => name.replace(/ --.*$/, ''))
    const acting = Array.from(await everyCommand()).filter(([, { commands }]) => commands.length === 0)
    expect(Array.from(new Set(tried)).sort()).toEqual(acting.map(([name]) => name).sort())
  })

  const all = Object.entries(runs).map(([name, [well, code, badly, failure]]) => ({
    name,
    shows: showing.includes(name),
    well: { line: well, code, ...surroundings[name]?.well },
    badly: { line: badly, code: failure, ...surroundings[name]?.badly },
  }))

  it.each(all)('is shown by a successful rsvp $name only if that is its purpose', async ({ well, shows }) => {
    const { code, stdout, stderr, url } = await run(well)
    expect([code, stderr, stdout.includes(CANARY)]).toEqual([well.code, absent, shows])
    expect(auditOf(url)).toEqual(absent)
  })

  it.each(all)('is not shown by a failing rsvp $name', async ({ badly }) => {
    const { code, stdout, stderr, url } = await run(badly)
    expect([code, stdout, stderr]).toEqual([badly.code, absent, absent])
    expect(auditOf(url)).toEqual(absent)
  })
})
