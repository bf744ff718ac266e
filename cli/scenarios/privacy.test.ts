import { randomUUID } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setPassword } from '#db/access/operations.ts'
import { testCall, testRsvp } from '#db/fixtures.ts'
import { deleteRsvps } from '#db/rsvp/delete.ts'
import { createRsvp } from '#db/rsvp/submit.ts'

import { freePort } from '../../scripts/testing/free-port.mjs'
import { startLibsqlServer } from '../../scripts/testing/libsql-server.mjs'
import { withOverrides } from '../../scripts/testing/overrides.mjs'
import { namesOf } from '../command-names-fixtures.ts'
import { inDatabase, processList, rsvp, rsvpProcess, start, testDatabase } from '../fixtures.ts'
import { createProgram } from '../program.ts'

type Running = ReturnType<typeof start>
type Run = {
  line: string
  code: number
  /** Read from standard input. */
  input?: string
  env?: Record<string, string>
  /** What happens meanwhile, which also ends it. */
  meanwhile?: (running: Running, url: string, printed: () => string) => Promise<void>
}

const { url: template, folder } = testDatabase()
/** In every text that was typed, and in the password. No other process has it on its command line. */
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
})
/** Set, so that a developer's own .env does not reach into these tests. */
const plain = { ADMIN_PASSWORD: '', ADMIN_PASSWORD_FILE: '', HOST: '', PUBLIC_URL: '', RSVP_ACCESS: '', PORT: '1' }
const missing = '--db file:/nonexistent/rsvp.db'

