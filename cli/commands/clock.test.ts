import { describe, expect, it } from 'vitest'
import { inDatabase, makeDatabase, rsvp, rsvpInTerminal, testFolder } from '../fixtures.ts'

const { folder } = testFolder()
const DAY = 24 * 60 * 60 * 1000
const iso = (days: number) => new Date(Date.now() + days * DAY).toISOString()

/** A database whose latest moment known is so many days from now, with three old responses and a deleted one. */
async function databaseOf(days: number): Promise<string> {
  const url = `file:${folder}/${days}.db`
  await makeDatabase(url)
  inDatabase(url, (database) => {
    database.prepare('UPDATE clock_marks SET seen_at = ?').run(iso(days))
    database.exec('UPDATE settings SET retention_days = 90')
    const insert = database.prepare(
      "INSERT INTO rsvps (key, name, email, attending, add_to_calendar, created_at, deleted_at) VALUES (?, 'Ana', 'a@b.example', 1, 0, ?, ?)",
    )
    for (const key of [1, 2, 3]) insert.run(`old ${key}`, iso(-100), null)
    insert.run('deleted', iso(-10), iso(-10))
  })
  return url
}

const shown = async (url: string) => JSON.parse((await rsvp(url, ['clock', 'show', '--json'])).stdout)

describe('rsvp clock', () => {
  it('shows whether the clock is trusted and what falls due', async () => {
    const url = await databaseOf(-1)
    const { code, stdout, stderr } = await rsvp(url, ['clock', 'show'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^clock\t\d{4}-.+Z\nknown\t\d{4}-.+Z\nstate\ttrusted\n/)
    expect(stdout).toMatch(/^retention\t3 responses lose names now, and 1 from \w+ \d+, .+ on$/m)
    expect(stdout).toMatch(/^trash\t1 deleted response is erased from \w+ \d+, .+ on$/m)
    expect(await shown(url)).toMatchObject({ doubt: null, due: { anonymize: { now: 3 }, erase: { now: 0 } } })
  })

  it('asks before it confirms, says what goes, and ends the doubt', async () => {
    const url = await databaseOf(-60)
    expect((await rsvp(url, ['clock', 'show'])).stdout).toMatch(/^state\tdoubtful: The clock shows .+, 60 days after/m)
    const { code, stderr } = await rsvp(url, ['clock', 'confirm'])
    expect({ code, stderr: stderr.split('\n')[0] }).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') })
    expect(await shown(url)).toMatchObject({ doubt: 'ahead' })

    const terminal = rsvpInTerminal(url, ['clock', 'confirm'])
    expect(await terminal.shows('y/N')).toMatch(/3 responses lose names now/)
    terminal.press('n')
    expect(await terminal.ended).toBe(1)
    expect(await shown(url)).toMatchObject({ doubt: 'ahead' })

    const done = await rsvp(url, ['clock', 'confirm', '--yes', '--json'])
    expect(done).toMatchObject({ code: 0, stderr: expect.stringContaining('is the latest moment known') })
    expect(JSON.parse(done.stdout)).toMatchObject({ doubt: null })
    expect(await shown(url)).toMatchObject({ doubt: null })
    expect((await rsvp(url, ['audit'])).stdout).toContain('clock confirmed')
  })

  it('stands in rsvp doctor, which says what falls due next', async () => {
    const url = await databaseOf(2)
    const { code, stdout } = await rsvp(url, ['doctor'])
    expect(code).toBe(1)
    expect(stdout).toMatch(/^wrong\tClock\tThe clock shows .+, 2 days before .+ run: npx rsvp clock confirm/m)
    const names = '3 responses would lose names once the time is confirmed, and 1 from .+ on'
    const trash = '1 deleted response would be erased from .+ on, once the time is confirmed'
    expect(stdout).toMatch(new RegExp(`^warning\tDue\t${names}; ${trash}$`, 'm'))
    const shown = await rsvp(url, ['clock', 'show'])
    expect(shown.stdout).toMatch(new RegExp(`^retention\t${names}\ntrash\t${trash}$`, 'm'))

    await rsvp(url, ['clock', 'confirm', '--yes'])
    expect((await rsvp(url, ['doctor'])).stdout).toMatch(/^ok\tDue\t3 responses lose names now, .+ is erased from/m)
  })

  it('warns in rsvp doctor only of what would fall due', async () => {
    const url = await databaseOf(3)
    inDatabase(url, (database) => database.exec('DELETE FROM rsvps'))
    expect((await rsvp(url, ['doctor'])).stdout).toMatch(/^wrong\tClock\t.+\n(.+\n)?ok\tDue\tno response; no deleted/m)
  })

  it('keeps rsvp backup from removing older ones while it is doubtful', async () => {
    const url = await databaseOf(-61)
    for (let made = 0; made < 2; made++) {
      const { stderr, stdout } = await rsvp(url, [
        'backup',
        '--create-folder',
        '--out',
        `${folder}/b`,
        '--keep',
        '1',
        '--json',
      ])
      expect(JSON.parse(stdout).removed).toEqual([])
      expect(stderr).toMatch(/^No older backup was removed\. The clock shows/)
    }
  })
})
