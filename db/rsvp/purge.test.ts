import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { queueMail } from '#db/mail/queue.ts'
import { changeSettings } from '#db/settings.ts'
import { db, transaction } from '#db/storage/client.ts'
import { auditEntries } from '#db/tables/access.ts'
import { mailQueue } from '#db/tables/mail.ts'
import { familyMembers, prayers, privateLinks, rsvps } from '#db/tables/rsvp.ts'
import {
  auditLines,
  emptyTables,
  everyRow,
  fileDatabase,
  openForTests,
  testCall,
  testRsvp,
  testStoredRsvp,
} from '#testing/database-fixtures.ts'
import { countRsvps, getStatistics } from './counts.ts'
import { deleteRsvp, deleteRsvps, eraseRsvps, restoreRsvps } from './delete.ts'
import { getRsvp, listRsvps, responsesOf } from './list.ts'
import { mergeRsvps } from './merge.ts'
import { storePrayer } from './prayers.ts'
import { makeLink } from './private-links.ts'
import { anonymizeOldRsvps, countDue, eraseOldDeletions, getSettingsAndOld, RESTORABLE_DAYS } from './purge.ts'
import { createSampleRsvps, deleteSampleRsvps, hasRealRsvps } from './sample.ts'
import { createRsvp } from './submit.ts'

const call = testCall({ actor: 'site' })
const at = (days: number, ms = 0) => testCall({ now: new Date(call.now.getTime() + days * 24 * 3600 * 1000 + ms) })

async function addRsvp(changes: Record<string, unknown>, daysAgo: number, ms = 0): Promise<number> {
  return (await createRsvp(testRsvp(changes), at(-daysAgo, ms))).id
}

const canaries = {
  name: 'Canary Cole',
  email: 'canary@cole.example',
  phone: 'canary phone',
  message: 'canary message',
  addToCalendar: true,
  calendarType: 'ical',
  familyMembers: [
    { name: 'Canary Child', age: 'child' },
    { name: 'Canary Teen', age: 'teen', attending: false },
  ],
  volunteerRoles: [1, 2],
}

const database = fileDatabase()
openForTests(database.url)
afterAll(database.stop)
beforeEach(() => emptyTables(rsvps, auditEntries))

describe('anonymizeOldRsvps', () => {
  it('leaves nothing personal in any table, and all that is counted', async () => {
    const id = await addRsvp(canaries, 91)
    await transaction(async (tx) => {
      await makeLink(tx, { rsvpId: id }, at(-91))
      await queueMail(tx, [{ key: 'reminder', kind: 'reminder', rsvpId: id, dueAt: '', endsAt: '' }], call.now)
    })
    await addRsvp({ ...canaries, attending: false, familyMembers: [] }, 91)
    await deleteRsvp({ id: String(await addRsvp(canaries, 91)) }, testCall())
    await addRsvp({ familyMembers: [{ name: 'Joel Cole' }], volunteerRoles: [2] }, 1)
    await emptyTables(auditEntries)
    const counted = async () => [await countRsvps({}), await getStatistics({})]
    const before = await counted()
    expect(await everyRow()).toMatch(/canary/i)
    expect(await getSettingsAndOld({ olderThan: 90 }, call)).toMatchObject({ old: 3 })
    expect(await anonymizeOldRsvps({ days: 90 }, call)).toBe(3)
    expect(await everyRow()).not.toMatch(/canary/i)
    expect([await db.$count(privateLinks), await db.$count(mailQueue)]).toEqual([0, 0])
    expect(await counted()).toEqual(before)
    expect(await getRsvp({ id: String(id) })).toEqual(
      testStoredRsvp(id, {
        name: 'Anonymous',
        email: '',
        phone: null,
        message: null,
        addToCalendar: true,
        calendarType: 'ical',
        createdAt: '2024-10-06T14:00:00.000Z',
        serviceDate: '2024-10-12',
        familyMembers: [
          { name: 'Anonymous', age: 'child', attending: true },
          { name: 'Anonymous', age: 'teen', attending: false },
        ],
        volunteerSignups: [{ role: { id: 1, name: 'Greeter' } }, { role: { id: 2, name: 'Usher' } }],
      }),
    )
    expect(await auditLines()).toEqual(['site: responses made anonymous 3'])
    // That there was one is for the administrator only.
    for (const actor of ['visitor', 'open mode'] as const) {
      const { objects } = await listRsvps({}, testCall({ role: 'visitor', actor }))
      expect(objects.join()).not.toContain('Anonymous')
    }
  })

  it('counts a family once also where only its newest response is old enough, and later the other', async () => {
    const newest = await addRsvp({ name: 'Ana Cole' }, 91)
    await addRsvp({ name: 'Ana Cole' }, 89)
    await transaction((tx) => tx.update(rsvps).set({ changedAt: call.now.toISOString() }).where(eq(rsvps.id, newest)))
    const before = await getStatistics({})
    expect(before).toMatchObject({ superseded: 1, people: { expected: 1 } })
    for (const days of [90, 88]) {
      expect(await anonymizeOldRsvps({ days }, call)).toBe(1)
      expect(await getStatistics({})).toEqual(before)
    }
  })

  it('takes what is older than so many days to the millisecond, and once', async () => {
    const [old, kept] = [await addRsvp({}, 90, -1), await addRsvp({}, 90)]
    for (const left of [1, 0]) {
      expect(await getSettingsAndOld({ olderThan: 90 }, call)).toMatchObject({ old: left })
      expect(await anonymizeOldRsvps({ days: 90 }, call)).toBe(left)
    }
    expect(await getRsvp({ id: String(old) })).toMatchObject({ name: 'Anonymous' })
    expect(await getRsvp({ id: String(kept) })).toMatchObject({ name: 'Ana Cole', email: 'ana@cole.example' })
    expect(await auditLines()).toEqual(['site: responses made anonymous 1'])
  })

  it('leaves samples what they are', async () => {
    await createSampleRsvps(Array(2).fill('2024-01-01T00:00:00.000Z'), call)
    expect(await anonymizeOldRsvps({ days: 90 }, call)).toBe(2)
    expect(await hasRealRsvps()).toBe(false)
    expect(await deleteSampleRsvps(call)).toBe(2)
  })

  it.each([{ days: 0 }, { days: 1.5 }, { days: '90' }, {}, undefined])('refuses %j', async (age) => {
    await addRsvp({}, 5000)
    await expect(anonymizeOldRsvps(age, call)).rejects.toMatchObject({ code: 'invalid' })
    expect(await db.select().from(rsvps)).toMatchObject([{ name: 'Ana Cole' }])
  })
})

