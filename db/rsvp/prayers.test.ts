import { beforeEach, expect, it } from 'vitest'
import type { Call } from '#db/call.ts'
import { changeSettings } from '#db/settings.ts'
import { db, transaction } from '#db/storage/client.ts'
import { administrators, auditEntries } from '#db/tables/access.ts'
import { mailQueue } from '#db/tables/mail.ts'
import { prayers, rsvps } from '#db/tables/rsvp.ts'
import {
  addAdministrator,
  auditLines,
  callOf,
  describeOnBothDatabases,
  emptyTables,
  testCall,
  testRsvp,
} from '#testing/database-fixtures.ts'
import { deleteRsvp, eraseRsvps, restoreRsvps } from './delete.ts'
import { mergeRsvps } from './merge.ts'
import { changePrayer, listPrayers, offersPrayers, storePrayer } from './prayers.ts'
import { createRsvp } from './submit.ts'

const visitor = testCall({ role: 'visitor', actor: 'visitor' })
const pastor = callOf(1, { role: 'reader' }, { prayers: 'pastor' })
const group = callOf(1, {}, { prayers: 'group' })

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

  it('are read by a command, by no visitor, and for the pastor unless they say otherwise', async () => {
    await send({ prayer: 'now', prayerAudience: 'group', phone: '555 0100' })
    await send({ prayer: 'next week', serviceDate: '2025-01-18' })
    await send({ name: 'Ben Roe', prayer: 'now too' })
    expect(await textsFor(testCall())).toEqual(['next week', 'now too', 'now'])
    expect(await listPrayers(group)).toMatchObject([{ text: 'now', phone: null, email: null }])
    expect(await listPrayers(pastor)).toMatchObject([{}, {}, { phone: '555 0100', email: 'ana@cole.example' }])
    await expect(listPrayers(visitor)).rejects.toMatchObject({ code: 'forbidden' })
  })

  it('are not taken while the form does not ask', async () => {
    expect(await offersPrayers(pastor)).toBe(true)
    await changeSettings({ prayers: false }, testCall())
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
    await transaction((tx) => storePrayer(tx, kept, { prayer: 'changed' }, visitor))
    expect(await textsFor(pastor)).toEqual(['changed', 'merged'])
    await deleteRsvp({ id: `${kept}` }, testCall())
    expect(await textsFor(pastor)).toEqual([])
    expect(await db.$count(prayers)).toBe(3)
    await eraseRsvps({ email: 'ana@cole.example' }, testCall())
    expect(await db.$count(prayers)).toBe(0)
  })

  it('are those of the RSVP that they came with once its merge is undone', async () => {
    const own = await send({ prayer: 'own' })
    const kept = await send({}, later)
    await mergeRsvps({ id: `${kept}` }, testCall())
    await restoreRsvps({ ids: [own] }, testCall())
    expect(await textsFor(pastor)).toEqual(['own'])
    await deleteRsvp({ id: `${own}` }, testCall())
    expect(await textsFor(pastor)).toEqual([])
  })

  it('that are sent again are listed once, for whom the newest says', async () => {
    await send({ prayer: 'the same', prayerAudience: 'service' })
    await send({ name: 'ANA\u200b COLE', prayer: 'the same', prayerAudience: 'pastor' }, later)
    expect(await listPrayers(pastor)).toMatchObject([{ audience: 'pastor' }])
    expect(await listPrayers(group)).toEqual([])
  })

  it('are told to those who may read them and want mail, unless they may be spam; a new text is not prayed for', async () => {
    const [mail, role] = [['prayers' as const], 'reader' as const]
    const some = await addAdministrator({ email: 'group@x.example', role, prayers: 'group', mail })
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
    expect(await told()).toEqual([all, some])
  })

  it('say that someone has prayed or should visit, and the audit says so without the text', async () => {
    await send({ name: 'Canary Cole', prayer: 'canary' })
    const [{ id = 0 } = {}] = await listPrayers(pastor)
    const change = (sent: object, call = pastor) => changePrayer({ id: `${id}`, ...sent }, call)
    await change({ prayed: true })
    expect(await change({ prayed: true, toVisit: true }, { ...pastor, now: later })).toMatchObject({
      prayedAt: pastor.now.toISOString(),
      toVisit: true,
    })
    expect(await change({ prayed: false })).toMatchObject({ prayedAt: null, toVisit: true })
    expect((await auditLines()).at(-1)).toBe(`session 7: prayer request changed ${id} prayed=false toVisit=true`)
    await expect(change({ prayed: true }, group)).rejects.toMatchObject({ code: 'not-found' })
    await expect(change({})).rejects.toMatchObject({ code: 'invalid' })
  })
})
