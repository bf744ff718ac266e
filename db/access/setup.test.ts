import { beforeEach, expect, it } from 'vitest'
import {
  addAdministrator,
  auditLines,
  callOf,
  describeOnBothDatabases,
  testCall,
  testPassword,
  testPasswordHash,
} from '#db/fixtures.ts'
import type { Call } from '#db/operation.ts'
import { db, transaction } from '#db/storage/client.ts'
import { inviteAdministrator } from './administrators.ts'
import { addSession, emptyAccess, hashInTable } from './fixtures.ts'
import { isPasswordOf } from './password.ts'
import { findSession } from './sessions.ts'
import { applyPassword, getAccess, isGuarded, setPassword } from './setup.ts'
import { administrators, allowances, sessions } from './table.ts'

const call = testCall()
const password = testPassword

async function stored() {
  return db.select().from(administrators)
}

describeOnBothDatabases('the password', () => {
  beforeEach(emptyAccess)

  it('guards the site once it is set, by an owner without a name, and ends every session when it changes', async () => {
    expect(await isGuarded(call)).toBe(false)
    await setPassword({ password }, call)
    expect(await isGuarded(call)).toBe(true)
    const [owner] = await stored()
    expect(owner).toMatchObject({ name: 'Administrator', email: null, role: 'owner', isFromSettings: false })
    expect(await isPasswordOf(await hashInTable(), password)).toBe(true)
    const id = owner?.id ?? 0
    await addSession(id, 'one')
    await addSession(id, 'two')
    // A network that has to wait, the limit for all networks, and the limit for RSVPs, which a password does not change.
    const fullAt = call.now.getTime() + 60_000
    const names = ['sign-in 203.0.113.0/24', 'sign-in 203.0.113.7', 'sign-in account x', 'rsvp 203.0.113.7']
    await transaction((tx) => tx.insert(allowances).values(names.map((name) => ({ name, fullAt }))))
    await setPassword({ password: 'four words in a row' }, call)
    expect(await db.$count(sessions)).toBe(0)
    expect(await db.select().from(allowances)).toMatchObject([{ name: 'rsvp 203.0.113.7' }])
    expect(await isPasswordOf(await hashInTable(), 'four words in a row')).toBe(true)
    expect(await auditLines()).toEqual(Array(2).fill(`terminal: password set administrator ${id}`))
  })

  it.each(['too short', undefined, 'passwordpassword'])('cannot be %j', async (wrong) => {
    const id = await addAdministrator({ email: null })
    await addSession(id, 'one')
    await expect(setPassword({ password: wrong }, call)).rejects.toMatchObject({ code: 'invalid' })
    await expect(setPassword({ email: 'ruth@cole.example', password: wrong }, call)).rejects.toMatchObject({
      code: 'invalid',
    })
    expect(await hashInTable()).toBe(testPasswordHash)
    expect(await findSession('one', call)).toBeDefined()
    expect(await auditLines()).toEqual([])
  })

  it('is set by email where there are several administrators', async () => {
    const invitation = { invitationHash: 'hash', invitationEndsAt: 1 }
    const clerk = { email: 'sam@cole.example', role: 'clerk', ...invitation } as const
    const [ruth, sam] = [await addAdministrator(), await addAdministrator(clerk)]
    await addSession(ruth, 'ruth')
    await addSession(sam, 'sam')
    await expect(setPassword({ password: 'four words in a row' }, call)).rejects.toMatchObject({ code: 'invalid' })
    const given = { email: ' Sam@Cole.example', password: 'four words in a row' }
    await setPassword(given, call)
    expect(await hashInTable()).toBe(testPasswordHash)
    expect(await findSession('ruth', call)).toBeDefined()
    expect(await findSession('sam', call)).toBeUndefined()
    expect((await stored())[1]).toMatchObject({ invitationHash: null, invitationEndsAt: null })
    expect(await auditLines()).toEqual([`terminal: password set administrator ${sam}`])
    await expect(setPassword({ ...given, email: 'other@cole.example' }, call)).rejects.toMatchObject({
      code: 'not-found',
    })
  })
})

