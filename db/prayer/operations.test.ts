import { beforeEach, expect, it } from 'vitest'
import { changeAccount } from '#db/access/account.ts'
import { changeAdministrator, inviteAdministrator } from '#db/access/administrators.ts'
import { administrators } from '#db/access/table.ts'
import { auditEntries } from '#db/audit/table.ts'
import {
  addAdministrator,
  auditLines,
  callOf,
  describeOnBothDatabases,
  emptyTables,
  testCall,
  testRsvp,
} from '#db/fixtures.ts'
import { mailQueue } from '#db/mail/table.ts'
import type { Call } from '#db/operation.ts'
import { deleteRsvp, eraseRsvps } from '#db/rsvp/delete.ts'
import { mergeRsvps } from '#db/rsvp/merge.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { rsvps } from '#db/rsvp/table.ts'
import { changeSettings } from '#db/settings/operations.ts'
import { db, transaction } from '#db/storage/client.ts'
import { changePrayer, listPrayers, offersPrayers } from './operations.ts'
import { storePrayer } from './store.ts'
import { prayers } from './table.ts'

const visitor = testCall({ role: 'visitor', actor: 'visitor' })
const pastor = callOf(1, { role: 'reader' }, { prayers: 'pastor' })
const none = callOf(1, {}, { prayers: 'none' })

const send = async (changes: Record<string, unknown>, now = visitor.now) =>
  (await createRsvp(testRsvp(changes), { ...visitor, now })).id
const textsFor = async (call: Call) => (await listPrayers(call)).map(({ text }) => text)
const later = new Date(visitor.now.getTime() + 60_000)

