import { beforeEach, expect, it } from 'vitest'
import { db, transaction } from '#db/storage/client.ts'
import { administrators, sessions } from '#db/tables/access.ts'
import {
  addAdministrator,
  auditLines,
  callOf,
  describeOnBothDatabases,
  emptyTables,
  everyRow,
  invalidAt,
  testCall,
  testPasswordHash,
} from '#testing/database-fixtures.ts'
import { changeAccount, getAccount } from './account.ts'
import { addPasskey, addSession, emptyAccess, hashInTable } from './fixtures.ts'
import { isPasswordOf } from './password.ts'

const password = 'green bottle singing'
let id: number

describeOnBothDatabases('an account', () => {
  beforeEach(async () => {
    await emptyAccess()
    id = await addAdministrator({ role: 'reader' })
    // The session of the calls.
    await addSession(id, 'one', { id: 7 })
  })

  it('shows what its owner signs in with, and nothing of others', async () => {
    const other = await addAdministrator({ email: 'sam@lee.example' })
    await addPasskey(id, { id: 'two', createdAt: 1000, usedAt: 2000 })
    await addPasskey(id, { id: 'one' })
    await addPasskey(other)
    expect(await getAccount(callOf(id))).toEqual({
      name: 'Ruth Cole',
      email: 'ruth@cole.example',
      role: 'reader',
      seesContacts: false,
      prayers: 'none',
      mail: [],
      hasPassword: true,
      sessions: [expect.objectContaining({ id: 7, isThis: true })],
      passkeys: [
        { id: 'one', name: 'Phone', createdAt: '1970-01-01T00:00:00.000Z', usedAt: null },
        { id: 'two', name: 'Phone', createdAt: '1970-01-01T00:00:01.000Z', usedAt: '1970-01-01T00:00:02.000Z' },
      ],
    })
  })

  it('is refused to a command, in open mode, after the session, and to a removed person', async () => {
    for (const call of [testCall(), testCall({ actor: 'open mode' })]) {
      await expect(getAccount(call)).rejects.toMatchObject({ code: 'not-found' })
      await expect(changeAccount({ name: 'Ruth' }, call)).rejects.toMatchObject({ code: 'not-found' })
    }
    const changing = changeAccount({ password }, callOf(id)).catch((error) => error)
    await emptyTables(sessions)
    expect(await changing).toMatchObject({ code: 'unauthenticated' })
    await transaction((tx) => tx.update(administrators).set({ removedAt: 1 }))
    await expect(getAccount(callOf(id))).rejects.toMatchObject({ code: 'unauthenticated' })
    await expect(changeAccount({ password }, callOf(id))).rejects.toMatchObject({ code: 'unauthenticated' })
    expect(await hashInTable()).toBe(testPasswordHash)
  })

  it('takes a name and an email, which are not in the audit, and no other role', async () => {
    const change = { name: ' Ruth Lee ', email: 'Ruth@Lee.example', role: 'owner' }
    const changed = { name: 'Ruth Lee', email: 'ruth@lee.example', role: 'reader' }
    expect(await changeAccount(change, callOf(id))).toMatchObject(changed)
    expect(await changeAccount(change, callOf(id))).toMatchObject(changed)
    expect(await auditLines()).toEqual([`session 7: administrator changed administrator ${id} name email`])
    await addAdministrator({ email: 'sam@lee.example' })
    await expect(changeAccount({ email: 'Sam@lee.example', password }, callOf(id))).rejects.toMatchObject({
      code: 'conflict',
      fields: [expect.objectContaining({ path: 'email' })],
    })
    expect(await hashInTable()).toBe(testPasswordHash)
    await expect(changeAccount({}, callOf(id))).rejects.toMatchObject({ code: 'invalid' })
  })

  it('takes what its owner chooses to get by mail, and no access to prayer requests', async () => {
    await changeAccount({ mail: ['sheet', 'prayers'] }, callOf(id))
    expect(await auditLines()).toEqual([`session 7: administrator changed administrator ${id} mail=sheet,prayers`])
    expect(await changeAccount({ name: 'Ruth Lee' }, callOf(id))).toMatchObject({ mail: ['sheet', 'prayers'] })
    // Only an owner chooses who reads prayer requests.
    for (const refused of [{ mail: ['everything'] }, { prayers: 'pastor' }] as object[])
      await expect(changeAccount(refused, callOf(id))).rejects.toMatchObject({ code: 'invalid' })
  })

  it('takes a new password, which ends the other sessions and the open invitation of this person only', async () => {
    const other = await addAdministrator({ email: 'sam@lee.example' })
    await addSession(id, 'two')
    const third = await addSession(other, 'three')
    await transaction((tx) => tx.update(administrators).set({ invitationEndsAt: 1 }))
    await changeAccount({ password }, callOf(id))
    expect(await isPasswordOf(await hashInTable(), password)).toBe(true)
    expect(await everyRow()).not.toContain(password)
    expect((await db.select().from(sessions)).map((session) => session.id)).toEqual([7, third])
    const stored = await db.select().from(administrators)
    expect(stored.map(({ invitationEndsAt }) => invitationEndsAt)).toEqual([null, 1])
    expect(await auditLines()).toEqual([`session 7: password set administrator ${id}`])
  })

  it.each(['too short', 'passwordpassword', 'x'.repeat(129)])('refuses the password %j', async (common) => {
    await expect(changeAccount({ name: 'Ruth Lee', password: common }, callOf(id))).rejects.toMatchObject(
      invalidAt('password'),
    )
    expect(await getAccount(callOf(id))).toMatchObject({ name: 'Ruth Cole' })
  })

  it('keeps the password from ADMIN_PASSWORD, but takes a name', async () => {
    await transaction((tx) =>
      tx.update(administrators).set({ isFromSettings: true, name: 'Administrator', email: null }),
    )
    await expect(changeAccount({ name: 'Ruth Cole', password }, callOf(id))).rejects.toMatchObject({
      code: 'conflict',
      fields: [{ path: 'password', message: expect.stringContaining('ADMIN_PASSWORD') }],
    })
    expect(await hashInTable()).toBe(testPasswordHash)
    const named = { name: 'Ruth Cole', email: 'ruth@cole.example' }
    expect(await changeAccount(named, callOf(id))).toMatchObject(named)
  })
})
