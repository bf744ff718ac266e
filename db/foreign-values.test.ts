import { beforeEach, describe, expect, it } from 'vitest'
import { examineBackup } from './backup/copy.ts'
import { changeFile, fileForEachTest, testCall, testRsvp } from './fixtures.ts'
import { openDatabase } from './open.ts'
import { listRsvps, responsesOf } from './rsvp/list.ts'
import { createRsvp } from './rsvp/submit.ts'
import { closeDatabase } from './storage/client.ts'

const call = testCall()
const database = fileForEachTest()

beforeEach(async () => {
  await openDatabase(database.url)
  await createRsvp(testRsvp({ name: 'José Núñez', familyMembers: [{ name: '이서연' }], volunteerRoles: [2] }), call)
})

async function changed(sql: string) {
  await closeDatabase()
  changeFile(database.file, sql)
  return examineBackup(database.file)
}

describe('findForeignValues', () => {
  it('finds nothing in what the site stores', async () => {
    expect(await changed('')).toMatchObject({ kind: 'whole', responses: 1 })
  })

  it.each([
    ['rsvps.name', "UPDATE rsvps SET name = X'ff00' WHERE id = 1"],
    ['rsvps.message', "UPDATE rsvps SET message = replace(hex(zeroblob(3000000)), '0', 'a') WHERE id = 1"],
    ['rsvps.email', 'UPDATE rsvps SET email = hex(zeroblob(400)) WHERE id = 1'],
    ['rsvps.attending', "UPDATE rsvps SET attending = 'yes' WHERE id = 1"],
    ['rsvps.standing_id', 'UPDATE rsvps SET standing_id = 9007199254740993 WHERE id = 1'],
    ['rsvps.public_name', "UPDATE rsvps SET public_name = CAST(X'41ff42c3' AS TEXT) WHERE id = 1"],
    ['rsvps.calendar_type', "UPDATE rsvps SET calendar_type = 'sundial' WHERE id = 1"],
    ['family_members.age', "UPDATE family_members SET age = 'old'"],
    ['volunteer_roles.needed', 'UPDATE volunteer_roles SET needed = 1.5 WHERE id = 1'],
    ...['{', '{}', '[1]', '[{"name":1}]'].map((json): [string, string] => [
      'standing_rsvps.family_members',
      `INSERT INTO standing_rsvps (name, email, family_members, volunteer_roles, remind, since, written_until, created_at, seen_at)
        VALUES ('Kim', '', '${json}', '[]', 0, '', '', '', '')`,
    ]),
  ])('finds in %s what no site stores', async (named, sql) => {
    expect(await changed(sql)).toEqual({ kind: 'altered', objects: [`${named} (1 of another type or length)`] })
  })

  it.each([
    ["CAST(x'ff00' AS BLOB)", ''],
    ["replace(hex(zeroblob(3000000)), '0', 'a')", 'a'.repeat(4000)],
  ])('leaves a list readable where %s is stored while the site runs', async (value, read) => {
    for (const [table, column] of [
      ['rsvps', 'name'],
      ['rsvps', 'message'],
      ['family_members', 'name'],
    ])
      changeFile(database.file, `UPDATE ${table} SET ${column} = ${value}`)
    const [found] = responsesOf(await listRsvps({}, call))
    expect(found).toMatchObject({ name: read, message: read, familyMembers: [{ name: read }] })
  })
})
