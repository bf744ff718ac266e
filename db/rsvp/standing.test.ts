import { eq } from 'drizzle-orm'
import { beforeEach, expect, it } from 'vitest'
import { queueMail } from '#db/mail/queue.ts'
import { changeSettings, storePurge } from '#db/settings.ts'
import { db, transaction } from '#db/storage/client.ts'
import { auditEntries } from '#db/tables/access.ts'
import { mailQueue } from '#db/tables/mail.ts'
import { prayers, privateLinks, rsvps, standingRsvps } from '#db/tables/rsvp.ts'
import { addDays } from '#db/values/dates.ts'
import {
  auditLines,
  describeOnBothDatabases,
  emptyTables,
  everyRow,
  testCall,
  testRsvp,
} from '#testing/database-fixtures.ts'
import { changeSchedule } from './change-schedule.ts'
import { countRsvpsOf, deleteRsvp, eraseRsvps } from './delete.ts'
import { runMaintenance } from './maintenance.ts'
import { listDuplicates, mergeRsvps } from './merge.ts'
import { changeOwnRsvp, getOwnRsvp } from './own-rsvp.ts'
import { storePrayer } from './prayers.ts'
import { makeLink } from './private-links.ts'
import { anonymizeOldRsvps, eraseOldDeletions } from './purge.ts'
import { changeStanding, listStanding } from './standing.ts'
import { createRsvp } from './submit.ts'
import { writeStandingRsvps } from './write-weeks.ts'

const wednesday = new Date('2026-11-18T12:00:00.000Z')
const inDays = (days: number) => testCall({ now: new Date(wednesday.getTime() + days * 24 * 3600 * 1000) })
const call = inDays(0)
const canary = { name: 'Canary Cole', email: 'canary@cole.example', phone: 'canary', standing: true }
const members = [{ name: 'Canary Child' }]

/** Those of the services after the first, once they are withdrawn. */
const gone = Array.from({ length: 7 }, (_, week) => `${addDays('2026-11-28', 7 * week)} gone false`)
const rows = async () =>
  (await db.select().from(rsvps).orderBy(rsvps.serviceDate, rsvps.id)).map(
    ({ serviceDate, deletedAt, linkHash }) =>
      `${serviceDate} ${deletedAt === null ? 'stays' : 'gone'} ${linkHash !== null}`,
  )

/** A household that comes every week from November 21; returns the id of its first RSVP and of what it said. */
async function begin(changes: Record<string, unknown> = {}) {
  const { id } = await createRsvp(testRsvp({ ...canary, familyMembers: members, ...changes }), call)
  const [stored] = await db.select({ standing: rsvps.standingId }).from(rsvps).where(eq(rsvps.id, id))
  return { id, standing: String(stored?.standing) }
}

/** Maintenance by a clock that has always run. */
async function maintain(days: number) {
  const site = { ...inDays(days), actor: 'site' } as const
  await transaction((tx) => storePurge(tx, site.now))
  await runMaintenance(
    () => site,
    new AbortController().signal,
    async () => true,
  )
}

