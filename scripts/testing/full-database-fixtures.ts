import { DatabaseSync } from 'node:sqlite'
import { addPasskey } from '#db/access/fixtures.ts'
import { setPassword } from '#db/access/setup.ts'
import { signIn } from '#db/access/sign-in.ts'
import { changeChurch, preparePicture, storePicture } from '#db/church.ts'
import { testPicture } from '#db/church-fixtures.ts'
import { changeEventTexts, saveEventTranslation } from '#db/event.ts'
import { changeFeatures } from '#db/features.ts'
import { changeSchedule } from '#db/rsvp/change-schedule.ts'
import { deleteRsvp, eraseRsvps } from '#db/rsvp/delete.ts'
import { changeVolunteerRole, createVolunteerRole } from '#db/rsvp/roles.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { changeSettings } from '#db/settings.ts'
import { transaction } from '#db/storage/client.ts'
import { openRemote } from '#db/storage/remote.ts'
import { challenges } from '#db/tables/access.ts'
import { mailState, mailStops } from '#db/tables/mail.ts'
import { changeTurnout } from '#db/turnout.ts'
import { testCall, testPassword, testRsvp } from './database-fixtures.ts'

const call = testCall()
const visitor = testCall({ role: 'visitor', actor: 'visitor', network: '192.0.2.1', now: new Date() })

/** Puts rows into every table of the open database. */
export async function fillEverything(): Promise<void> {
  await changeSettings({ prayers: true }, call)
  await createRsvp(
    testRsvp({
      phone: '555-0100',
      message: "Hello\n👋; it's",
      familyMembers: [{ name: '김민수' }],
      volunteerRoles: [1, 2],
      ...{ standing: true, prayer: 'For Kim' },
    }),
    { ...call, sendsMail: true },
  )
  const deleted = await createRsvp(testRsvp({ name: 'Deleted One' }), {
    ...visitor,
    allowance: { atOnce: 60, everyMs: 60_000 },
  })
  await createRsvp(testRsvp({ name: 'Kim', attending: false }), call)
  const erased = testRsvp({ name: 'Erased One', email: 'erased@cole.example' })
  const { id } = await createRsvp({ ...erased, idempotencyKey: 'erased' }, call)
  await deleteRsvp({ id: String(deleted.id) }, call)
  await deleteRsvp({ id: String(id) }, call)
  await eraseRsvps({ email: 'erased@cole.example' }, call)
  await changeVolunteerRole({ id: String((await createVolunteerRole({ name: 'Old' }, call)).id), retired: true }, call)
  await changeFeatures({ familyRsvp: false }, call)
  await changeEventTexts({ title: 'Sunday — 예배' }, call)
  await saveEventTranslation({ language: 'ko', title: '주일 예배' }, call)
  await changeChurch({ name: 'Grace Church', accent: 'teal' }, call)
  await storePicture(await preparePicture(await testPicture()), call)
  await changeSettings({ publicNames: 'counts', retentionDays: 3650 }, call)
  await changeSchedule({ skippedDates: ['2025-12-27'] }, call)
  await changeTurnout({ date: '2025-01-04', turnout: 87 }, call)
  await setPassword({ password: testPassword }, call)
  await signIn({ password: 'not the password' }, visitor).catch(() => {})
  await signIn({ password: testPassword }, { ...visitor, network: '192.0.2.2' })
  await addPasskey(1)
  await transaction((tx) =>
    tx.batch([
      tx.insert(challenges).values({ browserHash: 'hash', challenge: 'AQID', endsAt: 1 }),
      tx.insert(mailStops).values({ addressHash: 'hash', createdAt: call.now.toISOString() }),
      tx.insert(mailState).values({ restoredAt: call.now.toISOString() }),
    ]),
  )
}

/** All rows of a file by table, and its schema. */
export async function everythingInFile(file: string): Promise<Record<string, string[]>> {
  const opened = new DatabaseSync(file, { readOnly: true })
  const everything = await everythingOf(async (sql) =>
    opened
      .prepare(sql)
      .all()
      .map((row) => Object.values(row)),
  )
  opened.close()
  return everything
}

/** All rows of a libSQL server by table, and its schema. */
export async function everythingOn(url: string): Promise<Record<string, string[]>> {
  const server = openRemote(url, undefined)
  const everything = await everythingOf(async (sql) => {
    const { rows } = await server.read({ sql, args: [] })
    return rows.map((row) => Array.from(row))
  })
  await server.close()
  return everything
}

async function everythingOf(read: (sql: string) => Promise<unknown[][]>): Promise<Record<string, string[]>> {
  const everything: Record<string, string[]> = {
    schema: textsOf(await read('SELECT type, name, sql FROM sqlite_master')),
  }
  for (const [name] of await read("SELECT name FROM sqlite_master WHERE type = 'table'")) {
    everything[String(name)] = textsOf(await read(`SELECT * FROM "${name}"`))
  }
  return everything
}

/** Rows as sorted texts, independent of their order in the table. */
function textsOf(rows: unknown[][]): string[] {
  const text = (value: unknown) => (value instanceof ArrayBuffer ? new Uint8Array(value) : value)
  return rows.map((row) => JSON.stringify(row.map(text))).sort()
}
