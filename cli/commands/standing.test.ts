import { beforeAll, describe, expect, it } from 'vitest'
import { testCall, testRsvp } from '#db/fixtures.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { listStanding } from '#db/standing/operations.ts'
import { rsvp, rsvpDrawn, testDatabase } from '../fixtures.ts'

const { url } = testDatabase()

beforeAll(async () => {
  await createRsvp(testRsvp({ name: 'Eva Kim', email: 'eva@kim.example', firstVisit: true }), testCall())
  await createRsvp(testRsvp({ phone: '555 0101', standing: true }), testCall())
})

describe('rsvp standing', () => {
  const cells = ['1', 'Ana Cole', 'ana@cole.example', '555 0101', '2025-01-11']
  const moments = ['2025-01-05T14:00:00.000Z', '2026-01-05T14:00:00.000Z']

  it('lists the households that come every week, as lines, as JSON and as a table', async () => {
    expect(await rsvp(url, ['standing'])).toMatchObject({ code: 0, stdout: `${[...cells, ...moments].join('\t')}\n` })
    const { stdout } = await rsvp(url, ['standing', 'list', '--json'])
    expect(JSON.parse(stdout)).toEqual(await listStanding(testCall()))
    const [head, line] = (await rsvpDrawn(url, ['standing'], { columns: 80 })).screen().split('\n')
    expect(head).toMatch(/^Id +Name +Since +Last sign +Ends/)
    expect(line).toMatch(/^1 +Ana Cole +2025-01-11 +Jan 5, 2025 +Jan 5, 2026/)
  })

  it('marks their responses, and lists only these', async () => {
    const all = await rsvpDrawn(url, ['list', '--plain', '--week', 'all'], { columns: 80 })
    expect(all.screen()).toMatch(/↻ Ana Cole[\s\S]*★ Eva Kim/)
    const { stdout } = await rsvp(url, ['list', '--standing', '--week', 'all', '--json'])
    expect(JSON.parse(stdout)).toMatchObject(Array(8).fill({ name: 'Ana Cole', standing: true }))
    expect((await rsvp(url, ['show', '2'])).stdout).toContain('Comes every week\tyes')
    expect((await rsvp(url, ['show', '1'])).stdout).toContain('First visit\tyes')
  })

  it('keeps one that has said that it still comes', async () => {
    expect(await rsvp(url, ['standing', 'keep', '1'])).toMatchObject({ stderr: 'Number 1 still comes every week.\n' })
    const [household] = await listStanding(testCall())
    expect(household?.seenAt).not.toBe(moments[0])
    expect(await rsvp(url, ['standing', 'keep', '7'])).toMatchObject({ code: 3 })
  })

  it('marks one that was sent again, and ends one or several, all or none', async () => {
    for (const name of ['ana cole', 'Ben Roe']) await createRsvp(testRsvp({ name, standing: true }), testCall())
    const lines = (await rsvpDrawn(url, ['standing'], { columns: 120 })).screen().split('\n')
    expect(lines.filter((line) => line.includes('(sent again)'))).toEqual([expect.stringMatching(/^1 +Ana Cole/)])
    const end = async (...words: string[]) => Object.values(await rsvp(url, ['standing', 'end', ...words]))
    const notFound = 'No household comes every week under number 7. It may have ended already.\n'
    expect(await end('1', '7', '--json')).toEqual(expect.arrayContaining([3, notFound]))
    const stays = (they: string) => `every week. What ${they} said for services that are over stays.\n`
    expect(await end('1')).toContain(`Number 1 no longer comes ${stays('it')}`)
    expect(await end('2', '3')).toContain(`Numbers 2, 3 no longer come ${stays('they')}`)
    expect((await rsvp(url, ['standing', '--json'])).stdout).toBe('[]\n')
  })
})
