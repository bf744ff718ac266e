import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { changeFeatures } from '#db/features.ts'
import { readKeyedHash } from '#db/keyed-hash.ts'
import { openDatabase } from '#db/open.ts'
import { changeSettings } from '#db/settings.ts'
import { closeDatabase, db } from '#db/storage/client.ts'
import { allowances } from '#db/tables/access.ts'
import { mailQueue } from '#db/tables/mail.ts'
import { prayers, rsvps } from '#db/tables/rsvp.ts'
import {
  auditLines,
  describeOnBothDatabases,
  emptyTables,
  everyRow,
  fileDatabase,
  invalidAt,
  openForTests,
  testCall,
  testRsvp,
} from '#testing/database-fixtures.ts'
import { changeSchedule } from './change-schedule.ts'
import { deleteRsvp, eraseRsvps, restoreRsvps } from './delete.ts'
import { listRsvps, responsesOf } from './list.ts'
import { changeOwnRsvp, getOwnRsvp, restoreOwnRsvp, sendLink, withdrawOwnRsvp } from './own-rsvp.ts'
import { anonymizeOldRsvps } from './purge.ts'
import { changeVolunteerRole, createVolunteerRole } from './roles.ts'
import { createRsvp } from './submit.ts'

const call = testCall({ role: 'visitor', actor: 'visitor' })
/** Ten minutes later, the same week. */
const later = { ...call, now: new Date(call.now.getTime() + 600_000) }
const afterService = { ...call, now: new Date('2025-02-01T00:00:00Z') }
const unknown = { code: 'not-found', message: expect.stringMatching(/^This link does not work/) }
const gone = (message: RegExp) => ({ code: 'gone', message: expect.stringMatching(message) })
const everyAct = [getOwnRsvp, changeOwnRsvp, withdrawOwnRsvp, restoreOwnRsvp]

let sent = 0
async function send(changes: Record<string, unknown> = {}, idempotencyKey = `key-${++sent}`) {
  const { id, linkSecret = '' } = await createRsvp({ ...testRsvp(changes), idempotencyKey }, call)
  return { id, linkSecret, idempotencyKey }
}
const stored = async () => responsesOf(await listRsvps({}, testCall()))

