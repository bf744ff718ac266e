import { describe, expect, it } from 'vitest'
import { changeChurch } from '#db/church.ts'
import { openDatabase } from '#db/open.ts'
import { changeSchedule } from '#db/rsvp/change-schedule.ts'
import { listRsvps, responsesOf } from '#db/rsvp/list.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { closeDatabase } from '#db/storage/client.ts'
import { changeFile, fileForEachTest, testCall, testRsvp } from '#testing/database-fixtures.ts'
import { verifyBackup } from './restore.ts'

const call = testCall()
const sent = testRsvp({ name: 'José Núñez', familyMembers: [{ name: '이서연' }], volunteerRoles: [2] })
const database = fileForEachTest(() => createRsvp(sent, call))

async function changed(sql: string) {
  await closeDatabase()
  changeFile(database.file, sql)
  return verifyBackup(database.file, database.url)
}

describe('findForeignValues', () => {
  it('finds nothing in what the site stores', async () => {
    await openDatabase(database.url)
    await changeSchedule({ timeZone: 'America/Argentina/Buenos_Aires', closesMinutesBefore: 0 }, call)
    await changeChurch({ accent: 'teal' }, call)
    expect(await changed('')).toBe(1)
  })

  it.each([
    ['rsvps.name', "UPDATE rsvps SET name = X'ff00' WHERE id = 1"],
    ['rsvps.message', "UPDATE rsvps SET message = replace(hex(zeroblob(3000000)), '0', 'a') WHERE id = 1"],
    ['rsvps.email', 'UPDATE rsvps SET email = hex(zeroblob(400)) WHERE id = 1'],
    ['rsvps.attending', "UPDATE rsvps SET attending = 'yes' WHERE id = 1"],
    ['rsvps.standing_id', 'UPDATE rsvps SET standing_id = 9007199254740993 WHERE id = 1'],
    ['rsvps.identity', "UPDATE rsvps SET identity = CAST(X'41ff42c3' AS TEXT) WHERE id = 1"],
    ['rsvps.calendar_type', "UPDATE rsvps SET calendar_type = 'sundial' WHERE id = 1"],
    ['family_members.age', "UPDATE family_members SET age = 'old'"],
    ['volunteer_roles.needed', 'UPDATE volunteer_roles SET needed = 1.5 WHERE id = 1'],
    ['rsvps.created_at', "UPDATE rsvps SET created_at = 'not a date'"],
    ['rsvps.deleted_at', "UPDATE rsvps SET deleted_at = 'now'"],
    ['rsvps.service_date', "UPDATE rsvps SET service_date = '2026-13-45'"],
    ...[
      ["'2026-02-30'", 'since'],
      ["'7'", 'start_time'],
      ["'25:00'", 'start_time'],
      ["'Mars/Base'", 'time_zone'],
      ['9', 'weekday'],
      ['0', 'duration_minutes'],
    ].map(([value, column]): [string, string] => [
      `schedules.${column}`,
      `INSERT INTO schedules (weekday, start_time, duration_minutes, time_zone, since)
        VALUES (0, '10:00', 90, 'America/Chicago', '2025-01-05'); UPDATE schedules SET ${column} = ${value}`,
    ]),
    ['churches.accent', "INSERT INTO churches (accent) VALUES ('#6a3460')"],
    ['skipped_dates.date', "INSERT INTO skipped_dates (date) VALUES ('hello')"],
    ...['{', '{}', '[1]', '[{"name":1}]'].map((json): [string, string] => [
      'standing_rsvps.family_members',
      `INSERT INTO standing_rsvps (name, email, family_members, volunteer_roles, remind, since, written_until, created_at, seen_at)
        VALUES ('Kim', '', '${json}', '[]', 0, '2026-11-29', '2026-11-29', '2026-11-29T08:00:00.000Z',
          '2026-11-29T08:00:00.000Z')`,
    ]),
  ])('finds in %s what no site stores', async (named, sql) => {
    await expect(changed(sql)).rejects.toThrow(`creates: ${named} (1 of another form).`)
  })

  it('finds rows that refer to a missing row, as damage', async () => {
    const orphan = "INSERT INTO family_members (rsvp_id, position, name, attending) VALUES (999, 0, 'Joel Cole', 1)"
    await expect(changed(orphan)).rejects.toThrow('damaged (A row of family_members refers to a missing row.)')
  })

  it.each([
    ["CAST(x'ff00' AS BLOB)", ''],
    ["replace(hex(zeroblob(3000000)), '0', 'a')", 'a'.repeat(4000)],
  ])('leaves a list readable where %s is stored while the site runs', async (value, read) => {
    await openDatabase(database.url)
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
