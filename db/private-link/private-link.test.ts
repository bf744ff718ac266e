import { createHash } from 'node:crypto'
import { beforeEach, expect, it } from 'vitest'
import { changeFeatures } from '#db/feature/operations.ts'
import { auditLines, describeOnBothDatabases, everyRow, testCall, testRsvp } from '#db/fixtures.ts'
import { changeSchedule } from '#db/rsvp/change-schedule.ts'
import { deleteRsvp, eraseRsvps, restoreRsvp } from '#db/rsvp/delete.ts'
import { listRsvps } from '#db/rsvp/list.ts'
import { anonymizeOldRsvps } from '#db/rsvp/purge.ts'
import { changeVolunteerRole } from '#db/rsvp/roles.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { rsvps } from '#db/rsvp/table.ts'
import { readKeyedHash } from '#db/secret/keyed-hash.ts'
import { db, transaction } from '#db/storage/client.ts'

import { createVolunteerRole } from '#db/volunteer-role/operations.ts'
import { changeOwnRsvp, getOwnRsvp, restoreOwnRsvp, withdrawOwnRsvp } from './operations.ts'

const call = testCall({ administrator: false, actor: 'visitor' })
/** Ten minutes later, the same week. */
const later = { ...call, now: new Date(call.now.getTime() + 600_000) }
const afterService = { ...call, now: new Date('2025-02-01T00:00:00Z') }
const unknown = { code: 'not-found', message: expect.stringMatching(/^This link does not work/) }

let sent = 0
async function send(changes: Record<string, unknown> = {}, idempotencyKey = `key-${++sent}`) {
  const { id, linkSecret = '' } = await createRsvp({ ...testRsvp(changes), idempotencyKey }, call)
  return { id, linkSecret, idempotencyKey }
}
const stored = async () => JSON.parse(String((await listRsvps({}, testCall())).json))

