import { describe, expect, it } from 'vitest'
import { testCall, testRsvp } from '#db/fixtures.ts'
import { listRsvps } from '#db/rsvp/list.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { rsvp, rsvpInTerminal, testDatabase } from '../fixtures.ts'

const { url } = testDatabase()

/** Stores some responses and returns their ids as they are typed. */
async function stored(count: number): Promise<string[]> {
  const ids: string[] = []
  while (ids.length < count) ids.push(String((await createRsvp(testRsvp(), testCall())).id))
  return ids
}

async function left(): Promise<string[]> {
  const all: { id: number }[] = JSON.parse(String((await listRsvps({ limit: 1000 }, testCall())).json))
  return all.map(({ id }) => String(id)).reverse()
}

describe('rsvp delete without a terminal', () => {
  it('deletes with --yes and says how many went', async () => {
    const [one = '', two = '', ...others] = await stored(4)
    expect(await rsvp(url, ['delete', one, two, '--yes'])).toEqual({
      code: 0,
      signal: null,
      stdout: '',
      stderr: 'Deleted 2 responses.\n',
    })
    expect(await left()).toEqual(others)
    expect(await rsvp(url, ['delete', '--yes', ...others.slice(1)])).toMatchObject({ stderr: 'Deleted 1 response.\n' })
  })

  it('takes the family members and the roles from every count, keeps them for a restoration, and touches no other response', async () => {
    const counts = async () => (await rsvp(url, ['stats', '--json'])).stdout
    const shown = async (id: number) => (await rsvp(url, ['show', String(id), '--json'])).stdout
    const family = testRsvp({ familyMembers: [{ name: 'Joel' }, { name: 'Dina' }], volunteerRoles: [1, 2, 3] })
    const { id } = await createRsvp(family, testCall())
    const [before, one] = [await counts(), await shown(id)]
    const other = await createRsvp(family, testCall())
    const [both, another] = [await counts(), await shown(other.id)]
    expect(both).not.toBe(before)
    expect((await rsvp(url, ['delete', String(other.id), '--yes'])).code).toBe(0)
    expect([await counts(), await shown(id), await shown(other.id)]).toEqual([before, one, ''])
    expect((await rsvp(url, ['restore', String(other.id)])).code).toBe(0)
    expect([await counts(), await shown(id), await shown(other.id)]).toEqual([both, one, another])
    await rsvp(url, ['delete', String(id), String(other.id), '--yes'])
  })

  it('deletes what it finds, says what it does not find, and ends with 3', async () => {
    const [one = '', ...others] = await stored(2)
    expect(await rsvp(url, ['delete', '900001', one, '900002', '--yes'])).toMatchObject({
      code: 3,
      stdout: '',
      stderr: 'Deleted 1 response.\nNot found: 900001, 900002. They may have been deleted already.\n',
    })
    expect(await left()).not.toContain(one)
    expect(await left()).toEqual(expect.arrayContaining(others))
  })

  it('counts an id that is given twice once', async () => {
    const [one = '', two = ''] = await stored(2)
    expect(await rsvp(url, ['delete', one, two, one, '--yes'])).toMatchObject({
      code: 0,
      stderr: 'Deleted 2 responses.\n',
    })
    expect(await rsvp(url, ['delete', one, one, '--yes'])).toMatchObject({
      code: 3,
      stderr: `Deleted 0 responses.\nNot found: ${one}. They may have been deleted already.\n`,
    })
  })

  it('says with --json what became of the ids', async () => {
    const [one = '', two = ''] = await stored(2)
    const { code, stdout, stderr } = await rsvp(url, ['delete', two, '900001', one, '--yes', '--json'])
    expect(JSON.parse(stdout)).toEqual({ deleted: [Number(two), Number(one)], notFound: [900_001], untouched: [] })
    expect([code, stderr]).toEqual([3, 'Not found: 900001. They may have been deleted already.\n'])
    const [three = ''] = await stored(1)
    const all = await rsvp(url, ['delete', three, '--yes', '--json'])
    expect([all.code, all.stderr, JSON.parse(all.stdout)]).toEqual([
      0,
      '',
      { deleted: [Number(three)], notFound: [], untouched: [] },
    ])
  })

  it('says nothing with --quiet, but what it does not find', async () => {
    const [one = ''] = await stored(1)
    expect(await rsvp(url, ['--quiet', 'delete', one, '--yes'])).toMatchObject({ code: 0, stdout: '', stderr: '' })
    expect(await rsvp(url, ['delete', one, '--yes', '--quiet'])).toMatchObject({
      code: 3,
      stdout: '',
      stderr: `Not found: ${one}. They may have been deleted already.\n`,
    })
  })

  it('refuses to delete unasked', async () => {
    const ids = await stored(2)
    const before = await left()
    for (const words of [ids, [], ['--yes'], ['--json', ...ids]]) {
      const { code, stdout, stderr } = await rsvp(url, ['delete', ...words])
      expect([words, code, stdout]).toEqual([words, 2, ''])
      expect(stderr).toContain('--yes')
    }
    expect(await left()).toEqual(before)
  })

  it.concurrent.each(['abc', '0', '-1', '01', '1e0', '0x1', '1.0', ' 1', '', '1'.repeat(20)])(
    'refuses %j',
    async (word) => {
      const [one = ''] = await stored(1)
      for (const words of [
        [one, word],
        ['--', word, one],
      ]) {
        const { code, stdout, stderr } = await rsvp(url, ['delete', '--yes', ...words])
        expect([code, stdout]).toEqual([2, ''])
        expect(stderr).toContain(JSON.stringify(word))
      }
      expect(await left()).toContain(one)
    },
  )
})

