import { beforeEach, expect, it } from 'vitest'
import { db } from '#db/storage/client.ts'
import { administrators, passkeys, sessions } from '#db/tables/access.ts'
import {
  addAdministrator,
  auditLines,
  callOf,
  describeOnBothDatabases,
  emptyTables,
  everyRow,
  testCall,
} from '#testing/database-fixtures.ts'
import {
  changeAdministrator,
  inviteAdministrator,
  listAdministrators,
  removeAdministrator,
  renewInvitation,
} from './administrators.ts'
import { addPasskey, addSession, emptyAccess } from './fixtures.ts'
import { findSession } from './sessions.ts'
import { hashOfToken } from './tokens.ts'

const terminal = testCall()
const invited = { name: 'Sam Lee', email: ' Sam@Lee.example', role: 'clerk' }
const lastOwner = { code: 'conflict', message: expect.stringMatching(/^No other owner can sign in to this site\./) }
const notFound = { code: 'not-found' }
let ruth: number

const addClerk = () => addAdministrator({ name: 'Sam Lee', email: 'sam@lee.example', role: 'clerk' })
const addOwner = () => addAdministrator({ name: 'Eva Ott', email: 'eva@ott.example' })

async function rowOf(id: number) {
  return (await db.select().from(administrators)).find((row) => row.id === id)
}

async function roles() {
  return (await listAdministrators()).map(({ id, role }) => [id, role])
}

async function setUp() {
  await emptyAccess()
  ruth = await addAdministrator()
}