/** Every command in a way that succeeds and in one that fails. `shows`: to print responses is what it is for. */
const runs: Record<string, { well: Run; badly: Run; shows?: true }> = {
  list: { well: { line: 'list --week all', code: 0 }, badly: { line: 'list --since yesterday', code: 2 }, shows: true },
  show: { well: { line: 'show 1', code: 0 }, badly: { line: 'show 3', code: 3 }, shows: true },
  add: {
    well: { line: `add --name ${CANARY} --email ${address} --family ${CANARY}`, code: 0 },
    badly: { line: `add --name ${CANARY} --email ${CANARY}`, code: 2 },
  },
  edit: { well: { line: `edit 1 --name ${CANARY}`, code: 0 }, badly: { line: 'edit 1', code: 2 } },
  import: {
    well: { line: `import ${join(folder, 'responses.csv')} --yes`, code: 0 },
    badly: { line: `import ${join(folder, 'misfit.csv')} --yes`, code: 1 },
  },
  delete: { well: { line: 'delete 1 --yes', code: 0 }, badly: { line: 'delete 1 3 --yes', code: 3 } },
  merge: { well: { line: 'merge', code: 2 }, badly: { line: 'merge --week soon', code: 2 }, shows: true },
  restore: { well: { line: 'restore 3', code: 0 }, badly: { line: 'restore 1 3', code: 3 } },
  'delete --erase': {
    well: { line: `delete --erase ${address} --yes`, code: 0 },
    badly: { line: `delete --erase ${address}`, code: 2 },
  },
  export: { well: { line: 'export --out -', code: 0 }, badly: { line: 'export --out missing/', code: 1 }, shows: true },
  stats: { well: { line: 'stats', code: 0 }, badly: { line: `stats ${missing}`, code: 78 } },
  sheet: {
    well: { line: 'sheet --week 2025-01-11', code: 0 },
    badly: { line: 'sheet --week all', code: 2 },
    shows: true,
  },
  turnout: { well: { line: 'turnout 2025-01-11 87', code: 0 }, badly: { line: 'turnout 2025-01-11 -1', code: 2 } },
  features: {
    well: { line: 'features familyRsvp off', code: 0 },
    badly: { line: 'features familyRsvp maybe', code: 2 },
  },
  roles: { well: { line: 'roles 1 --name Door --needed 3', code: 0 }, badly: { line: 'roles 99 --retire', code: 3 } },
  event: {
    well: { line: 'event --time noon', code: 0 },
    badly: { line: `event --time ${'x'.repeat(2001)}`, code: 2 },
  },
  'event --language': {
    well: { line: 'event --language es --time x', code: 0 },
    badly: { line: 'event --language es --remove', code: 3 },
  },
  schedule: {
    well: { line: 'schedule --weekday sunday', code: 0 },
    badly: { line: 'schedule --weekday someday', code: 2 },
  },
  'schedule --skip': {
    well: { line: 'schedule --skip 2026-11-21', code: 0 },
    badly: { line: 'schedule --unskip 2026-12-26', code: 3 },
  },
  settings: {
    well: { line: 'settings retentionDays=1 --yes', code: 0 },
    badly: { line: 'settings retentionDays=1', code: 2 },
  },
  'settings of the church': {
    well: { line: 'settings churchAccent=#0b5d66', code: 0 },
    badly: { line: `settings churchAccent=${CANARY}`, code: 2 },
  },
  share: { well: { line: 'share', code: 0 }, badly: { line: 'share', code: 78, env: { PUBLIC_URL: 'nonsense' } } },
  password: {
    well: { line: 'password', code: 0, input: `the ${CANARY}` },
    badly: { line: 'password', code: 1, input: CANARY.repeat(10) },
  },
  sessions: { well: { line: 'sessions --end all', code: 0 }, badly: { line: 'sessions --end 99', code: 3 } },
  audit: { well: { line: 'audit', code: 0 }, badly: { line: 'audit --limit 0', code: 2 } },
  'backup make': { well: { line: 'backup --out .', code: 0 }, badly: { line: 'backup', code: 2 } },
  'backup make --send-only': {
    well: { line: 'backup --send-only', code: 78 },
    badly: { line: 'backup --send-only now', code: 2 },
  },
  'backup list': { well: { line: 'backup list', code: 0 }, badly: { line: 'backup list all', code: 2 } },
  'backup verify': { well: { line: 'backup verify', code: 78 }, badly: { line: 'backup verify a b', code: 2 } },
  'backup restore': {
    well: { line: 'backup restore missing.db --yes', code: 3 },
    badly: { line: 'backup restore', code: 2 },
  },
  'init --backup-key': {
    well: { line: 'init --backup-key id.txt', code: 0 },
    badly: { line: 'init --backup-key missing/id', code: 1 },
  },
  migrate: { well: { line: 'migrate', code: 0 }, badly: { line: `migrate ${missing}`, code: 78 } },
  transfer: {
    well: { line: 'transfer SERVER', code: 0 },
    badly: { line: 'transfer http://127.0.0.1:9', code: 1 },
  },
  init: { well: { line: 'init --yes', code: 0 }, badly: { line: 'init --yes --public-url nonsense', code: 78 } },
  serve: {
    well: { line: 'serve', code: 0, env: { ADMIN_PASSWORD: `the ${CANARY}` }, meanwhile: visitSite },
    badly: { line: 'serve', code: 78, env: { ADMIN_PASSWORD: CANARY.repeat(10) } },
  },
  'service install': {
    well: { line: 'service install --dry-run', code: 1 },
    badly: { line: 'service install on', code: 2 },
  },
  'service list': { well: { line: 'service list', code: 0 }, badly: { line: 'service list on', code: 2 } },
  'service uninstall': {
    well: { line: 'service uninstall --dry-run', code: 3 },
    badly: { line: 'service uninstall on', code: 2 },
  },
  update: { well: { line: 'update x.tar.gz --dry-run', code: 3 }, badly: { line: 'update here and there', code: 2 } },
  rollback: { well: { line: 'rollback --dry-run', code: 1 }, badly: { line: 'rollback on', code: 2 } },
  doctor: { well: { line: 'doctor', code: 1 }, badly: { line: `doctor ${missing}`, code: 1 } },
  'add --samples': {
    well: { line: 'add --samples 3 --force', code: 0 },
    badly: { line: 'add --samples 3', code: 1 },
  },
  completion: { well: { line: 'completion bash', code: 0 }, badly: { line: 'completion tcsh', code: 2 } },
}

/** Run as processes: those that meet what people typed on their way in, and those that last; in the whole sweep each one. */
const processNames = process.env.SWEEP === 'whole' ? Object.keys(runs) : ['list', 'delete --erase', 'password', 'serve']

let server: Awaited<ReturnType<typeof startLibsqlServer>>