describe('a private link', () => {
  openForTests()
  beforeEach(async () => {
    await emptyTables(rsvps)
    await changeFeatures({ calendarIntegration: true, familyRsvp: true, volunteerSignup: true }, testCall())
    await changeSchedule({ weekday: 6, timeZone: 'UTC', closesMinutesBefore: null }, testCall())
  })

  it('shows the RSVP without its number or mark, and none of another visitor', async () => {
    await send({ name: 'Bea Cole' })
    const { linkSecret } = await send({ familyMembers: [{ name: 'Joel Cole', age: 'child' }], volunteerRoles: [1] })
    const rsvp = await getOwnRsvp({ linkSecret }, call)
    expect(rsvp).toMatchObject({
      name: 'Ana Cole',
      familyMembers: [{ name: 'Joel Cole', age: 'child', attending: true }],
      volunteerSignups: [{ role: { id: 1 } }],
      serviceDate: '2025-01-11',
      endsAt: '2025-01-11T12:00:00.000Z',
      withdrawnAt: null,
      changedAt: null,
    })
    for (const hidden of ['id', 'suspicion']) expect(rsvp).not.toHaveProperty(hidden)
  })

  it('is the same for the same sending, also once its RSVP was changed, and another for each other one', async () => {
    const first = await send()
    await changeOwnRsvp({ linkSecret: first.linkSecret, attending: false }, later)
    expect(await send({}, first.idempotencyKey)).toEqual(first)
    expect(await stored()).toMatchObject([{ id: first.id, attending: false }])
    const others = [await createRsvp(testRsvp(), call), await createRsvp(testRsvp(), call), await send()]
    const secrets = [first, ...others].map(({ linkSecret }) => linkSecret)
    expect(new Set(secrets).size).toBe(4)
    for (const secret of secrets) expect(secret).toMatch(/^[\w-]{22}$/)
  })

  it('cannot be made from what is stored: only a hash of it is, and its key is not', async () => {
    const { linkSecret, idempotencyKey } = await send()
    const rows = await everyRow()
    expect(rows).toContain(createHash('sha256').update(linkSecret).digest('base64url'))
    // A part of it: in a longer hash that begins with the secret, the last letter is another.
    const part = linkSecret.slice(0, 16)
    for (const text of [part, idempotencyKey]) expect(rows).not.toContain(text)
    const hash = await readKeyedHash()
    const [row] = await db.select().from(rsvps)
    for (const known of [row?.key, row?.key.slice(7), row?.bodyHash, row?.linkHash, `${row?.id}`])
      for (const purpose of ['key', 'body', 'thanks', 'link'] as const)
        expect(hash(purpose, known ?? '')).not.toContain(part)
  })

  it('that is wrong finds nothing, nor does the hash that is stored or the number of its RSVP', async () => {
    const { id } = await send()
    const [row] = await db.select().from(rsvps)
    const known = [row?.linkHash ?? '', row?.key ?? '', String(id)]
    for (const linkSecret of ['', '0123456789012345678901', '%', '\0', ...known])
      for (const act of everyAct) await expect(act({ linkSecret, name: 'Eve' }, call)).rejects.toMatchObject(unknown)
    expect(await stored()).toMatchObject([{ name: 'Ana Cole' }])
  })

  it('changes what is sent, keeps the rest, and writes that down by number', async () => {
    const family = { familyMembers: [{ name: 'Joel Cole' }] }
    const { id, linkSecret } = await send({ ...family, message: 'Hello', volunteerRoles: [1] })
    const before = (await auditLines()).length
    const changed = await changeOwnRsvp({ linkSecret, name: 'Ana Maria Cole', volunteerRoles: [2] }, later)
    const says = { ...family, name: 'Ana Maria Cole', message: 'Hello', volunteerSignups: [{ role: { id: 2 } }] }
    expect(changed).toMatchObject({ ...says, changedAt: later.now.toISOString() })
    expect(await getOwnRsvp({ linkSecret }, call)).toEqual(changed)
    expect((await auditLines()).slice(before)).toEqual([`visitor: response changed ${id}: name, volunteerRoles`])
    expect(await stored()).toMatchObject([{ id, name: 'Ana Maria Cole', createdAt: call.now.toISOString() }])
  })

  it('is checked like a form: fields, roles and the day', async () => {
    const { linkSecret } = await send()
    const refused = (change: object) => expect(changeOwnRsvp({ linkSecret, ...change }, later)).rejects
    await refused({ name: 'A', email: 'x' }).toMatchObject({ fields: [{ path: 'name' }, { path: 'email' }] })
    await refused({ volunteerRoles: [9999] }).toMatchObject(invalidAt('volunteerRoles'))
    for (const serviceDate of ['2025-01-12', '2025-12-27'])
      await refused({ serviceDate }).toMatchObject(invalidAt('serviceDate'))
    await changeOwnRsvp({ linkSecret, serviceDate: '2025-01-18' }, later)
    expect(await stored()).toMatchObject([{ name: 'Ana Cole', serviceDate: '2025-01-18' }])
  })

  it('keeps a role that was retired meanwhile, and its own service once others cannot be sent for it', async () => {
    const role = await createVolunteerRole({ name: `Tea ${++sent}` }, testCall())
    const { linkSecret } = await send({ volunteerRoles: [role.id] })
    await changeVolunteerRole({ id: String(role.id), retired: true }, testCall())
    await changeSchedule({ closesMinutesBefore: 7 * 24 * 60 }, testCall())
    await changeOwnRsvp({ linkSecret, message: 'Hello', volunteerRoles: [role.id], serviceDate: '2025-01-11' }, later)
    expect(await stored()).toMatchObject([{ message: 'Hello', serviceDate: '2025-01-11', volunteerSignups: [{}] }])
  })

  it('leaves alone what belongs to a feature that is off', async () => {
    const { linkSecret } = await send({ familyMembers: [{ name: 'Joel Cole' }] })
    await changeFeatures({ familyRsvp: false }, testCall())
    await changeOwnRsvp({ linkSecret, name: 'Ana M. Cole', familyMembers: [] }, later)
    expect(await stored()).toMatchObject([{ name: 'Ana M. Cole', familyMembers: [{ name: 'Joel Cole' }] }])
  })

  it('takes the same change a second time as a success, so that a lost reply harms no one', async () => {
    const change = { linkSecret: (await send()).linkSecret, message: 'Hello' }
    expect(await changeOwnRsvp(change, later)).toEqual(await changeOwnRsvp(change, later))
  })

  it('withdraws, which can be taken back, and is no change while it is withdrawn', async () => {
    const { id, linkSecret } = await send()
    const before = (await auditLines()).length
    // In a browser in which an administrator has signed in, it is the sender all the same.
    await withdrawOwnRsvp({ linkSecret }, testCall({ now: later.now, actor: 'session 7' }))
    await withdrawOwnRsvp({ linkSecret }, later)
    expect(await stored()).toEqual([])
    expect((await getOwnRsvp({ linkSecret }, call)).withdrawnAt).toEqual(expect.any(String))
    await expect(changeOwnRsvp({ linkSecret, name: 'Bea Cole' }, later)).rejects.toMatchObject({ code: 'deleted' })
    await restoreOwnRsvp({ linkSecret }, later)
    await restoreOwnRsvp({ linkSecret }, later)
    expect(await stored()).toMatchObject([{ id, name: 'Ana Cole' }])
    const lines = ['deleted', 'restored'].map((act) => `visitor: response ${act} ${id}`)
    expect((await auditLines()).slice(before)).toEqual(lines)
  })

  it('brings nothing back that an administrator has deleted, until he restores it', async () => {
    const { id, linkSecret } = await send()
    // At the same millisecond.
    await changeOwnRsvp({ linkSecret, message: 'Hello' }, later)
    await deleteRsvp({ id: String(id) }, testCall({ now: later.now }))
    for (const act of everyAct) await expect(act({ linkSecret }, later)).rejects.toMatchObject(gone(/has deleted/))
    expect(await stored()).toEqual([])
    await restoreRsvps({ ids: [id] }, testCall())
    expect((await getOwnRsvp({ linkSecret }, call)).name).toBe('Ana Cole')
  })

  it('ends with its service', async () => {
    const { linkSecret } = await send()
    for (const act of everyAct) await expect(act({ linkSecret }, afterService)).rejects.toMatchObject(gone(/is over/))
  })

  it('is dead once its RSVP is erased or anonymous', async () => {
    const erased = await send()
    await eraseRsvps({ email: 'ana@cole.example' }, testCall())
    await expect(getOwnRsvp(erased, call)).rejects.toMatchObject(unknown)
    const anonymous = await send()
    await anonymizeOldRsvps({ days: 1 }, testCall({ now: afterService.now }))
    await expect(getOwnRsvp(anonymous, call)).rejects.toMatchObject(unknown)
    expect(await db.select().from(rsvps)).toMatchObject([{ linkHash: null }])
  })

  it('takes changes from the allowance of RSVPs', async () => {
    const { linkSecret } = await send()
    const caller = { ...call, network: `203.0.113.${++sent}`, allowance: { atOnce: 2, everyMs: 60_000 } }
    for (const message of ['One', 'Two']) await changeOwnRsvp({ linkSecret, message }, caller)
    await expect(changeOwnRsvp({ linkSecret, message: 'Three' }, caller)).rejects.toMatchObject({ code: 'too-many' })
    await expect(withdrawOwnRsvp({ linkSecret }, caller)).rejects.toMatchObject({ code: 'too-many' })
    expect(await stored()).toMatchObject([{ message: 'Two' }])
  })

  it('reads and changes a prayer request while the form asks for one, and takes back what was ticked', async () => {
    await changeSettings({ prayers: true }, testCall())
    const { linkSecret } = await send({ prayer: 'For Mia', prayerAudience: 'group', remind: true, firstVisit: true })
    const known = async () => await getOwnRsvp({ linkSecret }, later)
    const change = (changes: Record<string, unknown>) => changeOwnRsvp({ linkSecret, ...changes }, later)
    expect(await known()).toMatchObject({ prayer: 'For Mia', prayerAudience: 'group', standing: null })
    await change({ prayer: 'For all', remind: false, firstVisit: false })
    const changed = { prayer: 'For all', prayerAudience: 'group', remind: false, firstVisit: false }
    expect(await known()).toMatchObject(changed)
    await change({ prayer: '' })
    expect(await known()).toMatchObject({ prayer: null, prayerAudience: null })
    await change({ prayer: 'Again' })
    await changeSettings({ prayers: false }, testCall())
    await change({ prayer: '' })
    expect(await known()).not.toHaveProperty('prayer')
    expect(await db.select().from(prayers)).toMatchObject([{ text: 'Again', audience: 'pastor' }])
  })
})

