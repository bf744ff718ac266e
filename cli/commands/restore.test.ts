import { beforeEach, describe, expect, it } from 'vitest'
import { deleteRsvps } from '#db/rsvp/delete.ts'
import { listRsvps, responsesOf } from '#db/rsvp/list.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { testCall, testRsvp } from '#testing/database-fixtures.ts'
import { inDatabase, rsvp, testDatabase } from '../fixtures.ts'

const { url } = testDatabase()
const now = new Date('2025-03-09T06:00:00.000Z')

async function stored(changes: Record<string, unknown> = {}): Promise<string> {
  return String((await createRsvp(testRsvp(changes), testCall())).id)
}

async function storedAndDeleted(changes: Record<string, unknown> = {}): Promise<string> {
  const id = await stored(changes)
  await deleteRsvps({ ids: [Number(id)] }, testCall({ now }))
  return id
}

async function ids(filter: { deleted?: 'true' } = {}): Promise<string[]> {
  const all = responsesOf(await listRsvps({ limit: 1000, ...filter }, testCall()))
  return all.map(({ id }) => String(id))
}

beforeEach(() => inDatabase(url, (database) => database.exec('DELETE FROM rsvps')))

describe('rsvp restore', () => {
  it('brings back what was deleted, whole, and nothing else', async () => {
    const family = { phone: '555-0101', familyMembers: [{ name: 'Joel', age: 'child' }], volunteerRoles: [2, 3] }
    const [one, two, three] = [await stored(family), await stored(), await storedAndDeleted()]
    const before = await rsvp(url, ['list', '--json'])
    await rsvp(url, ['delete', one, two, '--yes'])
    const stderr = 'Restored 2 responses.\n'
    expect(await rsvp(url, ['restore', one, two, one])).toEqual({ code: 0, signal: null, stdout: '', stderr })
    expect(await rsvp(url, ['list', '--json'])).toEqual(before)
    expect(await ids({ deleted: 'true' })).toEqual([three])
  })

  it('brings back what it finds among the deleted, says what it does not find, and ends with 3', async () => {
    const [gone, there] = [await storedAndDeleted(), await stored()]
    const sentence = `Not found among the deleted: 900001, ${there}. See \`rsvp list --deleted\`.\n`
    const restored = await rsvp(url, ['restore', '900001', gone, there])
    expect(restored).toMatchObject({ code: 3, stdout: '', stderr: `Restored 1 response.\n${sentence}` })
    expect(await ids()).toEqual([there, gone])
    const quiet = await rsvp(url, ['restore', gone, '--quiet', '--json'])
    expect(quiet).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/^Not found among the deleted: \d+\. [^\n]+\n$/),
    })
    expect(JSON.parse(quiet.stdout)).toEqual({ restored: [], notFound: [Number(gone)] })
  })
})

describe('rsvp list --deleted', () => {
  it('prints only the deleted ones, with the cells of the others and what happened, and in JSON the moment of the deletion', async () => {
    await stored()
    const id = await storedAndDeleted({ name: 'Bao Nguyen', phone: '555-0101', attending: false })
    const other = await storedAndDeleted()
    const cells = [id, 'Bao Nguyen', 'ana@cole.example', '555-0101', '', 'Not Attending', '', '', '']
    const deletion = 'Deleted on Mar 9, 2025'
    const stdout = `${[...cells, '2025-01-05T14:00:00.000Z', '2025-01-11', '', deletion].join('\t')}\n`
    const words = ['list', '--deleted', '--search', 'bao', '--status', 'not-attending']
    expect(await rsvp(url, words)).toEqual({ code: 0, signal: null, stdout, stderr: '' })
    expect((await rsvp(url, ['list', '--deleted'])).stdout.match(/^\d+/gm)).toEqual([other, id])
    const [deleted] = JSON.parse((await rsvp(url, ['list', '--deleted', '--json'])).stdout)
    expect(deleted).toMatchObject({ id: Number(other), deletedAt: now.toISOString() })
  })
})