beforeAll(async () => {
  server = await startLibsqlServer()
  for (const [name, status] of Object.entries({ responses: 'Attending', misfit: CANARY })) {
    const row = `${CANARY},${address},${status},2025-01-05T14:00:00.000Z`
    writeFileSync(join(folder, `${name}.csv`), `Name,Email,Status,Date\r\n${row}\r\n`)
  }
  for (const _ of [1, 2, 3]) await createRsvp(everyField, testCall())
  await deleteRsvps({ ids: [3] }, testCall())
  await rsvp(template, ['schedule', '--weekday', 'saturday'])
  await setPassword(`once ${CANARY}`, testCall())
})
afterAll(() => server.stop())

/** Submits a valid and an invalid RSVP, and signs in with a wrong password and with the right one. */
async function visitSite({ child }: Running, _url: string, printed: () => string): Promise<void> {
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
  return { url: `file:${file}`, words: line.replace('SERVER', server.url).split(' '), cwd, env: settings }
}

function auditOf(url: string): string {
  return JSON.stringify(inDatabase(url, (database) => database.prepare('SELECT * FROM audit_entries').all()))
}

/** Runs a command as a process; returns what the list of processes showed as well. */
async function observed(run: Run) {
  const { input = '', meanwhile } = run
  const { url, words, ...surroundings } = await prepared(run)
  const processes: { pid: string; words: string }[] = []
  let ended = false
  async function lookAround() {
    while (!ended) {
      processes.push(...processList())
      await delay(15)
    }
  }
  const running = start(url, words, { ...surroundings, env: { ...withOverrides(), ...surroundings.env } })
  const looking = lookAround()
  let printed = ''
  running.child.stdout.on('data', (text) => (printed += text))
  running.child.stdin.on('error', () => {}).end(input)
  await meanwhile?.(running, url, () => printed)
  const { code, stdout, stderr } = await running.ended.finally(() => {
    ended = true
  })
  await looking
  const own = processes.filter((found) => found.pid === String(running.child.pid))
  return { code, stdout, stderr, own, processes: processes.map(({ words }) => words), audit: auditOf(url) }
}

describe('what people typed', () => {
  const program = createProgram(() => async () => {}, {})

  it('is looked for in every command: add a new one to `runs`', () => {
    const tried = Object.keys(runs).map((name) => name.replace(/ (--|of ).*$/, ''))
    expect(Array.from(new Set(tried)).sort()).toEqual(namesOf(program).sort())
  })

  const all = Object.entries(runs).map(([name, run]) => ({ name, ...run }))

  it.each(all.filter(({ name }) => !processNames.includes(name)))(
    'is shown by a successful rsvp $name only if that is its purpose',
    async ({ well: { input = '', ...run }, shows = false }) => {
      const { url, words, ...surroundings } = await prepared(run)
      const { code, stdout, stderr } = await rsvp(url, words, { ...surroundings, input })
      expect([code, stderr]).toEqual([run.code, absent])
      expect(stdout.includes(CANARY)).toBe(shows)
      expect(auditOf(url)).toEqual(absent)
    },
  )

  it.each(all.filter(({ name }) => processNames.includes(name)))(
    'is shown by the process of a successful rsvp $name only if that is its purpose, and in no list of processes',
    async ({ well: run, shows = false }) => {
      const { code, stdout, stderr, own, processes, audit } = await observed(run)
      expect([code, stderr]).toEqual([run.code, absent])
      expect(stdout.includes(CANARY)).toBe(shows)
      expect(own.some(({ words }) => words.includes(run.line.split(' ')[0] ?? ''))).toBe(true)
      // An option of the command itself is shown there: the user gave it.
      const given = run.line.replaceAll(' ', '\0')
      const others = processes.map((words) => words.replaceAll(given, ''))
      expect(others.filter((words) => words.includes(CANARY))).toEqual([])
      expect(audit).not.toContain(CANARY)
    },
  )

  it.each(all)('is not shown by a failing rsvp $name', async ({ name, badly: { input = '', ...run } }) => {
    const { url, words, ...surroundings } = await prepared(run)
    // The site ends the process that it cannot start in.
    const runIt = name === 'serve' ? rsvpProcess : rsvp
    const { code, stdout, stderr } = await runIt(url, words, { ...surroundings, input })
    expect([code, stdout, stderr]).toEqual([run.code, absent, absent])
    expect(auditOf(url)).toEqual(absent)
  })
})