describe('a private link of another database', () => {
  /** Opens a new one, which is closed and removed after the test. */
  async function openAnother() {
    const database = fileDatabase()
    onTestFinished(async () => {
      await closeDatabase()
      database.stop()
    })
    await closeDatabase()
    await openDatabase(database.url)
  }

  it('is dead on the site of another church, where the same sending has another one', async () => {
    await openAnother()
    const own = await send({}, 'same')
    await openAnother()
    const theirs = await send({}, 'same')
    expect(theirs.linkSecret).not.toBe(own.linkSecret)
    await expect(getOwnRsvp(own, call)).rejects.toMatchObject(unknown)
    await expect(changeOwnRsvp({ ...own, name: 'Taken over' }, call)).rejects.toMatchObject(unknown)
    expect((await getOwnRsvp(theirs, call)).name).toBe('Ana Cole')
  })
})

describeOnBothDatabases('the private link by mail', () => {
  const visitor = testCall({ role: 'visitor', actor: 'visitor', sendsMail: true, language: 'de' })
  const after = (seconds: number) => ({ ...visitor, now: new Date(visitor.now.getTime() + seconds * 1000) })
  const email = 'ana@cole.example'
  const queued = () => db.select().from(mailQueue).orderBy(mailQueue.id)
  beforeEach(() => emptyTables(mailQueue, allowances))

  it('queues one message for an address in a minute, and names no address in its key', async () => {
    for (const [typed, seconds] of [[email, 0] as const, ['ANA@cole.example ', 20] as const, [email, 60] as const])
      await sendLink({ email: typed }, after(seconds))
    const mail = { kind: 'link', address: email, language: 'de', rsvpId: null }
    const days = { dueAt: '2025-01-05T14:00:00.000Z', endsAt: '2025-01-07T14:00:00.000Z' }
    const [first, second, ...rest] = await queued()
    expect(first).toMatchObject({ ...mail, ...days, key: expect.stringMatching(/^link [\w-]{43} \d+$/) })
    expect(second).toMatchObject(mail)
    expect(rest).toEqual([])
  })

  it('queues nothing where no mail is sent, nor for what is no address', async () => {
    const refused = { code: 'not-found', message: expect.stringMatching(/sends no email/) }
    await expect(sendLink({ email }, { ...visitor, sendsMail: undefined })).rejects.toMatchObject(refused)
    for (const wrong of ['ana@cole', 'ana@cole.example\r\nBcc: bea@roe.example'])
      await expect(sendLink({ email: wrong }, visitor)).rejects.toMatchObject(invalidAt('email'))
    expect(await queued()).toEqual([])
    expect(await everyRow()).not.toContain('cole')
  })

  it('takes five from a network, and then one a minute', async () => {
    const from = (network: string, seconds = 0) => ({ ...after(seconds), network })
    for (const place of [1, 2, 3, 4, 5]) await sendLink({ email: `${place}@cole.example` }, from('203.0.113.7'))
    const tooMany = { code: 'too-many', message: expect.stringMatching(/^Too many links were asked for/) }
    await expect(sendLink({ email }, from('203.0.113.7'))).rejects.toMatchObject(tooMany)
    await sendLink({ email }, from('203.0.113.7', 61))
    expect(await queued()).toHaveLength(6)
  })
})