describe('eraseOldDeletions', () => {
  it('erases after 30 days what was deleted, with what belongs to it, and nothing else', async () => {
    const family = { familyMembers: [{ name: 'Canary Child' }] }
    const [live, late, gone] = [await addRsvp({}, 0), await addRsvp({}, 0), await addRsvp(family, 0)]
    await transaction((tx) => storePrayer(tx, gone, { prayer: 'canary' }, call))
    await deleteRsvp({ id: String(gone) }, call)
    await deleteRsvp({ id: String(late) }, at(0, 1))
    await emptyTables(auditEntries)
    expect(RESTORABLE_DAYS).toBe(30)
    expect(await eraseOldDeletions(at(30))).toBe(0)
    expect(await auditLines()).toEqual([])
    expect(await eraseOldDeletions({ ...at(30, 1), actor: 'site' })).toBe(1)
    expect(await auditLines()).toEqual(['site: responses erased 1'])
    expect(await db.select().from(rsvps)).toMatchObject([{ id: live }, { id: late }])
    expect(await everyRow()).not.toMatch(/canary/i)
    expect(await db.$count(familyMembers)).toBe(0)
    expect(await restoreRsvps({ ids: [gone] }, call)).toEqual([])
    await restoreRsvps({ ids: [late] }, at(365))
    expect(await eraseOldDeletions(at(3650))).toBe(0)
  })

  it('leaves a merged one as long as its prayer request is kept', async () => {
    const [merged, kept] = [await addRsvp({}, 0), await addRsvp({}, 0)]
    await transaction((tx) => storePrayer(tx, merged, { prayer: 'For Mia', prayerAudience: 'pastor' }, call))
    await mergeRsvps({ id: String(kept) }, call)
    expect(await eraseOldDeletions(at(31))).toBe(0)
    await emptyTables(prayers)
    expect(await eraseOldDeletions(at(31))).toBe(1)
  })
})

it('what is due is counted', async () => {
  expect(await countDue(call)).toBe(0)
  for (const [daysAgo, ms] of [[91], [90, -1], [60], [59, -1], [59], [1]] as const) await addRsvp({}, daysAgo, ms)
  for (const daysAgo of [31, 10, 1]) await deleteRsvp({ id: String(await addRsvp({}, 0)) }, at(-daysAgo))
  expect(await countDue(call)).toBe(1)
  await changeSettings({ retentionDays: 90 }, call)
  expect(await countDue(call)).toBe(3)
  await changeSettings({ retentionDays: null }, call)
})

describe('an erased text is not in the file', () => {
  const email = 'canary@cole.example'

  /** How often a canary occurs in the database file and in the files beside it. */
  function canariesInFiles(): number {
    const files = readdirSync(database.folder).map((name) => readFileSync(join(database.folder, name), 'latin1'))
    return files.join('').match(/canary/gi)?.length ?? 0
  }

  /** Long and short messages, so that some fill pages of their own; two of three RSVPs are kept. */
  beforeEach(async () => {
    const sent = Array.from({ length: 60 }, (_, count) => {
      const isCanary = count % 3 === 0
      const message = `${isCanary ? 'canary' : 'others'} `.repeat(1 + ((count * 17) % 280))
      return testRsvp({
        message,
        ...(isCanary && { email, name: 'Canary', familyMembers: [{ name: 'Canary Child' }] }),
      })
    })
    await Promise.all(sent.map((rsvp) => createRsvp(rsvp, call)))
    expect(canariesInFiles()).toBeGreaterThan(0)
  })

  it.each<[string, number, () => Promise<number>]>([
    ['erased', 20, () => eraseRsvps({ email }, call)],
    ['made anonymous', 60, () => anonymizeOldRsvps({ days: 90 }, at(91))],
  ])('once it is %s', async (_, count, purge) => {
    expect(await purge()).toBe(count)
    expect(canariesInFiles()).toBe(0)
  })

  it('once its deletion is too old', async () => {
    const ids = responsesOf(await listRsvps({ email }, call)).map(({ id }) => id)
    await deleteRsvps({ ids }, call)
    expect(canariesInFiles()).toBeGreaterThan(0)
    expect(await eraseOldDeletions(at(90))).toBe(20)
    expect(canariesInFiles()).toBe(0)
  })
})
