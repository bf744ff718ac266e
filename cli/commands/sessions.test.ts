import { beforeEach, describe, expect, it } from 'vitest'
import { endSessions, listSessions } from '#db/access/operations.ts'
import { hashOfToken, newToken } from '#db/access/sessions.ts'
import { listAudit } from '#db/audit/operations.ts'
import { testCall } from '#db/fixtures.ts'
import { inDatabase, rsvp, rsvpInTerminal, testDatabase } from '../fixtures.ts'

const { url } = testDatabase()
const MINUTE = 60 * 1000
const sessions = (...words: string[]) => rsvp(url, ['sessions', ...words])

/** A session that was started and last used so many minutes ago; returns its number. */
function signedIn(started = 0, used = started): number {
  const [from, until] = [Date.now() - started * MINUTE, Date.now() - used * MINUTE]
  const insert = 'INSERT INTO sessions (token_hash, created_at, used_at) VALUES (?, ?, ?)'
  const { lastInsertRowid } = inDatabase(url, (database) =>
    database.prepare(insert).run(hashOfToken(newToken()), from, until),
  )
  return Number(lastInsertRowid)
}

const left = async () => (await listSessions(testCall({ now: new Date() }))).map(({ id }) => id)

beforeEach(() => inDatabase(url, (database) => database.exec('DELETE FROM sessions')))

describe('rsvp sessions', () => {
  it('prints a line for each, the latest first: number, sign-in, last use, end', async () => {
    const now = Date.now()
    const [one, two] = [signedIn(90, 30), signedIn(690, 10)]
    const { code, stdout, stderr } = await sessions()
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const rows = stdout.trimEnd().split('\n')
    const told = rows.map((line) => line.split('\t'))
    expect(told.map(([id]) => Number(id))).toEqual([two, one])
    const minutes = told.map(([, ...moments]) =>
      moments.map((moment) => Math.round((Date.parse(moment) - now) / MINUTE)),
    )
    // Three hours after its last use, and twelve after its start at the latest.
    expect(minutes).toEqual([
      [-690, -10, 30],
      [-90, -30, 150],
    ])
  })

  it('prints them as JSON, without anything one could sign in with', async () => {
    signedIn()
    const { code, stdout } = await sessions('--json')
    expect(code).toBe(0)
    const listed = JSON.parse(stdout)
    expect(listed).toEqual(await listSessions(testCall({ now: new Date() })))
    expect(Object.keys(listed[0])).toEqual(['id', 'createdAt', 'usedAt', 'endsAt'])
  })

  it('draws a table in a terminal', async () => {
    const id = signedIn()
    const terminal = rsvpInTerminal(url, ['sessions'], { columns: 100 })
    expect(await terminal.ended).toBe(0)
    const [head, ...lines] = terminal.screen().split('\n')
    expect(head).toMatch(/^Id +Signed in +Last used +Ends$/)
    expect(lines).toEqual([
      expect.stringMatching(new RegExp(`^${id}( +[A-Z][a-z]{2} \\d+, \\d{4}, \\d+:\\d\\d [AP]M){3}$`)),
    ])
  })

  it('prints nothing where no administrator is signed in, and [] as JSON', async () => {
    expect(await sessions()).toMatchObject({ code: 0, stdout: '', stderr: '' })
    expect(await sessions('--json')).toMatchObject({ code: 0, stdout: '[]\n', stderr: '' })
  })
})

describe('rsvp sessions --end', () => {
  it('ends those that are named, each once, and no other', async () => {
    const [one, two, three] = [String(signedIn()), String(signedIn()), signedIn()]
    const stderr = 'Ended 2 sessions.\n'
    expect(await sessions('--end', one, two, one)).toEqual({ code: 0, signal: null, stdout: '', stderr })
    expect(await left()).toEqual([three])
    expect(await sessions('--end', String(three))).toMatchObject({ code: 0, stderr: 'Ended 1 session.\n' })
  })

  it('ends all of them, also where there is none', async () => {
    signedIn()
    signedIn()
    expect(await sessions('--end', 'all')).toMatchObject({ code: 0, stdout: '', stderr: 'Ended 2 sessions.\n' })
    expect(await left()).toEqual([])
    expect(await sessions('--end', 'all')).toMatchObject({ code: 0, stdout: '', stderr: 'Ended 0 sessions.\n' })
  })

  it('ends what it finds, says what it does not find, and ends with 3', async () => {
    const id = signedIn()
    const stderr = 'Ended 1 session.\nNot found: 900001, 900002.\n'
    expect(await sessions('--end', '900001', String(id), '900002')).toMatchObject({ code: 3, stdout: '', stderr })
    expect(await left()).toEqual([])
  })

  it('says with --json which were ended, and with --quiet only what was not found', async () => {
    const [one, two] = [signedIn(), signedIn()]
    const json = await sessions('--end', String(one), '900001', '--json')
    expect([json.code, JSON.parse(json.stdout), json.stderr]).toEqual([3, { ended: [one] }, 'Not found: 900001.\n'])
    expect(await sessions('--end', String(two), '--quiet')).toMatchObject({ code: 0, stdout: '', stderr: '' })
    expect(await sessions('--end', String(two), '--quiet')).toMatchObject({ code: 3, stderr: `Not found: ${two}.\n` })
  })

  it.each([
    ['nothing', [], "error: option '--end <ids...>' argument missing"],
    ['some and all', ['1', 'all'], '"all" is not an id. An id is a whole number, e.g. 12.'],
  ])('refuses %s', async (_what, words, sentence) => {
    const id = signedIn()
    const { code, stdout, stderr } = await sessions('--end', ...words)
    expect([code, stdout, stderr.split('\n')[0]]).toEqual([2, '', sentence])
    expect(stderr).toContain('see rsvp sessions --help')
    expect(await left()).toEqual([id])
  })

  it('is written down, unless nothing was ended', async () => {
    const id = signedIn()
    await endSessions('all', testCall({ now: new Date(), actor: 'session 99' }))
    await sessions('--end', String(id))
    expect((await listAudit({ limit: 1 }, testCall()))[0]).toMatchObject({ actor: 'session 99' })
    const another = String(signedIn())
    await sessions('--end', another)
    const entry = { actor: 'terminal', action: 'sessions ended', subject: another }
    expect((await listAudit({ limit: 1 }, testCall()))[0]).toMatchObject(entry)
  })
})