describe('rsvp delete on a terminal', () => {
  it('asks, also in 40 columns, and deletes after y', async () => {
    const [one = '', two = '', three = ''] = await stored(3)
    const single = rsvpInTerminal(url, ['delete', one])
    await single.shows(/^Are you sure you want to delete this RSVP\? \(Ana Cole\) y\/N$/)
    single.press('y')
    expect(await single.ended).toBe(0)
    expect(single.screen()).toMatch(/\nDeleted 1 response\.$/)
    const several = rsvpInTerminal(url, ['delete', two, three, two], { columns: 40 })
    const question =
      /^Are you sure you want to delete 2\s+selected RSVPs\?\s+\(Ana Cole, Ana\s+Cole\)\s+Type 2, then enter: █$/
    await several.shows(question)
    several.press('y\r')
    await several.shows('Not that. Type 2:')
    several.press('2\r')
    expect(await several.ended).toBe(0)
    for (const id of [one, two, three]) expect(await left()).not.toContain(id)
  })

  it.each([
    { input: 'escape', keys: '\u001b', code: 1, says: '\nNothing was changed.' },
    { input: 'enter', keys: '\r', code: 1, says: '\nNothing was changed.' },
    { input: 'Ctrl+C', keys: '\u0003', code: 130, says: '' },
  ])('deletes nothing after $input', async ({ keys, code, says }) => {
    const ids = await stored(2)
    const terminal = rsvpInTerminal(url, ['delete', ...ids, '--json'])
    await terminal.shows('Type 2, then enter:')
    terminal.press(keys)
    expect(await terminal.ended).toBe(code)
    const question = 'Are you sure you want to delete 2 selected RSVPs? (Ana Cole, Ana Cole)'
    expect(terminal.screen()).toBe(`${question}\nType 2, then enter: █${says}`)
    expect(await left()).toEqual(expect.arrayContaining(ids))
  })

  it('ignores what was typed before the question', async () => {
    const [one = ''] = await stored(1)
    const terminal = rsvpInTerminal(url, ['delete', one])
    terminal.press('yyy\r')
    await terminal.shows('Are you sure')
    for (const key of ['y', '\r', '\u001b[200~y\u001b[201~']) terminal.press(key)
    await terminal.shows('y/N')
    terminal.press('\u001b[200~y\u001b[201~')
    terminal.press('\u0019')
    terminal.press('\u001by')
    terminal.press('n')
    expect(await terminal.ended).toBe(1)
    expect(await left()).toContain(one)
  })

  it('asks nothing with --yes, and says nothing with --quiet', async () => {
    const [one = '', two = ''] = await stored(2)
    const terminal = rsvpInTerminal(url, ['delete', one, '--yes'])
    expect([await terminal.ended, terminal.screen()]).toEqual([0, 'Deleted 1 response.'])
    const quiet = rsvpInTerminal(url, ['delete', two, '--yes', '--quiet'])
    expect([await quiet.ended, quiet.raw()]).toEqual([0, ''])
  })

  it('shows a screen to choose from where no id is given', async () => {
    const [one = '', two = '', three = ''] = await stored(3)
    const terminal = rsvpInTerminal(url, ['delete'])
    await terminal.shows(/^Choose what to delete +Attending \d+, Not Attending 0 +by newest\n/)
    terminal.press(' ')
    await terminal.shows(/^› ● \d+ +Ana Cole/m)
    terminal.press('j')
    await terminal.shows(/● \d+ +Ana Cole.*\n› +\d+ +Ana Cole/)
    terminal.press(' ')
    await terminal.shows(/, 2 selected$/m)
    terminal.press('d')
    await terminal.shows('Are you sure you want to delete 2 selected RSVPs? (Ana Cole, Ana Cole)')
    terminal.press('\u001b')
    await terminal.shows(/, 2 selected$/m)
    terminal.press('d')
    await terminal.shows('Type 2, then enter:')
    terminal.press('2\r')
    expect(await terminal.ended).toBe(0)
    expect(terminal.isFullScreen()).toBe(false)
    expect(terminal.screen()).toBe('Deleted 2 responses.')
    expect((await left()).filter((id) => [one, two, three].includes(id))).toEqual([one])
  })

  it.each([
    { how: 'q', keys: 'q', code: 0 },
    { how: 'Ctrl+C', keys: '\u0003', code: 130 },
  ])('deletes nothing when that screen is left with $how', async ({ keys, code }) => {
    await stored(1)
    const before = await left()
    const terminal = rsvpInTerminal(url, ['delete'])
    await terminal.shows(/›/)
    terminal.press(' ')
    await terminal.shows('1 selected')
    terminal.press(keys)
    expect(await terminal.ended).toBe(code)
    expect(terminal.isAsBefore()).toBe(true)
    expect(await left()).toEqual(before)
  })
})
