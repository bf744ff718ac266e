import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { openDatabase } from '#db/open.ts'
import { closeDatabase, db, transaction } from '#db/storage/client.ts'
import { familyMembers, rsvps, standingRsvps } from '#db/tables/rsvp.ts'
import { fileForEachTest, testCall } from '#testing/database-fixtures.ts'
import { startLibsqlServer } from '#testing/libsql-server.mjs'
import { changeSchedule } from './change-schedule.ts'

const HOUSEHOLDS = 60
const DAYS = ['2026-11-21', '2026-11-28', '2026-12-05', '2026-12-12']
const FULL = DAYS.map(() => HOUSEHOLDS)
const isLong = process.env.SWEEP === 'whole'
const call = testCall({ now: new Date('2026-11-18T12:00:00Z') })
const database = fileForEachTest()

/** A process that writes what is due three weeks later, as each instance of a site does. */
function writer(url: string) {
  const script = `
    import { openDatabase } from '${join(import.meta.dirname, '../open.ts')}'
    import { closeDatabase } from '${join(import.meta.dirname, '../storage/client.ts')}'
    import { writeStandingRsvps } from '${join(import.meta.dirname, 'write-weeks.ts')}'
    await openDatabase('${url}')
    process.stdout.write('opened')
    await writeStandingRsvps({ now: new Date('2026-12-09T12:00:00Z'), role: 'owner', actor: 'site' })
    await closeDatabase()`
  return spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
}

/** How many RSVPs each service has, with as many family members; fails if a household has two. */
async function written(): Promise<number[]> {
  const found = await db.select({ day: rsvps.serviceDate, id: rsvps.standingId }).from(rsvps)
  expect(new Set(found.map(({ day, id }) => `${day} ${id}`)).size).toBe(found.length)
  expect(await db.$count(familyMembers)).toBe(found.length)
  return DAYS.map((date) => found.filter(({ day }) => day === date).length)
}

async function prepare(url: string): Promise<void> {
  await openDatabase(url)
  await changeSchedule({ weekday: 6, startTime: '10:00', durationMinutes: 120, timeZone: 'America/Chicago' }, call)
  const moment = call.now.toISOString()
  const standing = {
    name: 'Ana Cole',
    familyMembers: [{ name: 'Joel Cole', attending: true }],
    volunteerRoles: [],
    remind: false,
    since: '2026-11-14',
    writtenUntil: '2026-11-14',
    createdAt: moment,
    seenAt: moment,
  }
  const rows = Array.from({ length: HOUSEHOLDS }, (_, place) => ({ ...standing, email: `${place}@cole.example` }))
  await transaction((tx) => tx.insert(standingRsvps).values(rows))
}

/** Kills a writer a little later each time, in `npm run test:long` in small steps, until one comes to its end. */
async function killOften(url: string): Promise<void> {
  for (let ms = 40, code: unknown; code !== 0; ms = isLong ? ms + 40 : ms * 4) {
    const child = writer(url)
    await once(child.stdout, 'data')
    const ended = once(child, 'close')
    await Promise.race([delay(ms), ended])
    child.kill('SIGKILL')
    code = (await ended)[0]
    for (const count of await written()) expect([0, HOUSEHOLDS]).toContain(count)
  }
  expect(await written()).toEqual(FULL)
}

it('leaves each service whole or unwritten when it is killed, and ends what was begun', async () => {
  await prepare(database.url)
  await killOften(database.url)
})

it('writes each RSVP once where several instances share a libSQL server', async () => {
  const server = await startLibsqlServer()
  try {
    await prepare(server.url)
    if (isLong) await killOften(server.url)
    await transaction(async (tx) => {
      await tx.delete(rsvps)
      await tx.update(standingRsvps).set({ writtenUntil: '2026-11-14' })
    })
    const codes = await Promise.all([1, 2, 3].map(async () => (await once(writer(server.url), 'close'))[0]))
    expect(codes).toEqual([0, 0, 0])
    expect(await written()).toEqual(FULL)
  } finally {
    await closeDatabase()
    await server.stop()
  }
})