describeOnBothDatabases('an administrator', () => {
  beforeEach(setUp)

  it('is invited by a link that works for seven days, of which only the hash is stored', async () => {
    const { id, key } = await inviteAdministrator(invited, callOf(ruth))
    expect(key).toMatch(/^[\w-]{43}$/)
    expect(await rowOf(id)).toMatchObject({ invitationHash: hashOfToken(key), passwordHash: null })
    expect(await everyRow()).not.toContain(key)
    const shown = { seesContacts: false, prayers: 'none', seenAt: null, invitedUntil: null }
    const sam = { name: 'Sam Lee', email: 'sam@lee.example', role: 'clerk' }
    expect(await listAdministrators()).toEqual([
      { ...shown, id: ruth, name: 'Ruth Cole', email: 'ruth@cole.example', role: 'owner' },
      { ...shown, id, ...sam, invitedUntil: '2025-01-12T14:00:00.000Z' },
    ])
    expect(await auditLines()).toEqual([`session 7: administrator invited administrator ${id} role=clerk`])
  })

  it('cannot have the email of another one who is not removed', async () => {
    const taken = { code: 'conflict', fields: [expect.objectContaining({ path: 'email' })] }
    const sam = await addClerk()
    await expect(inviteAdministrator(invited, terminal)).rejects.toMatchObject(taken)
    await expect(changeAdministrator({ id: String(ruth), email: invited.email }, terminal)).rejects.toMatchObject(taken)
    await removeAdministrator({ id: String(sam) }, terminal)
    expect((await inviteAdministrator(invited, terminal)).id).toBe(sam + 1)
  })

  it('must be an owner, invited by a command, while the site is open', async () => {
    await emptyTables(administrators)
    const open = testCall({ actor: 'open mode' })
    const owner = { ...invited, role: 'owner' }
    await expect(inviteAdministrator(owner, open)).rejects.toMatchObject({
      code: 'conflict',
      message: 'Guard this site first, then invite others.',
    })
    await expect(inviteAdministrator(invited, terminal)).rejects.toMatchObject({ code: 'conflict' })
    await inviteAdministrator(owner, terminal)
    await inviteAdministrator({ ...invited, email: 'other@lee.example' }, terminal)
    expect(await roles()).toHaveLength(2)
  })

  it('is not changed by a request from before the site was guarded', async () => {
    const late = testCall({ actor: 'open mode' })
    const before = await everyRow()
    for (const act of [renewInvitation, removeAdministrator, changeAdministrator])
      await expect(act({ id: String(ruth), name: 'Eve' }, late)).rejects.toMatchObject({ code: 'conflict' })
    expect(await everyRow()).toBe(before)
  })

  it('loses the invitation with a new email, but not with any other change', async () => {
    const { id } = await inviteAdministrator(invited, terminal)
    const change = (changes: object) => changeAdministrator({ id: String(id), ...changes }, callOf(ruth))
    expect(await change({ name: 'Samuel Lee', email: 'sam@lee.example' })).toHaveProperty(
      'invitedUntil',
      expect.any(String),
    )
    expect(await change({ email: 'samuel@lee.example' })).toHaveProperty('invitedUntil', terminal.now.toISOString())
    expect(await rowOf(id)).toMatchObject({ invitationHash: null })
  })

  it('gets a new link, which ends only the earlier link', async () => {
    const { id, key } = await inviteAdministrator(invited, terminal)
    const later = testCall({ now: new Date('2025-02-01T00:00:00Z') })
    const renewed = await renewInvitation({ id: String(id) }, later)
    expect(renewed).toEqual({ id, key: expect.stringMatching(/^[\w-]{43}$/) })
    expect(renewed.key).not.toBe(key)
    expect(await rowOf(id)).toMatchObject({ invitationHash: hashOfToken(renewed.key) })
    await addSession(ruth, 'one')
    const before = await rowOf(ruth)
    await renewInvitation({ id: String(ruth) }, later)
    expect(await rowOf(ruth)).toMatchObject({ passwordHash: before?.passwordHash })
    expect(await findSession('one', terminal)).toBeDefined()
    const line = (about: string) => `terminal: administrator invited administrator ${about}`
    expect(await auditLines()).toEqual([line(`${id} role=clerk`), line(String(id)), line(String(ruth))])
  })

  it('is signed out by a new role only; the audit names changes without personal data', async () => {
    const sam = await addClerk()
    await addSession(sam, 'one')
    const change = (changes: object) => changeAdministrator({ id: String(sam), ...changes }, callOf(ruth))
    const renamed = { id: sam, name: 'Samuel Lee', email: 'samuel@lee.example', role: 'clerk' }
    expect(await change({ name: 'Samuel Lee', email: 'Samuel@lee.example' })).toMatchObject(renamed)
    await change({ role: 'clerk', name: undefined })
    await change({ seesContacts: true, prayers: 'pastor' })
    expect(await findSession('one', terminal)).toMatchObject({
      administrator: { name: 'Samuel Lee', seesContacts: true, prayers: 'pastor' },
    })
    expect(await change({ role: 'reader', seesContacts: false })).toMatchObject({ role: 'reader', seesContacts: false })
    expect(await findSession('one', terminal)).toBeUndefined()
    const line = `session 7: administrator changed administrator ${sam}`
    expect(await auditLines()).toEqual([
      `${line} name email`,
      `${line} seesContacts=true prayers=pastor`,
      `${line} role=reader seesContacts=false`,
    ])
    await expect(change({})).rejects.toMatchObject({ code: 'invalid' })
  })

  it('is removed with passwords, passkeys and sessions; the name stays', async () => {
    const sam = await addClerk()
    await addSession(sam, 'one')
    await addSession(ruth, 'two')
    await addPasskey(sam)
    await renewInvitation({ id: String(sam) }, terminal)
    await removeAdministrator({ id: String(sam) }, callOf(ruth))
    const nothing = { email: null, passwordHash: null, invitationHash: null, invitationEndsAt: null }
    expect(await rowOf(sam)).toMatchObject({ name: 'Sam Lee', ...nothing, removedAt: terminal.now.getTime() })
    expect([await db.$count(passkeys), await db.$count(sessions)]).toEqual([0, 1])
    expect(await findSession('one', terminal)).toBeUndefined()
    expect(await findSession('two', terminal)).toBeDefined()
    expect(await roles()).toEqual([[ruth, 'owner']])
    expect((await auditLines()).at(-1)).toBe(`session 7: administrator removed administrator ${sam}`)
    for (const act of [removeAdministrator, renewInvitation])
      await expect(act({ id: String(sam) }, terminal)).rejects.toMatchObject(notFound)
    await expect(changeAdministrator({ id: String(sam), name: 'Sam' }, terminal)).rejects.toMatchObject(notFound)
  })
})

