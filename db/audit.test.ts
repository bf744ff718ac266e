import { rmSync } from 'node:fs'
import { beforeEach, describe, expect, it } from 'vitest'
import { emptyAccess } from '#db/access/fixtures.ts'
import { signIn } from '#db/access/sign-in.ts'
import { deleteRsvp, deleteRsvps, eraseRsvps, restoreRsvps } from '#db/rsvp/delete.ts'
import { anonymizeOldRsvps, eraseOldDeletions } from '#db/rsvp/purge.ts'
import { changeVolunteerRole, createVolunteerRole } from '#db/rsvp/roles.ts'
import { createSampleRsvps, deleteSampleRsvps } from '#db/rsvp/sample.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { closeDatabase, transaction } from '#db/storage/client.ts'
import { events } from '#db/tables/invitation.ts'
import { rsvps } from '#db/tables/rsvp.ts'
import {
  addAdministrator,
  auditLines,
  callOf,
  describeOnBothDatabases,
  emptyTables,
  fileForEachTest,
  testCall,
  testEvent,
  testRsvp,
} from '#testing/database-fixtures.ts'
import { audit, getAuditPage, recordAct } from './audit.ts'
import { changeEvent, changeEventTexts } from './event.ts'
import { changeFeatures } from './features.ts'
import { openDatabase } from './open.ts'
import { changeSettings } from './settings.ts'

const call = testCall({ actor: 'session 7' })
const visitor = testCall({ actor: 'visitor', role: 'visitor', network: 'canary network' })
const muchLater = testCall({ actor: 'session 7', now: new Date('2026-01-05T00:00:00Z') })

/** Every text that could be personal is a canary. */
const canary = {
  name: 'Canary Cole',
  email: 'canary@cole.example',
  phone: 'canary phone',
  message: 'canary message',
  familyMembers: [{ name: 'Canary Child' }],
}

describeOnBothDatabases('the audit', () => {
  beforeEach(async () => {
    await emptyTables(rsvps, events)
    await emptyAccess()
    await addAdministrator({ name: 'Canary Admin', email: 'canary@cole.example' })
  })

  it.each<[string, () => Promise<unknown>]>([
    ['responses exported', () => recordAct({ action: 'responses exported' }, call)],
    ['samples removed 1', () => createSampleRsvps(['2025-01-01T00:00:00Z'], call).then(() => deleteSampleRsvps(call))],
    [
      'features changed calendarIntegration=on familyRsvp=on',
      () => changeFeatures({ familyRsvp: true, calendarIntegration: true }, call),
    ],
    ['event changed', () => changeEvent(testEvent({ title: 'Canary title' }), call)],
    ['event changed time location', () => changeEventTexts({ time: 'canary', location: 'canary' }, call)],
    [
      'settings changed publicNames=initial retentionDays=null',
      () => changeSettings({ publicNames: 'initial', retentionDays: null }, call),
    ],
  ])('records once: %s', async (line, act) => {
    await act()
    expect(await auditLines()).toEqual([`session 7: ${line}`])
  })

  it.each<[string, () => Promise<unknown>]>([
    ['a deletion of nothing', () => deleteRsvps({ ids: [999] }, call)],
    ['a restoration of nothing', () => restoreRsvps({ ids: [999] }, call)],
    ['an erasure of an unknown address', () => eraseRsvps({ email: 'unknown@cole.example' }, call)],
    ['old deletions that are not old yet', () => eraseOldDeletions(call)],
    ['old RSVPs that are not old yet', () => anonymizeOldRsvps({ days: 90 }, call)],
    ['samples that are not there', () => deleteSampleRsvps(call)],
    ['a role that is not there', () => changeVolunteerRole({ id: '999999', name: 'Canary' }, call)],
    ['an RSVP', () => createRsvp(testRsvp(canary), visitor)],
    ['a wrong password', () => signIn({ email: canary.email, password: 'canary canary' }, visitor)],
  ])('does not record %s', async (_, act) => {
    await act().catch(() => {})
    expect(await auditLines()).toEqual([])
  })

  it('never holds a name, an address or a text', async () => {
    const { id } = await createRsvp(testRsvp(canary), visitor)
    await changeEvent(testEvent({ title: 'Canary', location: 'Canary' }), call)
    await changeEventTexts({ description: 'Canary' }, call)
    await changeVolunteerRole(
      { id: String((await createVolunteerRole({ name: 'Canary' }, call)).id), name: 'Canary two' },
      call,
    )
    await deleteRsvp({ id: String(id) }, call)
    await anonymizeOldRsvps({ days: 1 }, muchLater)
    await createRsvp(testRsvp(canary), visitor)
    await eraseRsvps({ email: canary.email }, call)
    expect(await auditLines()).toHaveLength(7)
    expect(JSON.stringify((await getAuditPage({})).entries)).not.toMatch(/canary/i)
  })
})

describeOnBothDatabases('a page of the audit', () => {
  const terminal = testCall()
  let ruth: number
  let joel: number
  beforeEach(async () => {
    await emptyAccess()
    ruth = await addAdministrator({ name: 'Ruth Cole' })
    joel = await addAdministrator({ name: '=Joel', email: null, removedAt: 1 })
    await recordAct({ action: 'samples added', subject: '1' }, terminal)
    await recordAct({ action: 'samples added', subject: '2' }, callOf(ruth))
    await recordAct({ action: 'responses printed', subject: '3' }, callOf(joel))
    const visitor = testCall({ actor: 'visitor', role: 'visitor' })
    await transaction((tx) => audit(tx, { ...visitor, administrator: { id: ruth } }, 'signed in', '4'))
  })

  it('names the administrators who acted, even removed ones', async () => {
    const { entries } = await getAuditPage({})
    expect(entries.map(({ name }) => name)).toEqual(['Ruth Cole', '=Joel', 'Ruth Cole', null])
    expect(entries.map(({ actor }) => actor)).toEqual(['visitor', 'session 7', 'session 7', 'terminal'])
  })

  it('shows the name of an administrator that an act is about', async () => {
    await recordAct({ action: 'administrator removed', subject: `administrator ${joel}` }, callOf(ruth))
    await recordAct({ action: 'administrator changed', subject: 'administrator 9999 role=clerk' }, callOf(ruth))
    const [changed, removed] = (await getAuditPage({})).entries
    expect(changed?.about).toBe('administrator 9999 role=clerk')
    expect(removed?.about).toBe('=Joel')
  })

  it('has fifty entries, and a next one until the end', async () => {
    // Exactly two pages, together with the first four entries.
    for (let number = 5; number <= 100; number++)
      await recordAct({ action: 'samples added', subject: String(number) }, terminal)
    const first = await getAuditPage({})
    expect(first.entries.map(({ about }) => Number(about))).toEqual(Array.from({ length: 50 }, (_, at) => 100 - at))
    const second = await getAuditPage({ before: String(first.next) })
    expect(second.entries.map(({ about }) => Number(about))).toEqual(Array.from({ length: 50 }, (_, at) => 50 - at))
    expect(second.next).toBeNull()
  })
})

describe('recordAct', () => {
  const database = fileForEachTest()

  it('ignores an outage, but hides no bug', async () => {
    await openDatabase(database.url)
    rmSync(database.folder, { recursive: true })
    await recordAct({ action: 'responses exported' }, call)
    await closeDatabase()
    await expect(recordAct({ action: 'responses exported' }, call)).rejects.toThrow('Call openDatabase() first.')
  })
})
