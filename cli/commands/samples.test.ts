import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, it } from 'vitest'
import { type StoredRsvp, storedRsvps } from '#db/rsvp/schema.ts'
import { inDatabase, makeDatabase, rsvp, rsvpInTerminal, rsvpProcessInTerminal, testFolder } from '../fixtures.ts'

const { url } = testFolder()

beforeEach(() => makeDatabase(url))

/** All responses, oldest first. */
async function stored(): Promise<StoredRsvp[]> {
  return storedRsvps.parse(JSON.parse((await rsvp(url, ['list', '--json'])).stdout)).reverse()
}

/** Stores the response of a real visitor. */
function storeRealResponse(): void {
  inDatabase(url, (database) =>
    database.exec(`
      INSERT INTO rsvps (key, name, email, attending, add_to_calendar, created_at)
      VALUES ('1b4e28ba-2fa1-4d3b-a3f5-ef19b5a7633b', 'Ana Cole', 'ana@cole.example', 1, 0, '2025-01-05T14:00:00.000Z');
      INSERT INTO family_members (rsvp_id, position, name, attending) VALUES (last_insert_rowid(), 0, 'Joel Cole', 1);`),
  )
}

const added = (count: number) => `Added ${count} sample responses. \`rsvp delete --samples\` takes them away again.\n`

describe('rsvp add --samples', () => {
  it('adds exactly as many, also a second time', async () => {
    expect(await rsvp(url, ['add', '--samples', '20'])).toEqual({
      code: 0,
      signal: null,
      stdout: '',
      stderr: added(20),
    })
    expect(await stored()).toHaveLength(20)
    expect(await rsvp(url, ['add', '--samples', '13'])).toMatchObject({ code: 0, stderr: added(13) })
    expect(await stored()).toHaveLength(33)
    expect(await rsvp(url, ['--quiet', 'add', '--samples', '1'])).toMatchObject({ code: 0, stdout: '', stderr: '' })
    expect(await stored()).toHaveLength(34)
  })

  it('makes them as if they had come in one after the other during the last four weeks', async () => {
    await rsvp(url, ['add', '--samples', '200'])
    const samples = await stored()
    const moments = samples.map(({ createdAt }) => createdAt)
    expect(moments).toEqual(moments.toSorted())
    const [oldest = '', newest = ''] = [moments[0], moments.at(-1)]
    expect(Date.now() - Date.parse(oldest)).toBeGreaterThan(27 * 24 * 60 * 60 * 1000)
    expect(Date.parse(newest)).toBeLessThanOrEqual(Date.now())
    expect(new Set(samples.map(({ attending }) => attending))).toEqual(new Set([true, false]))
    expect(samples.filter(({ email }) => !email.endsWith('@sample.example'))).toEqual([])
    expect(samples.some(({ familyMembers }) => familyMembers.length > 0)).toBe(true)
    expect(samples.some(({ volunteerSignups }) => volunteerSignups.length > 0)).toBe(true)
  })

  it('refuses where visitors have responded, unless --force is given', async () => {
    storeRealResponse()
    const { code, stdout, stderr } = await rsvp(url, ['add', '--samples', '3'])
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^The database already has responses\. Add --force [^\n]+\n$/)
    expect(await stored()).toHaveLength(1)
    expect(await rsvp(url, ['add', '--samples', '3', '--force'])).toMatchObject({ code: 0, stderr: added(3) })
    expect(await stored()).toHaveLength(4)
    expect(await rsvp(url, ['add', '--samples', '20'])).toMatchObject({ code: 1 })
  })

  it('takes all samples away with `rsvp delete --samples`, and only them', async () => {
    await rsvp(url, ['add', '--samples', '450'])
    storeRealResponse()
    await rsvp(url, ['add', '--samples', '2', '--force'])
    const removed = { code: 0, stdout: '', stderr: 'Removed 452 sample responses.\n' }
    expect(await rsvp(url, ['delete', '--samples', '--yes'])).toMatchObject(removed)
    expect(await stored()).toMatchObject([{ id: 451, name: 'Ana Cole', familyMembers: [{ name: 'Joel Cole' }] }])
    const rows = inDatabase(
      url,
      (database) => database.prepare('SELECT count(*) AS rows FROM family_members').get()?.rows,
    )
    expect(rows).toBe(1)
    expect(await rsvp(url, ['delete', '--samples'])).toMatchObject({ code: 0, stderr: 'Removed 0 sample responses.\n' })
    expect(await rsvp(url, ['delete', '--samples', '--quiet'])).toMatchObject({ code: 0, stderr: '' })
  })

  it('removes nothing before it is confirmed', async () => {
    await rsvp(url, ['add', '--samples', '3'])
    expect(await rsvp(url, ['delete', '--samples'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/ add --yes [^\n]+\nsee rsvp delete --help\n$/),
    })
    expect(await stored()).toHaveLength(3)
    for (const [key, code, left] of [['n', 1, 3] as const, ['y', 0, 0] as const]) {
      const terminal = rsvpInTerminal(url, ['delete', '--samples'])
      await terminal.shows('Delete 3 sample responses for good?')
      await terminal.shows('y/N')
      terminal.press(key)
      expect([await terminal.ended, (await stored()).length]).toEqual([code, left])
    }
  })

  it.each(['0', '-1', '1.5', '1e2', 'many', '', '1'.repeat(20)])('refuses to add %j', async (count) => {
    const { code, stdout, stderr } = await rsvp(url, ['add', '--samples', count])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain('Give a whole number from 1 up.')
    expect(stderr).toContain('see rsvp add --help')
    expect(await stored()).toEqual([])
  })

  it('says on a terminal how many, nothing with --quiet', async () => {
    const terminal = rsvpInTerminal(url, ['add', '--samples', '3'])
    expect([await terminal.ended, terminal.screen()]).toEqual([0, added(3).trim()])
    const quiet = rsvpInTerminal(url, ['add', '--samples', '4', '--quiet'])
    expect([await quiet.ended, quiet.raw()]).toEqual([0, ''])
    expect(await stored()).toHaveLength(7)
  })

  it('ends with 130 when it is interrupted, and says how many were added', async () => {
    const holder = new DatabaseSync(url.slice('file:'.length))
    holder.exec('BEGIN IMMEDIATE')
    const terminal = rsvpProcessInTerminal(url, ['add', '--samples', '3000'])
    await terminal.shows(/^Adding samples 0 of 3,000/)
    terminal.kill('SIGINT')
    holder.close()
    expect(await terminal.ended).toBe(130)
    const { length } = await stored()
    expect(terminal.screen()).toContain(added(length).trim())
    // It goes in groups of 32, and takes notice between two of them.
    expect(length % 32).toBe(0)
    expect(length).toBeGreaterThan(0)
    expect(length).toBeLessThan(3000)
  })
})