describeOnBothDatabases('standing RSVPs', () => {
  beforeEach(async () => {
    await emptyTables(rsvps, standingRsvps, prayers, privateLinks, mailQueue)
    await changeSettings({ retentionDays: null, prayerDays: 30 }, call)
    await changeSchedule({ weekday: 6, startTime: '10:00', durationMinutes: 120, timeZone: 'America/Chicago' }, call)
    await emptyTables(auditEntries)
  })

  it('of one person are joined by a merge, with nothing to merge in other weeks, also if one has changed them all', async () => {
    const { linkSecret } = await createRsvp(testRsvp(canary), call)
    await changeOwnRsvp({ linkSecret, everyWeek: true, phone: '1' }, inDays(0.1))
    await changeOwnRsvp({ linkSecret, week: '2026-12-05', message: 'This week alone' }, inDays(0.2))
    const { id } = await createRsvp(testRsvp({ ...canary, familyMembers: members }), inDays(0.3))
    await mergeRsvps({ id: String(id) }, inDays(0.4))
    const { duplicates } = await listDuplicates({})
    expect(duplicates).toEqual([])
  })

  it('are listed in the order in which they came, until they end', async () => {
    const first = await begin()
    await begin({ name: 'Ben', email: 'ben@example.org', phone: undefined, serviceDate: '2026-12-05' })
    const moments = { seenAt: wednesday.toISOString(), endsAt: '2027-11-18T12:00:00.000Z', sentAgain: false }
    const { standing: _, ...named } = canary
    expect(await listStanding()).toEqual([
      { id: Number(first.standing), ...named, since: '2026-11-21', ...moments },
      { id: expect.any(Number), name: 'Ben', email: 'ben@example.org', phone: null, since: '2026-12-05', ...moments },
    ])
    await changeStanding({ id: first.standing, comes: false }, call)
    expect((await listStanding()).map(({ name }) => name)).toEqual(['Ben'])
    for (const comes of [true, false])
      await expect(changeStanding({ id: first.standing, comes }, call)).rejects.toMatchObject({ code: 'not-found' })
  })

  it('end with what is ahead, and keep what was', async () => {
    const { standing } = await begin()
    const [, ahead] = await db.select({ id: rsvps.id }).from(rsvps).orderBy(rsvps.id)
    const linkSecret = await transaction((tx) => makeLink(tx, { rsvpId: ahead?.id ?? 0 }, call))
    await changeStanding({ id: standing, comes: false }, inDays(4))
    expect(await rows()).toEqual(['2026-11-21 stays true', ...gone])
    await expect(getOwnRsvp({ linkSecret }, inDays(4))).rejects.toMatchObject({ code: 'gone' })
    const [withdrawn] = await db.select().from(rsvps).where(eq(rsvps.serviceDate, '2026-11-28'))
    expect(withdrawn?.deletedAt).toBe(withdrawn?.changedAt)
    const [ended, deleted, ...more] = await auditLines()
    expect([ended, deleted]).toEqual([
      `terminal: standing RSVP ended ${standing}`,
      expect.stringMatching(`terminal: response deleted ${ahead?.id}`),
    ])
    expect(more).toHaveLength(6)
    expect(await writeStandingRsvps(inDays(20))).toBe(0)
  })

  it('keep the RSVP of a service that has begun, and end the first one before it', async () => {
    const { standing } = await begin()
    await changeStanding({ id: standing, comes: false }, testCall({ now: new Date('2026-11-21T16:30:00Z') }))
    expect(await rows()).toEqual(['2026-11-21 stays true', ...gone])
    await emptyTables(rsvps)
    await changeStanding({ id: (await begin({ email: 'b@example.org' })).standing, comes: false }, call)
    expect(await rows()).toEqual(['2026-11-21 gone false', ...gone])
  })

  it('end after a year without a sign, and are forgotten a month later, or as soon as the retention says', async () => {
    const { standing } = await begin()
    await transaction((tx) => tx.update(standingRsvps).set({ seenAt: inDays(-40).now.toISOString() }))
    await changeStanding({ id: standing, comes: true }, call)
    expect(await auditLines()).toEqual([`terminal: standing RSVP kept ${standing}`])
    expect((await db.select().from(standingRsvps))[0]).toMatchObject({ seenAt: wednesday.toISOString() })
    await maintain(365)
    expect(await listStanding()).toHaveLength(1)
    await maintain(366)
    expect(await listStanding()).toEqual([])
    expect(await auditLines()).toContainEqual(expect.stringMatching(/^site: standing RSVP ended/))
    await maintain(390)
    expect(await db.$count(standingRsvps, eq(standingRsvps.name, canary.name))).toBe(1)
    await changeSettings({ retentionDays: 20 }, call)
    await maintain(390)
    expect((await everyRow()).toLowerCase()).not.toContain('canary')
    for (const table of [privateLinks, standingRsvps]) expect(await db.$count(table)).toBe(0)
  })

  it('are erased with the address, and so are their links, prayer requests and messages to send', async () => {
    const { id } = await begin()
    const mail = { kind: 'link' as const, dueAt: '', endsAt: '' }
    await transaction(async (tx) => {
      await storePrayer(tx, id, { prayer: 'canary' }, call)
      await queueMail(
        tx,
        [
          { ...mail, key: '1', rsvpId: id },
          { ...mail, key: '2', address: 'CANARY@cole.example' },
        ],
        wednesday,
      )
    })
    expect(await countRsvpsOf({ email: 'Canary@cole.example' })).toBe(9)
    expect(await eraseRsvps({ email: 'Canary@cole.example' }, call)).toBe(9)
    expect((await everyRow()).toLowerCase()).not.toContain('canary')
    for (const table of [standingRsvps, privateLinks, prayers, mailQueue]) expect(await db.$count(table)).toBe(0)
  })

  it('end when a clerk deletes one that may be spam, and not when it is another', async () => {
    const real = await begin()
    const spam = await begin({ email: 'bot@example.org', website: 'x' })
    await deleteRsvp({ id: String(real.id) }, inDays(4))
    await deleteRsvp({ id: String(spam.id) }, inDays(4))
    expect((await listStanding()).map(({ email }) => email)).toEqual([canary.email])
    const ahead = gone.flatMap((row) => [row.replace('gone', 'stays'), row])
    expect(await rows()).toEqual(['2026-11-21 gone true', '2026-11-21 gone true', ...ahead])
  })

  it('leave nothing with what the retention made anonymous, and no RSVP that is ahead to it', async () => {
    const { id } = await begin()
    await transaction(async (tx) => {
      await storePrayer(tx, id, { prayer: 'Please' }, call)
      await makeLink(tx, { rsvpId: id }, call)
      await queueMail(tx, [{ key: '1', kind: 'reminder', dueAt: '', endsAt: '', rsvpId: id }], wednesday)
    })
    expect(await anonymizeOldRsvps({ days: 1 }, inDays(8))).toBe(1)
    const found = await db.select({ name: rsvps.name, standingId: rsvps.standingId }).from(rsvps).orderBy(rsvps.id)
    expect(found).toEqual([
      { name: 'Anonymous', standingId: null },
      ...Array(7).fill({ name: canary.name, standingId: expect.any(Number) }),
    ])
    expect(await anonymizeOldRsvps({ days: 30 }, inDays(39))).toBe(0)
    expect(await anonymizeOldRsvps({ days: 30 }, inDays(41))).toBe(1)
    expect([await db.$count(prayers), await db.$count(mailQueue), await db.$count(privateLinks)]).toEqual([0, 0, 1])
  })

  it('write no week again whose RSVP was deleted long before it', async () => {
    const { id } = await begin({ serviceDate: '2027-01-02' })
    await deleteRsvp({ id: String(id) }, call)
    expect(await eraseOldDeletions(inDays(35))).toBe(0)
    expect(await eraseOldDeletions(inDays(50))).toBe(1)
  })

  it('lose prayer requests after as many days as the settings say', async () => {
    const { id } = await begin()
    await transaction((tx) => storePrayer(tx, id, { prayer: 'Please' }, call))
    await changeSettings({ prayerDays: null }, call)
    await maintain(31)
    expect(await db.$count(prayers)).toBe(1)
    await changeSettings({ prayerDays: 30 }, call)
    await maintain(30)
    expect(await db.$count(prayers)).toBe(1)
    await maintain(31)
    expect(await db.$count(prayers)).toBe(0)
  })
})