describeOnBothDatabases('prayer requests', () => {
  beforeEach(async () => {
    await emptyTables(rsvps, auditEntries, administrators, mailQueue)
    await changeSettings({ prayers: true }, testCall())
    await emptyTables(auditEntries)
  })

  it('are all read by a command, the newest service first, and by no visitor', async () => {
    await send({ prayer: 'now' })
    await send({ prayer: 'next week', serviceDate: '2025-01-18' })
    await send({ name: 'Ben Roe', prayer: 'now too' })
    expect(await textsFor(testCall())).toEqual(['next week', 'now too', 'now'])
    await expect(listPrayers(visitor)).rejects.toMatchObject({ code: 'forbidden' })
  })

  it('are for the pastor unless they say otherwise, and none are taken while the form does not ask', async () => {
    await send({ prayer: 'a quiet one' })
    expect(await listPrayers(pastor)).toMatchObject([{ audience: 'pastor', prayedAt: null, toVisit: false }])
    await changeSettings({ prayers: false }, testCall())
    expect(await offersPrayers(pastor)).toBe(true)
    await emptyTables(rsvps)
    await send({ prayer: 'not asked for' })
    expect(await listPrayers(pastor)).toEqual([])
    expect(await offersPrayers(pastor)).toBe(false)
  })

  it('are left out once their RSVP is deleted, stay when it is merged, and are erased with it', async () => {
    const deleted = await send({ name: 'Ben Roe', prayer: 'deleted' })
    await send({ prayer: 'merged' })
    const kept = await send({ prayer: 'kept' }, later)
    await deleteRsvp({ id: `${deleted}` }, testCall())
    await mergeRsvps({ id: `${kept}` }, testCall())
    expect(await textsFor(pastor)).toEqual(['kept', 'merged'])
    await deleteRsvp({ id: `${kept}` }, testCall())
    expect(await textsFor(pastor)).toEqual([])
    expect(await db.$count(prayers)).toBe(3)
    await eraseRsvps({ email: 'ana@cole.example' }, testCall())
    expect(await db.$count(prayers)).toBe(0)
  })

  it('that are sent again are listed once, for whom the newest says', async () => {
    await send({ prayer: 'the same', prayerAudience: 'service' })
    await send({ prayer: 'the same', prayerAudience: 'pastor' }, later)
    expect(await listPrayers(pastor)).toMatchObject([{ audience: 'pastor' }])
    expect(await listPrayers(callOf(1, {}, { prayers: 'group' }))).toEqual([])
  })

  it('are told to those who may read them and want mail, unless they may be spam; a new text is not prayed for', async () => {
    const [mail, role] = [['prayers' as const], 'reader' as const]
    const group = await addAdministrator({ email: 'group@x.example', role, prayers: 'group', mail })
    const all = await addAdministrator({ email: 'all@x.example', role, prayers: 'pastor', mail })
    await addAdministrator({ email: 'none@x.example', prayers: 'none', mail })
    const sending = { ...visitor, sendsMail: true }
    await createRsvp({ ...testRsvp({ prayer: 'spam' }), website: 'x' }, sending)
    const { id } = await createRsvp(testRsvp({ name: 'Ben Roe', prayer: 'one' }), sending)
    const told = async () =>
      (await db.select().from(mailQueue)).flatMap(({ kind, administratorId: to }) => (kind === 'prayer' ? [to] : []))
    expect(await told()).toEqual([all])
    const [{ id: prayerId = 0 } = {}] = await listPrayers(pastor)
    await changePrayer({ id: `${prayerId}`, prayed: true }, pastor)
    const store = (prayer: string) =>
      transaction((tx) => storePrayer(tx, id, { prayer, prayerAudience: 'group' }, sending))
    await store('one')
    expect(await listPrayers(pastor)).toMatchObject([{ prayedAt: pastor.now.toISOString() }, {}])
    await store('two')
    expect(await listPrayers(pastor)).toMatchObject([{ text: 'two', prayedAt: null }, {}])
    expect(await told()).toEqual([all, group])
  })

  it('say that someone has prayed or should visit, and the audit says so without the text', async () => {
    await send({ name: 'Canary Cole', prayer: 'canary' })
    const [{ id = 0 } = {}] = await listPrayers(pastor)
    const change = (sent: object, call = pastor) => changePrayer({ id: `${id}`, ...sent }, call)
    expect(await change({ prayed: true })).toMatchObject({ prayedAt: pastor.now.toISOString(), toVisit: false })
    expect(await change({ prayed: true, toVisit: true }, { ...pastor, now: later })).toMatchObject({ toVisit: true })
    expect(await change({ prayed: false })).toMatchObject({ prayedAt: null, toVisit: true })
    await change({ prayed: false, toVisit: true })
    expect(await auditLines()).toEqual([
      `session 7: prayer request changed ${id} prayed=true toVisit=false`,
      `session 7: prayer request changed ${id} prayed=true toVisit=true`,
      `session 7: prayer request changed ${id} prayed=false toVisit=true`,
    ])
    await expect(change({ prayed: true }, none)).rejects.toMatchObject({ code: 'forbidden' })
    const group = callOf(1, {}, { prayers: 'group' })
    await expect(change({ prayed: true }, group)).rejects.toMatchObject({ code: 'not-found' })
    await expect(change({})).rejects.toMatchObject({ code: 'invalid' })
  })
})

describeOnBothDatabases('who reads prayer requests', () => {
  beforeEach(() => emptyTables(administrators, auditEntries))

  it('is chosen by an owner, also of themselves, is audited, and is not changed with the own account', async () => {
    const owner = await addAdministrator()
    const call = callOf(owner)
    const { id } = await inviteAdministrator(
      { name: 'Sam', email: 'sam@x.example', role: 'reader', prayers: 'group' },
      call,
    )
    expect(await changeAdministrator({ id: `${owner}`, prayers: 'pastor' }, call)).toMatchObject({ prayers: 'pastor' })
    expect(await changeAdministrator({ id: `${id}`, prayers: 'none' }, call)).toMatchObject({ prayers: 'none' })
    expect((await auditLines()).slice(1)).toEqual([
      `session 7: administrator changed administrator ${owner} prayers=pastor`,
      `session 7: administrator changed administrator ${id} prayers=none`,
    ])
    await expect(changeAccount({ prayers: 'pastor' }, callOf(id))).rejects.toMatchObject({ code: 'invalid' })
    await expect(changeAdministrator({ id: `${id}`, prayers: 'all' }, call)).rejects.toMatchObject({ code: 'invalid' })
  })
})