describeOnBothDatabases('an owner who leaves', () => {
  beforeEach(setUp)

  it.each<[string, (id: string) => Promise<unknown>]>([
    ['is removed', (id) => removeAdministrator({ id }, callOf(ruth))],
    ['gets a lesser role', (id) => changeAdministrator({ id, role: 'clerk' }, callOf(ruth))],
  ])('and %s ends every open invitation', async (_, act) => {
    const eva = String(await addAdministrator({ email: 'eva@ott.example', seenAt: 1 }))
    const { id } = await inviteAdministrator(invited, callOf(ruth))
    await renewInvitation({ id: String(ruth) }, callOf(Number(eva)))
    await act(eva)
    for (const other of [ruth, id]) {
      const over = { invitationHash: null, invitationEndsAt: terminal.now.getTime() }
      expect(await rowOf(other)).toMatchObject(over)
    }
  })

  it('without ever having signed in, or is a clerk, ends none', async () => {
    const { id } = await inviteAdministrator(invited, callOf(ruth))
    const others = [{ email: 'eva@ott.example' }, { email: 'kim@ott.example', role: 'clerk', seenAt: 1 } as const]
    for (const other of others) {
      await removeAdministrator({ id: String(await addAdministrator(other)) }, callOf(ruth))
      expect(await rowOf(id)).toMatchObject({ invitationHash: expect.any(String) })
    }
  })
})

describeOnBothDatabases('the last owner who can sign in', () => {
  beforeEach(setUp)

  it('is neither removed nor demoted, whoever else there is', async () => {
    await addClerk()
    await inviteAdministrator({ ...invited, email: 'new@lee.example', role: 'owner' }, terminal)
    for (const call of [terminal, callOf(ruth)]) {
      await expect(removeAdministrator({ id: String(ruth) }, call)).rejects.toMatchObject(lastOwner)
      await expect(changeAdministrator({ id: String(ruth), role: 'clerk' }, call)).rejects.toMatchObject(lastOwner)
    }
    expect(await rowOf(ruth)).toMatchObject({ role: 'owner', removedAt: null })
  })

  it('can be removed or demoted once another owner has a password or a passkey', async () => {
    const eva = await addAdministrator({ email: 'eva@ott.example', passwordHash: null })
    await expect(removeAdministrator({ id: String(ruth) }, callOf(ruth))).rejects.toMatchObject(lastOwner)
    await addPasskey(eva)
    await changeAdministrator({ id: String(ruth), role: 'reader' }, callOf(ruth))
    expect((await roles()).flat()).toEqual([ruth, 'reader', eva, 'owner'])
    await changeAdministrator({ id: String(ruth), role: 'owner' }, terminal)
    await removeAdministrator({ id: String(eva) }, terminal)
    expect(await roles()).toEqual([[ruth, 'owner']])
  })

  const remove = (id: number, by: number) => removeAdministrator({ id: String(id) }, callOf(by))
  const demote = (id: number, by: number) => changeAdministrator({ id: String(id), role: 'clerk' }, callOf(by))

  it.each([
    ['remove each other', remove, remove],
    ['demote each other', demote, demote],
    ['remove and demote each other', remove, demote],
  ])('remains when two owners %s, or themselves, at once', async (_, first, second) => {
    for (const isOwn of [false, true]) {
      const eva = await addOwner()
      const owners = isOwn ? [first(ruth, ruth), second(eva, eva)] : [first(eva, ruth), second(ruth, eva)]
      const [one, two] = await Promise.allSettled(owners)
      expect([one?.status, two]).toMatchObject(['fulfilled', { reason: isOwn ? lastOwner : { code: 'forbidden' } }])
      expect((await roles()).filter(([, role]) => role === 'owner')).toEqual([[isOwn ? eva : ruth, 'owner']])
      await setUp()
    }
  })

  it('does not include the owner of ADMIN_PASSWORD, who can be neither removed nor demoted', async () => {
    const named = await addAdministrator({ email: 'eva@ott.example', isFromSettings: true })
    const refused = { code: 'conflict', message: expect.stringContaining('ADMIN_PASSWORD') }
    await expect(remove(named, ruth)).rejects.toMatchObject(refused)
    await expect(demote(named, ruth)).rejects.toMatchObject(refused)
    await changeAdministrator({ id: String(named), name: 'Eva' }, callOf(ruth))
  })

  it('can still act, unlike an owner who was demoted meanwhile', async () => {
    const eva = await addOwner()
    const sam = await addClerk()
    await demote(eva, ruth)
    const acts = [
      () => inviteAdministrator({ ...invited, email: 'new@lee.example' }, callOf(eva)),
      () => renewInvitation({ id: String(sam) }, callOf(eva)),
      () => demote(sam, eva),
      () => remove(sam, eva),
    ]
    for (const act of acts) await expect(act()).rejects.toMatchObject({ code: 'forbidden' })
    expect(await roles()).toHaveLength(3)
  })
})
