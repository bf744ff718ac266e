import { beforeEach, describe, expect, it } from 'vitest'
import { type AuditEntry, listAudit } from '#db/audit/operations.ts'
import { testCall } from '#db/fixtures.ts'
import { hostile, inDatabase, obeyed, rsvp, rsvpInTerminal, testDatabase } from '../fixtures.ts'

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
  it('prints a line for each act, newest first: when, who, what, of what', async () => {
    written(['session 3', 'response deleted', '12'], ['terminal', 'settings changed', 'publicNames=counts'])
    expect(await audit()).toEqual({
      code: 0,
      signal: null,
      stdout: `${at}\tterminal\tsettings changed\tpublicNames=counts\n${at}\tsession 3\tresponse deleted\t12\n`,
      stderr: '',
    })
  })

  it('prints them as JSON exactly as they are stored', async () => {
    written(['session 3', 'response deleted', '12'], ['site', 'responses erased', '2'])
    const { code, stdout, stderr } = await audit('--json')
    expect([code, stderr]).toEqual([0, ''])
    const entries: AuditEntry[] = JSON.parse(stdout)
    expect(entries).toEqual(await listAudit({}, testCall()))
    expect(entries.map(({ id: _id, ...entry }) => entry)).toEqual([
      { at, actor: 'site', action: 'responses erased', subject: '2' },
      { at, actor: 'session 3', action: 'response deleted', subject: '12' },
    ])
  })

  it('draws a table in a terminal', async () => {
    written(['session 3', 'response deleted', '12'], ['terminal', 'password set', ''])
    const terminal = rsvpInTerminal(url, ['audit'])
    expect(await terminal.ended).toBe(0)
    const [head, ...lines] = terminal.screen().split('\n')
    expect(head).toMatch(/^When +Who +What +Of$/)
    expect(lines).toEqual([
      expect.stringMatching(/^Jan 5, 2025, 2:00 PM +terminal +password set$/),
      expect.stringMatching(/^Jan 5, 2025, 2:00 PM +session 3 +response deleted +12$/),
    ])
    expect(terminal.isFullScreen()).toBe(false)
  })

  it('escapes what a terminal would obey, whatever the log contains', async () => {
    written([hostile, 'role added', hostile])
    expect((await audit()).stdout).toBe(`${at}\tEve  Doe\trole added\tEve  Doe\n`)
    expect((await audit('--json')).stdout).not.toMatch(obeyed)
    const terminal = rsvpInTerminal(url, ['audit'], { columns: 120, env: { NO_COLOR: '1' } })
    expect(await terminal.ended).toBe(0)
    expect(terminal.raw().replaceAll('\r\n', '')).not.toMatch(obeyed)
    expect(terminal.screen()).toMatch(/Eve +Doe +role added +Eve +Doe$/)
  })

  it('prints a hundred, or as many as --limit says', async () => {
    const entries = Array.from({ length: 150 }, (_, number): [string, string, string] => {
      return ['terminal', 'response deleted', String(number + 1)]
    })
    written(...entries)
    const subjects = (stdout: string) => Array.from(stdout.matchAll(/\t(\d+)$/gm), ([, subject]) => Number(subject))
    const newest = (count: number) => Array.from({ length: count }, (_, position) => 150 - position)
    expect(subjects((await audit()).stdout)).toEqual(newest(100))
    expect(subjects((await audit('--limit', '3')).stdout)).toEqual(newest(3))
    expect(subjects((await audit('--limit', '999999999')).stdout)).toEqual(newest(150))
    expect(JSON.parse((await audit('--limit', '2', '--json')).stdout)).toHaveLength(2)
  })

  it.concurrent.each(['0', ''])('refuses --limit %j', async (limit) => {
    const { code, stdout, stderr } = await audit('--limit', limit)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/^error: option '--limit <number>' [^\n]+\nsee rsvp audit --help\n$/)
  })

  it('prints nothing for nothing, and [] as JSON', async () => {
    expect(await audit()).toMatchObject({ code: 0, stdout: '', stderr: '' })
    expect(await audit('--json')).toMatchObject({ code: 0, stdout: '[]\n', stderr: '' })
  })
})
