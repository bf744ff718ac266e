import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { listSessions } from '#db/access/sessions.ts'
import { hashOfToken, newToken } from '#db/access/tokens.ts'
import { addAdministrator, auditLines, testCall } from '#db/fixtures.ts'
import { inDatabase, rsvp, rsvpDrawn, testDatabase } from '../fixtures.ts'

const { url } = testDatabase()
const MINUTE = 60 * 1000
/** In minutes. */
const DAY = 24 * 60
const sessions = (...words: string[]) => rsvp(url, ['sessions', ...words])
const stored = () => listSessions(testCall({ now: new Date() }))
const left = async () => (await stored()).map(({ id }) => id)

/** A session that was started and last used so many minutes ago; returns its number. */
function signedIn(started = 0, used = started): number {
  const [from, until] = [Date.now() - started * MINUTE, Date.now() - used * MINUTE]
  const insert =
    "INSERT INTO sessions (administrator_id, token_hash, created_at, used_at, browser) VALUES (1, ?, ?, ?, 'Firefox, Android')"
  const { lastInsertRowid } = inDatabase(url, (database) =>
    database.prepare(insert).run(hashOfToken(newToken()), from, until),
  )
  return Number(lastInsertRowid)
}

beforeAll(() => addAdministrator({ id: 1 }))
beforeEach(() => inDatabase(url, (database) => database.exec('DELETE FROM sessions')))

describe('rsvp sessions', () => {
  it('prints a line for each, the latest first: number, sign-in, last use, end, name, browser', async () => {
    const now = Date.now()
    const [one, two] = [signedIn(90, 30), signedIn(175 * DAY, 10)]
    const { code, stdout, stderr } = await sessions()
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const told = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'))
    expect(told.map(([id]) => Number(id))).toEqual([two, one])
    const minutes = told.map((cells) =>
      cells.slice(1, 4).map((moment) => Math.round((Date.parse(moment) - now) / MINUTE)),
    )
    // 30 days after its last use, and 180 after its start at the latest.
    expect(minutes).toEqual([
      [-175 * DAY, -10, 5 * DAY],
      [-90, -30, 30 * DAY - 30],
    ])
    expect(told.map((cells) => cells.slice(4))).toEqual(Array(2).fill(['Ruth Cole', 'Firefox, Android']))
  })

  it('prints them as JSON, without anything one could sign in with, and a table in a terminal', async () => {
    const id = signedIn()
    const listed = JSON.parse((await sessions('--json')).stdout)
    expect(listed).toEqual(await stored())
    expect(Object.keys(listed[0])).toEqual(['id', 'administrator', 'browser', 'createdAt', 'usedAt', 'endsAt'])
    const terminal = await rsvpDrawn(url, ['sessions'], { columns: 130 })
    const line = `${id} +Ruth Cole +Firefox, Android( +[A-Z][a-z]{2} \\d+, \\d{4}, \\d+:\\d\\d [AP]M){3}`
    expect(terminal.screen()).toMatch(new RegExp(`^Id +Who +Browser +Last used +Signed in +Ends\n${line}$`))
  })
})

describe('rsvp sessions --end', () => {
  it('ends those that are named, each once, and no other; or all of them, also where there is none', async () => {
    const [one, two, three] = [String(signedIn()), String(signedIn()), signedIn()]
    const stderr = 'Ended 2 sessions.\n'
    expect(await sessions('--end', one, two, one)).toEqual({ code: 0, signal: null, stdout: '', stderr })
    expect(await left()).toEqual([three])
    expect(await sessions('--end', 'all')).toMatchObject({ code: 0, stdout: '', stderr: 'Ended 1 session.\n' })
    const before = await auditLines()
    expect(await sessions('--end', 'all')).toMatchObject({ code: 0, stdout: '', stderr: 'Ended 0 sessions.\n' })
    // It is written down, unless nothing was ended.
    expect(await auditLines()).toEqual(before)
    expect(before.at(-1)).toMatch(/^terminal: sessions ended/)
  })

  it('ends what it finds, says what it does not find, also with --json and --quiet, and ends with 3', async () => {
    const [one, two, three] = [String(signedIn()), String(signedIn()), String(signedIn())]
    const stderr = 'Ended 1 session.\nNot found: 900001, 900002.\n'
    expect(await sessions('--end', '900001', one, '900002')).toMatchObject({ code: 3, stdout: '', stderr })
    const json = await sessions('--end', two, '900001', '--json')
    expect([json.code, JSON.parse(json.stdout), json.stderr]).toEqual([
      3,
      { ended: [Number(two)] },
      'Not found: 900001.\n',
    ])
    expect(await sessions('--end', three, '--quiet')).toMatchObject({ code: 0, stdout: '', stderr: '' })
    expect(await sessions('--end', three, '--quiet')).toMatchObject({ code: 3, stderr: `Not found: ${three}.\n` })
  })

  it.each([
    [[], "error: option '--end <ids...>' argument missing"],
    [['1', 'all'], '"all" is not an id. An id is a whole number, e.g. 12.'],
  ])('refuses %j', async (words, sentence) => {
    const id = signedIn()
    const stderr = `${sentence}\nsee rsvp sessions --help\n`
    expect(await sessions('--end', ...words)).toMatchObject({ code: 2, stdout: '', stderr })
    expect(await left()).toEqual([id])
  })
})