describeOnBothDatabases('the password of the settings', () => {
  beforeEach(emptyAccess)

  it('is not changed by a command, because the next start would bring it back', async () => {
    await addAdministrator({ isFromSettings: true })
    const given = { email: 'ruth@cole.example', password: 'four words in a row' }
    await expect(setPassword(given, call)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('ADMIN_PASSWORD'),
    })
    expect(await hashInTable()).toBe(testPasswordHash)
  })

  it('makes no owner of a person who is one no longer', async () => {
    await addAdministrator({ email: null, role: 'clerk' })
    await addAdministrator()
    expect(await applyPassword('four words in a row', testCall({ actor: 'site' }))).toBe(false)
    expect(await stored()).toMatchObject([{ isFromSettings: false, passwordHash: testPasswordHash }, {}])
  })

  it('is stored where there is none or another, which ends its sessions, and else changes nothing', async () => {
    expect(await applyPassword(password, testCall({ actor: 'site' }))).toBe(true)
    const [owner] = await stored()
    expect(owner).toMatchObject({ name: 'Administrator', role: 'owner', isFromSettings: true })
    expect(await isPasswordOf(await hashInTable(), password)).toBe(true)
    await transaction((tx) =>
      tx.update(administrators).set({ passwordHash: testPasswordHash, email: 'a@cole.example' }),
    )
    const id = owner?.id ?? 0
    await addSession(id, 'one')
    await applyPassword(password, call)
    expect(await hashInTable()).toBe(testPasswordHash)
    expect(await findSession('one', call)).toBeDefined()
    await applyPassword('four words in a row', call)
    expect(await isPasswordOf(await hashInTable(), 'four words in a row')).toBe(true)
    expect(await findSession('one', call)).toBeUndefined()
    const line = `password set administrator ${id}`
    expect(await auditLines()).toEqual([`site: ${line}`, `terminal: ${line}`])
  })

  it('becomes that of the owner of before, and no longer is once it is taken out of the settings', async () => {
    const id = await addAdministrator({ email: null })
    expect(await applyPassword(password, call)).toBe(true)
    expect(await stored()).toMatchObject([{ id, isFromSettings: true, passwordHash: testPasswordHash }])
    expect(await applyPassword(undefined, call)).toBe(false)
    expect(await stored()).toMatchObject([{ id, isFromSettings: false, passwordHash: testPasswordHash }])
  })

  it('makes no further owner where there is an administrator, also if another instance adds one meanwhile', async () => {
    expect(await Promise.all([1, 2].map(() => applyPassword(password, call)))).toEqual([true, true])
    expect(await db.$count(administrators)).toBe(1)
    await emptyAccess()
    await addAdministrator()
    expect(await applyPassword(password, call)).toBe(false)
    expect(await stored()).toMatchObject([{ isFromSettings: false }])
    await emptyAccess()
    const invited = { name: 'Ruth Cole', email: 'ruth@cole.example', role: 'owner' }
    const [applied] = await Promise.all([applyPassword(password, call), inviteAdministrator(invited, call)])
    expect([applied, await stored()]).toMatchObject([false, [{ isFromSettings: false }]])
  })
})

describeOnBothDatabases('a site', () => {
  beforeEach(emptyAccess)

  it('is guarded while anyone is present, also one who is only invited', async () => {
    await addAdministrator({ passwordHash: null })
    expect(await isGuarded(call)).toBe(true)
    await transaction((tx) => tx.update(administrators).set({ removedAt: 1 }))
    expect(await isGuarded(call)).toBe(false)
  })

  it.each<[Partial<Call>, Awaited<ReturnType<typeof getAccess>>]>([
    [{ actor: 'open mode' }, { mode: 'open', signedIn: false }],
    [{ role: 'visitor' }, { mode: 'guarded', signedIn: false }],
    [callOf(1), { mode: 'guarded', signedIn: true }],
  ])('is told to whoever asks with %j as %j', async (changes, access) => {
    expect(await getAccess(testCall(changes))).toEqual(access)
  })
})
