import { beforeEach, describe, expect, it } from 'vitest'
import { deleteRsvps } from '#db/rsvp/delete.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { testCall, testRsvp } from '#testing/database-fixtures.ts'
import { inDatabase, rsvp, testDatabase } from '../fixtures.ts'

const { url } = testDatabase()
const now = new Date('2025-03-09T06:00:00.000Z')
const run = (...words: string[]) => rsvp(url, words)

/** Stores a response and returns its id as it is typed. */
async function stored(changes: Record<string, unknown> = {}): Promise<string> {
  return String((await createRsvp(testRsvp(changes), testCall())).id)
}

async function storedAndDeleted(changes: Record<string, unknown> = {}): Promise<string> {
  const id = await stored(changes)
  await deleteRsvps({ ids: [Number(id)] }, testCall({ now }))
  return id
}

async function listed(...words: string[]): Promise<string[] | null> {
  return (await run('list', ...words)).stdout.match(/^\d+/gm)
}

beforeEach(() => inDatabase(url, (database) => database.exec('DELETE FROM rsvps')))

describe('rsvp restore', () => {
  it('brings back what was deleted, whole, and nothing else', async () => {
    const family = { phone: '555-0101', familyMembers: [{ name: 'Joel', age: 'child' }], volunteerRoles: [2, 3] }
    const [one, two, three] = [await stored(family), await stored(), await storedAndDeleted()]
    const before = await run('list', '--json')
    await run('delete', one, two, '--yes')
    expect(await run('restore', one, two, one)).toEqual({ code: 0, stdout: '', stderr: 'Restored 2 responses.\n' })
    expect(await run('list', '--json')).toEqual(before)
    expect(await listed('--deleted')).toEqual([three])
  })

  it('brings back what it finds among the deleted, prints what it does not find, and exits with 3', async () => {
    const [deleted, kept] = [await storedAndDeleted(), await stored()]
    const stderr = `Restored 1 response.\nNot found among the deleted: 900001, ${kept}. See \`rsvp list --deleted\`.\n`
    expect(await run('restore', '900001', deleted, kept)).toEqual({ code: 3, stdout: '', stderr })
    expect(await listed()).toEqual([kept, deleted])
    const quiet = await run('restore', deleted, '--quiet', '--json')
    expect(quiet).toMatchObject({ code: 3, stderr: expect.stringMatching(/^Not found among the deleted: \d+\. .+\n$/) })
    expect(JSON.parse(quiet.stdout)).toEqual({ restored: [], notFound: [Number(deleted)] })
  })
})

it('rsvp list --deleted prints the cells of deleted responses and what happened, and the moment as JSON', async () => {
  await stored()
  const id = await storedAndDeleted({ name: 'Bao Nguyen', phone: '555-0101', attending: false })
  const other = await storedAndDeleted()
  const cells = [id, 'Bao Nguyen', 'ana@cole.example', '555-0101', '', 'Not Attending', '', '', '']
  const stdout = `${[...cells, '2025-01-05T14:00:00.000Z', '2025-01-11', '', 'Deleted on Mar 9, 2025'].join('\t')}\n`
  const words = ['--deleted', '--search', 'bao', '--status', 'not-attending']
  expect(await run('list', ...words)).toEqual({ code: 0, stdout, stderr: '' })
  expect(await listed('--deleted')).toEqual([other, id])
  const [deleted] = JSON.parse((await run('list', '--deleted', '--json')).stdout)
  expect(deleted).toMatchObject({ id: Number(other), deletedAt: now.toISOString() })
})