describeOnBothDatabases('a private link', () => {
  beforeEach(async () => {
    await transaction((tx) => tx.delete(rsvps))
    await changeFeatures({ calendarIntegration: true, familyRsvp: true, volunteerSignup: true }, testCall())
    await changeSchedule(
      { weekday: 6, startTime: '10:00', durationMinutes: 120, timeZone: 'UTC', closesMinutesBefore: null },
      testCall(),
    )
  })

  it('shows the RSVP without its number or mark, and none of another visitor', async () => {
    await send({ name: 'Bea Cole' })
    const { linkSecret } = await send({ familyMembers: [{ name: 'Joel Cole', age: 'child' }], volunteerRoles: [1] })
    const { rsvp, revision } = await getOwnRsvp({ linkSecret }, call)
    expect(rsvp).toMatchObject({
      name: 'Ana Cole',
      familyMembers: [{ name: 'Joel Cole', age: 'child', attending: true }],
      volunteerSignups: [{ role: { id: 1 } }],
      serviceDate: '2025-01-11',
      endsAt: '2025-01-11T12:00:00.000Z',
      withdrawnAt: null,
      changedAt: null,
    })
    expect(Object.keys(rsvp)).not.toContain('id')
    expect(Object.keys(rsvp)).not.toContain('suspicion')
    expect(revision).toBe(0)
  })

  it('is the same for the same sending, another for each other one, and random without a key', async () => {
    const first = await send()
    expect(await send({}, first.idempotencyKey)).toEqual(first)
    expect((await send()).linkSecret).not.toBe(first.linkSecret)
    const [one, other] = await Promise.all([createRsvp(testRsvp(), call), createRsvp(testRsvp(), call)])
    expect(one.linkSecret).not.toBe(other.linkSecret)
    for (const { linkSecret } of [first, one, other]) expect(linkSecret).toMatch(/^[\w-]{22}$/)
  })

  it('is still that of a sending which is repeated after its RSVP was changed', async () => {
    const first = await send()
    await changeOwnRsvp({ linkSecret: first.linkSecret, attending: false }, later)
    expect(await send({}, first.idempotencyKey)).toEqual(first)
    expect(await stored()).toMatchObject([{ id: first.id, attending: false }])
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
    for (const known of [
      row?.key ?? '',
      row?.key.slice(7) ?? '',
      row?.bodyHash ?? '',
      row?.linkHash ?? '',
      `${row?.id}`,
    ])
      for (const purpose of ['key', 'body', 'thanks', 'link'] as const) expect(hash(purpose, known)).not.toContain(part)
  })

  it.each(['', 'x', '0123456789012345678901', '../../etc', '%', '\0'])(
    'that is wrong (%j) finds nothing',
    async (linkSecret) => {
      await send()
      await expect(getOwnRsvp({ linkSecret }, call)).rejects.toMatchObject(unknown)
      await expect(changeOwnRsvp({ linkSecret, name: 'Eve' }, call)).rejects.toMatchObject(unknown)
      await expect(withdrawOwnRsvp({ linkSecret }, call)).rejects.toMatchObject(unknown)
      await expect(restoreOwnRsvp({ linkSecret }, call)).rejects.toMatchObject(unknown)
      expect(await stored()).toMatchObject([{ name: 'Ana Cole' }])
    },
  )

  it('finds nothing by the hash that is stored, nor by the number of its RSVP', async () => {
    const { id } = await send()
    const [row] = await db.select().from(rsvps)
    for (const linkSecret of [row?.linkHash ?? '', row?.key ?? '', String(id)])
      await expect(getOwnRsvp({ linkSecret }, call)).rejects.toMatchObject(unknown)
  })

  it('changes what is sent, keeps the rest, and writes that down by number', async () => {
    const { id, linkSecret } = await send({
      message: 'Hello',
      familyMembers: [{ name: 'Joel Cole' }],
      volunteerRoles: [1],
    })
    const before = (await auditLines()).length
    const changed = await changeOwnRsvp({ linkSecret, name: 'Ana Maria Cole', volunteerRoles: [2] }, later)
    expect(changed.rsvp).toMatchObject({
      name: 'Ana Maria Cole',
      message: 'Hello',
      changedAt: later.now.toISOString(),
      familyMembers: [{ name: 'Joel Cole' }],
      volunteerSignups: [{ role: { id: 2 } }],
    })
    expect(await getOwnRsvp({ linkSecret }, call)).toEqual(changed)
    expect((await auditLines()).slice(before)).toEqual([`visitor: response changed ${id}`])
    expect(await stored()).toMatchObject([{ id, name: 'Ana Maria Cole', createdAt: call.now.toISOString() }])
  })

  it('is checked like a form: fields, roles and the day', async () => {
    const { linkSecret } = await send()
    const refused = (change: object) => expect(changeOwnRsvp({ linkSecret, ...change }, later)).rejects
    await refused({ name: 'A', email: 'x' }).toMatchObject({ fields: [{ path: 'name' }, { path: 'email' }] })
    await refused({ volunteerRoles: [9999] }).toMatchObject({ fields: [{ path: 'volunteerRoles' }] })
    await refused({ serviceDate: '2025-01-12' }).toMatchObject({ fields: [{ path: 'serviceDate' }] })
    await refused({ serviceDate: '2025-12-27' }).toMatchObject({ fields: [{ path: 'serviceDate' }] })
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

  it('takes the last place in a role once, and keeps the own one', async () => {
    const { id } = await createVolunteerRole({ name: `Door ${++sent}`, needed: 1 }, testCall())
    const [first, ...others] = await Promise.all(['One', 'Two', 'Three'].map((name) => send({ name })))
    const claim = ({ linkSecret }: { linkSecret: string }) => changeOwnRsvp({ linkSecret, volunteerRoles: [id] }, later)
    const ends = await Promise.allSettled([first, ...others].map((each) => claim(each ?? { linkSecret: '' })))
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected'])
    for (const end of ends)
      if (end.status === 'rejected') expect(end.reason).toMatchObject({ fields: [{ path: 'volunteerRoles' }] })
    const winner = [first, ...others][ends.findIndex(({ status }) => status === 'fulfilled')]
    await changeOwnRsvp({ linkSecret: winner?.linkSecret, message: 'I still come' }, later)
    await changeOwnRsvp({ linkSecret: winner?.linkSecret, attending: false }, later)
    await claim([first, ...others].find((each) => each !== winner) ?? { linkSecret: '' })
    await expect(changeOwnRsvp({ linkSecret: winner?.linkSecret, attending: true }, later)).rejects.toMatchObject({
      fields: [{ path: 'volunteerRoles' }],
    })
  })

  it('leaves alone what belongs to a feature that is off', async () => {
    const { linkSecret } = await send({ familyMembers: [{ name: 'Joel Cole' }] })
    await changeFeatures({ familyRsvp: false }, testCall())
    await changeOwnRsvp({ linkSecret, name: 'Ana M. Cole', familyMembers: [] }, later)
    expect(await stored()).toMatchObject([{ name: 'Ana M. Cole', familyMembers: [{ name: 'Joel Cole' }] }])
  })

  it('of 20 devices that change the same revision at once, one wins whole and the others are told', async () => {
    const { linkSecret } = await send({ familyMembers: [{ name: 'Joel Cole' }] })
    const { revision } = await getOwnRsvp({ linkSecret }, call)
    const devices = Array.from({ length: 20 }, (_, number) => `Device ${number}`)
    const ends = await Promise.allSettled(
      devices.map((name) =>
        changeOwnRsvp({ linkSecret, name, familyMembers: [{ name }, { name }], onlyIfRevision: [revision] }, later),
      ),
    )
    const won = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value.rsvp] : []))
    expect(won).toHaveLength(1)
    const name = won[0]?.name
    expect(await stored()).toMatchObject([{ name, familyMembers: [{ name }, { name }] }])
    for (const end of ends)
      if (end.status === 'rejected') expect(end.reason).toMatchObject({ code: 'changed-meanwhile' })
  })

  it('takes the same change a second time as a success, so that a lost reply harms no one', async () => {
    const { linkSecret } = await send()
    const change = { linkSecret, message: 'Hello', onlyIfRevision: [0] }
    const first = await changeOwnRsvp(change, later)
    expect(await changeOwnRsvp(change, later)).toEqual(first)
    await expect(changeOwnRsvp({ ...change, message: 'Bye' }, later)).rejects.toMatchObject({
      code: 'changed-meanwhile',
    })
  })

  it('withdraws, which can be taken back, and is no change while it is withdrawn', async () => {
    const { id, linkSecret } = await send()
    const before = (await auditLines()).length
    // In a browser in which an administrator has signed in, it is the sender all the same.
    await withdrawOwnRsvp({ linkSecret }, testCall({ now: later.now, actor: 'session 7' }))
    await withdrawOwnRsvp({ linkSecret }, later)
    expect(await stored()).toEqual([])
    expect((await getOwnRsvp({ linkSecret }, call)).rsvp.withdrawnAt).toEqual(expect.any(String))
    await expect(changeOwnRsvp({ linkSecret, name: 'Bea Cole' }, later)).rejects.toMatchObject({ code: 'deleted' })
    await restoreOwnRsvp({ linkSecret }, later)
    await restoreOwnRsvp({ linkSecret }, later)
    expect(await stored()).toMatchObject([{ id, name: 'Ana Cole' }])
    expect((await auditLines()).slice(before)).toEqual([
      `visitor: response deleted ${id}`,
      `visitor: response restored ${id}`,
    ])
  })

  it('is not given back a role that another one fills by then', async () => {
    const { id } = await createVolunteerRole({ name: `Tower ${++sent}`, needed: 1 }, testCall())
    const { linkSecret } = await send({ volunteerRoles: [1, id] })
    await withdrawOwnRsvp({ linkSecret }, later)
    await restoreOwnRsvp({ linkSecret }, later)
    expect((await getOwnRsvp({ linkSecret }, later)).rsvp.volunteerSignups).toMatchObject([{ role: { id: 1 } }, {}])
    await withdrawOwnRsvp({ linkSecret }, later)
    await send({ name: 'Bea Cole', volunteerRoles: [id] })
    await restoreOwnRsvp({ linkSecret }, later)
    expect((await getOwnRsvp({ linkSecret }, later)).rsvp.volunteerSignups).toMatchObject([{ role: { id: 1 } }])
  })

  it('brings nothing back that an administrator has deleted, until he restores it', async () => {
    const { id, linkSecret } = await send()
    // At the same millisecond.
    await changeOwnRsvp({ linkSecret, message: 'Hello' }, later)
    await deleteRsvp({ id: String(id) }, testCall({ now: later.now }))
    for (const act of [getOwnRsvp, restoreOwnRsvp, withdrawOwnRsvp])
      await expect(act({ linkSecret }, later)).rejects.toMatchObject({
        code: 'gone',
        message: expect.stringMatching(/has deleted/),
      })
    expect(await stored()).toEqual([])
    await restoreRsvp({ id: String(id) }, testCall())
    expect((await getOwnRsvp({ linkSecret }, call)).rsvp.name).toBe('Ana Cole')
  })

  it('ends with its service', async () => {
    const { linkSecret } = await send()
    for (const act of [getOwnRsvp, restoreOwnRsvp, withdrawOwnRsvp, changeOwnRsvp])
      await expect(act({ linkSecret }, afterService)).rejects.toMatchObject({
        code: 'gone',
        message: expect.stringMatching(/is over/),
      })
  })

  it('is dead once its RSVP is erased or anonymous', async () => {
    const erased = await send()
    await eraseRsvps({ email: 'ana@cole.example' }, testCall())
    await expect(getOwnRsvp(erased, call)).rejects.toMatchObject(unknown)
    const anonymous = await send()
    await anonymizeOldRsvps({ days: 1 }, testCall({ now: afterService.now }))
    await expect(getOwnRsvp(anonymous, call)).rejects.toMatchObject(unknown)
    expect(await db.select({ linkHash: rsvps.linkHash }).from(rsvps)).toEqual([{ linkHash: null }])
  })

  it('refuses guesses after twenty from one network, and never a link that works', async () => {
    const { linkSecret } = await send()
    const caller = { ...call, network: `203.0.113.${++sent}` }
    const guessFrom = (network: string) =>
      getOwnRsvp({ linkSecret: 'x' }, { ...call, network }).catch(({ code }) => code)
    const codes: unknown[] = []
    for (let number = 0; number < 25; number++) codes.push(await guessFrom(caller.network))
    expect(codes).toEqual([...Array(20).fill('not-found'), ...Array(5).fill('too-many')])
    expect((await getOwnRsvp({ linkSecret }, caller)).rsvp.name).toBe('Ana Cole')
    expect(await guessFrom('198.51.100.1')).toBe('not-found')
    // One customer has many networks, of which none is at its own limit.
    for (let number = 0; number < 80; number++)
      expect(await guessFrom(`2001:db8:1:10${number % 5}::/64`)).toBe('not-found')
    expect(await guessFrom('2001:db8:1:105::/64')).toBe('too-many')
  })

  it('takes changes from the allowance of RSVPs', async () => {
    const { linkSecret } = await send()
    const caller = { ...call, network: `203.0.113.${++sent}`, allowance: { atOnce: 2, everyMs: 60_000 } }
    for (const message of ['One', 'Two']) await changeOwnRsvp({ linkSecret, message }, caller)
    await expect(changeOwnRsvp({ linkSecret, message: 'Three' }, caller)).rejects.toMatchObject({ code: 'too-many' })
    await expect(withdrawOwnRsvp({ linkSecret }, caller)).rejects.toMatchObject({ code: 'too-many' })
    expect(await stored()).toMatchObject([{ message: 'Two' }])
  })
})
