import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { listAudit } from '#db/access/audit-log.ts'
import { recordAct } from '#db/audit/operations.ts'
import { addAdministrator, callOf, testCall } from '#db/fixtures.ts'
import { hostile, inDatabase, obeyed, rsvp, rsvpDrawn, testDatabase } from '../fixtures.ts'

const { url } = testDatabase()
const at = '2025-01-05T14:00:00.000Z'
const audit = (...words: string[]) => rsvp(url, ['audit', ...words])

/** Lines in the log, of which no operation could make some. */
function written(...entries: [actor: string, action: string, subject: string][]): void {
  inDatabase(url, (database) => {
    const insert = database.prepare('INSERT INTO audit_entries (at, actor, action, subject) VALUES (?, ?, ?, ?)')
    for (const entry of entries) insert.run(at, ...entry)
  })
}

beforeEach(() => inDatabase(url, (database) => database.exec('DELETE FROM audit_entries')))

describe('rsvp audit', () => {
  it('prints a line for each act, newest first: when, who, what, of what; and nothing for nothing', async () => {
    expect(await audit()).toMatchObject({ code: 0, stdout: '', stderr: '' })
    expect(await audit('--json')).toMatchObject({ code: 0, stdout: '[]\n', stderr: '' })
    written(['session 3', 'response deleted', '12'], ['terminal', 'settings changed', 'publicNames=counts'])
    const stdout = `${at}\tterminal\tsettings changed\tpublicNames=counts\n${at}\tsession 3\tresponse deleted\t12\n`
    expect(await audit()).toEqual({ code: 0, signal: null, stdout, stderr: '' })
    expect(JSON.parse((await audit('--json')).stdout)).toEqual(await listAudit({}, testCall()))
  })

  it('escapes what a terminal would obey, whatever the log contains', async () => {
    written([hostile, 'role added', hostile])
    expect((await audit()).stdout).toBe(`${at}\tEve  Doe\trole added\tEve  Doe\n`)
    expect((await audit('--json')).stdout).not.toMatch(obeyed)
    const terminal = await rsvpDrawn(url, ['audit'], { columns: 120, env: { NO_COLOR: '1' } })
    expect(terminal.raw().replaceAll('\r\n', '')).not.toMatch(obeyed)
    expect(terminal.screen()).toMatch(/Eve +Doe +role added +Eve +Doe$/)
  })

  it('prints a hundred, or as many as --limit says', async () => {
    const ids = Array.from({ length: 150 }, (_, position) => String(150 - position))
    written(...ids.toReversed().map((id): [string, string, string] => ['terminal', 'response deleted', id]))
    const subjects = (stdout: string) => Array.from(stdout.matchAll(/\t(\d+)$/gm), ([, subject]) => subject)
    expect(subjects((await audit()).stdout)).toEqual(ids.slice(0, 100))
    expect(subjects((await audit('--limit', '999999999')).stdout)).toEqual(ids)
    expect(JSON.parse((await audit('--limit', '2', '--json')).stdout)).toHaveLength(2)
  })

  it.each(['0', ''])('refuses --limit %j', async (limit) => {
    const stderr = expect.stringMatching(/^error: option '--limit <number>' [^\n]+\nsee rsvp audit --help\n$/)
    expect(await audit('--limit', limit)).toMatchObject({ code: 2, stdout: '', stderr })
  })
})

describe('rsvp audit by person', () => {
  let ruth = 0
  beforeAll(async () => {
    ruth = await addAdministrator({ name: 'Ruth Cole', email: null, removedAt: 1 })
  })
  beforeEach(async () => {
    await recordAct({ action: 'samples added', subject: '1' }, callOf(ruth))
    await recordAct({ action: 'samples added', subject: '=1+1' }, testCall())
    await recordAct({ action: 'responses printed', subject: '2' }, callOf(ruth))
  })

  it.each([
    [
      ['--of', 'ruth cole'],
      ['Ruth Cole\tresponses printed\t2', 'Ruth Cole\tsamples added\t1'],
    ],
    [['--of', 'terminal'], ['terminal\tsamples added\t=1+1']],
    [['--of', 'Ruth Cole', '--action', 'samples added'], ['Ruth Cole\tsamples added\t1']],
  ])('shows the name, also of a removed one, with %j', async (words, lines) => {
    expect((await audit(...words)).stdout).toBe(lines.map((line) => `${at}\t${line}\n`).join(''))
  })

  it('prints CSV without live formulas, and records it', async () => {
    const { code, stdout, stderr } = await audit('--csv', '--action', 'samples added')
    const lines = [
      'Id,When,Who,Session,What,Of',
      expect.stringMatching(`^\\d+,${at},terminal,terminal,samples added,'=1\\+1$`),
      expect.stringMatching(`^\\d+,${at},Ruth Cole,session 7,samples added,1$`),
    ]
    expect([code, stderr, stdout.replace('\uFEFF', '').split('\r\n')]).toEqual([0, '', [...lines, '']])
    expect((await audit('--limit', '1')).stdout).toMatch(/\tterminal\taudit exported\t\n$/)
  })

  it.each([
    [['--of', 'Nemo'], 3, 'No administrator has this id or name, and none had.\n'],
    [['--action', 'viewed'], 2, 'There is no such act in the audit.\nsee rsvp audit --help\n'],
    [['--csv', '--json'], 2, "error: option '--csv' cannot be used with option '--json'\nsee rsvp audit --help\n"],
  ])('refuses %j', async (words, code, stderr) => {
    expect(await audit(...words)).toMatchObject({ code, stdout: '', stderr })
  })
})
