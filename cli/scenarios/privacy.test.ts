import { randomUUID } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { setPassword } from '#db/access/setup.ts'
import { changeSchedule } from '#db/rsvp/change-schedule.ts'
import { deleteRsvps } from '#db/rsvp/delete.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { testCall, testRsvp } from '#testing/database-fixtures.ts'
import { inDatabase, rsvp, testDatabase } from '../fixtures.ts'
import { everyCommand } from '../program-fixtures.ts'

/** `inputs` are read from standard input. */
type Run = [succeeding: string, code: number, failing: string, code: number, inputs?: [string, string]]

const { url: template, folder } = testDatabase()
/** Is in every text that a visitor typed, and in the password. */
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
/** Variables that must be set, because the command would take others from a developer's .env. */
const plain = { ADMIN_PASSWORD: '', ADMIN_PASSWORD_FILE: '', HOST: '', PUBLIC_URL: '', RSVP_ACCESS: '', PORT: '1' }
const missing = '--db file:/nonexistent/rsvp.db'

/** Every command but `serve`: a call that succeeds and one that fails, each with its exit code. */
const runs: Record<string, Run> = {
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
  password: ['password', 0, 'password', 1, [`the ${CANARY}`, CANARY.repeat(10)]],
  'backup make': ['backup --out .', 0, 'backup', 2],
  'backup list': ['backup list --out .', 0, 'backup list', 2],
  'backup verify': ['backup verify missing.db', 3, 'backup verify', 2],
  'backup restore': ['backup restore missing.db --yes', 3, 'backup restore', 2],
  migrate: ['migrate', 0, `migrate ${missing}`, 78],
  'mail test': ['mail test', 78, `mail test ${address}`, 78],
  'mail retry': ['mail retry', 78, 'mail retry 99', 2],
  doctor: ['doctor', 1, `doctor ${missing}`, 1],
}
/** The commands that print responses. */
const showing = ['list', 'show', 'export', 'sheet']

beforeAll(async () => {
  for (const [name, status] of Object.entries({ responses: 'Attending', misfit: CANARY })) {
    const row = `${CANARY},${address},${status},2025-01-05T14:00:00.000Z`
    writeFileSync(join(folder, `${name}.csv`), `Name,Email,Status,Date\r\n${row}\r\n`)
  }
  for (const _ of [1, 2, 3]) await createRsvp(everyField, testCall())
  await deleteRsvps({ ids: [3] }, testCall())
  await changeSchedule({ weekday: 6 }, testCall())
  await setPassword({ password: `once ${CANARY}` }, testCall())
})

function auditOf(url: string): string {
  return JSON.stringify(inDatabase(url, (database) => database.prepare('SELECT * FROM audit_entries').all()))
}

/** Runs a command on a copy of the database. */
async function run(line: string, input = '') {
  const cwd = mkdtempSync(join(folder, 'place-'))
  const file = join(cwd, 'data', 'rsvp.db')
  mkdirSync(dirname(file), { mode: 0o700 })
  cpSync(template.slice('file:'.length), file)
  const url = `file:${file}`
  return { ...(await rsvp(url, line.split(' '), { cwd, env: plain, input })), url }
}

describe('what people typed', () => {
  it('is looked for in every command: add a new one to `runs`', async () => {
    const tried = Object.keys(runs).map((name) => name.replace(/ --.*$/, ''))
    // The site that `serve` starts has tests of its own: site/scenarios/logs.
    const acting = Array.from(await everyCommand()).filter(([name, { commands }]) => {
      return commands.length === 0 && name !== 'serve'
    })
    expect(Array.from(new Set(tried)).sort()).toEqual(acting.map(([name]) => name).sort())
  })

  const all = Object.entries(runs)

  it.each(all)(
    'is printed by a successful rsvp %s only if that is its purpose',
    async (name, [line, code, , , inputs]) => {
      const { url, ...ended } = await run(line, inputs?.[0])
      const stdout = showing.includes(name) ? expect.stringContaining(CANARY) : absent
      expect(ended).toEqual({ code, stdout, stderr: absent })
      expect(auditOf(url)).toEqual(absent)
    },
  )

  it.each(all)('is not printed by a failing rsvp %s', async (_, [, , line, code, inputs]) => {
    const { url, ...ended } = await run(line, inputs?.[1])
    expect(ended).toEqual({ code, stdout: absent, stderr: absent })
    expect(auditOf(url)).toEqual(absent)
  })
})
