import { once } from 'node:events'
import { beforeAll, describe, expect, it } from 'vitest'
import { testCall, testRsvp } from '#db/fixtures.ts'
import { createRsvp, listRsvps } from '#db/rsvp/operations.ts'
import { inDatabase, inShell, makeDatabase, rsvp, rsvpInTerminal, start, testDatabase, testFolder, testResponses } from '../fixtures.ts'

const HOSTILE = 'Eve\u001b]0;owned\u0007\u001b[5m\u009b31m\t\r\n\u2028\u202e\u2066 Doe'
/** What a terminal would obey, or what would end a line or a cell. */
const obeyed = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/
const colors = /\u001b\[[\d;]*m/

const { url } = testDatabase()
const nobody = testFolder()
const many = testResponses(20_000)

beforeAll(async () => {
  await makeDatabase(nobody.url)
  const moments = ['2025-03-09T05:59:59.999Z', '2025-03-09T06:00:00.000Z', '2025-03-10T04:59:59.999Z', '2025-03-10T05:00:00.000Z']
  const answers = [
    { familyMembers: [{ name: 'Joel Cole', age: 'child' }, { name: 'Dina Cole', attending: false }], volunteerRoles: [2, 3] },
    { name: 'José Álvarez', email: 'jose@alvarez.example', attending: false, phone: '555-0101', message: 'Sorry,\nwe are away' },
    { name: HOSTILE, message: HOSTILE, familyMembers: [{ name: HOSTILE }] },
    { name: 'Bao Nguyen', email: 'bao@nguyen.example', addToCalendar: true, calendarType: 'google' },
  ]
  for (const [position, answer] of answers.entries()) {
    await createRsvp(testRsvp(answer), testCall({ now: new Date(moments[position] ?? '') }))
  }
  inDatabase(url, (database) => database.prepare('UPDATE rsvps SET email = ?, phone = ? WHERE id = 3').run(HOSTILE, HOSTILE))
})

async function idsOf(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await rsvp(url, ['list', ...words], { env: { TZ: 'America/Chicago' } })
  expect([code, stderr]).toEqual([0, ''])
  return stdout.split('\n').slice(0, -1).map((line) => line.split('\t')[0]).join(' ')
}
