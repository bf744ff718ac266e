import { beforeEach, expect, it } from 'vitest'
import { auditEntries } from '#db/audit/table.ts'
import {
  auditLines,
  describeOnBothDatabases,
  emptyTables,
  everyRow,
  testCall,
  testPassword,
  testPasswordCheapHash,
  testPasswordHash,
  testPasswordOldHash,
} from '#db/fixtures.ts'
import type { Call } from '#db/operation.ts'
import { db, transaction } from '#db/storage/client.ts'
import { isPasswordOf, renewHash } from './password.ts'
import { findSession, listSessions } from './sessions.ts'
import { applyPassword, getAccess, isGuarded, setPassword } from './setup.ts'
import { signIn } from './sign-in.ts'
import { allowances, passwords, sessions, signInAttempts } from './table.ts'
import { hashOfToken } from './tokens.ts'

const call = testCall()
const visitor = testCall({ role: 'visitor', actor: 'visitor', network: '203.0.113.7' })
const password = testPassword

async function hashInTable(): Promise<string | undefined> {
  return (await db.select().from(passwords))[0]?.hash
}

async function setHash(hash: string) {
  await transaction((tx) => tx.batch([tx.delete(passwords), tx.insert(passwords).values({ hash })]))
}

async function addSession(token: string) {
  const moment = call.now.getTime()
  await transaction((tx) =>
    tx.insert(sessions).values({ tokenHash: hashOfToken(token), createdAt: moment, usedAt: moment }),
  )
}

async function clear() {
  await emptyTables(passwords, sessions, signInAttempts, allowances, auditEntries)
}

describeOnBothDatabases('the password', () => {
  beforeEach(clear)

  it('guards the site once it is set, and ends every session when it changes', async () => {
    expect(await isGuarded(call)).toBe(false)
    await setPassword(password, call)
    expect(await isGuarded(call)).toBe(true)
    expect(await isPasswordOf((await hashInTable()) ?? '', password)).toBe(true)
    await addSession('one')
    await addSession('two')
    // A network that has to wait, the limit for all networks, and the limit for RSVPs, which a password does not change.
    const fullAt = call.now.getTime() + 60_000
    const names = ['sign-in 203.0.113.0/24', 'sign-in from everywhere', 'rsvp 203.0.113.7']
    await transaction((tx) =>
      tx.insert(signInAttempts).values({ who: 'network', failures: 9, nextAt: fullAt, knownUntil: 0 }),
    )
    await transaction((tx) => tx.insert(allowances).values(names.map((name) => ({ name, fullAt }))))
    await setPassword('four words in a row', call)
    expect(await listSessions(call)).toEqual([])
    expect(await db.$count(signInAttempts)).toBe(0)
    expect(await db.select().from(allowances)).toMatchObject([{ name: 'rsvp 203.0.113.7' }])
    expect(await isPasswordOf((await hashInTable()) ?? '', 'four words in a row')).toBe(true)
    expect(await auditLines()).toEqual(['terminal: password set', 'terminal: password set'])
  })

  it.each(['too short', undefined])('cannot be %j', async (wrong) => {
    await setHash(testPasswordHash)
    await addSession('one')
    await expect(setPassword(wrong, call)).rejects.toMatchObject({ code: 'invalid' })
    await expect(applyPassword(wrong, call)).rejects.toMatchObject({ code: 'invalid' })
    expect(await hashInTable()).toBe(testPasswordHash)
    expect(await findSession('one', call)).toBeDefined()
    expect(await auditLines()).toEqual([])
  })

  it('of the settings is stored where there is none or another, which ends its sessions, and else changes nothing', async () => {
    await applyPassword(password, testCall({ actor: 'site' }))
    expect(await isPasswordOf((await hashInTable()) ?? '', password)).toBe(true)
    await setHash(testPasswordHash)
    await addSession('one')
    await applyPassword(password, call)
    expect(await hashInTable()).toBe(testPasswordHash)
    expect(await findSession('one', call)).toBeDefined()
    await applyPassword('four words in a row', call)
    expect(await isPasswordOf((await hashInTable()) ?? '', 'four words in a row')).toBe(true)
    expect(await findSession('one', call)).toBeUndefined()
    expect(await auditLines()).toEqual(['site: password set', 'terminal: password set'])
  })
})

describeOnBothDatabases('signing in', () => {
  beforeEach(async () => {
    await clear()
    await setHash(testPasswordHash)
  })

  it('with the password starts a session whose tokens are stored as their hashes only', async () => {
    const { token, device } = await signIn({ password: ` ${password} ` }, visitor)
    for (const secret of [token, device]) expect(secret).toMatch(/^[\w-]{43}$/)
    expect(token).not.toBe(device)
    const [session] = await db.select().from(sessions)
    const moment = call.now.getTime()
    expect(session).toMatchObject({ tokenHash: hashOfToken(token), createdAt: moment, usedAt: moment })
    expect(await findSession(token, visitor)).toEqual({ id: session?.id })
    expect(await findSession(device, visitor)).toBeUndefined()
    expect(await auditLines()).toEqual([`visitor: signed in session ${session?.id}`])
    const stored = await everyRow()
    for (const secret of [token, device, password]) expect(stored).not.toContain(secret)
  })

  it('ends the session that the browser had before, and no other', async () => {
    await addSession('mine')
    await addSession('other')
    const { token } = await signIn({ password, token: 'mine' }, visitor)
    expect(await findSession('mine', visitor)).toBeUndefined()
    for (const alive of ['other', token]) expect(await findSession(alive, visitor)).toBeDefined()
  })

  it('keeps the token of a known browser, and resets its failures', async () => {
    const { device } = await signIn({ password }, visitor)
    const known = { who: `device ${hashOfToken(device)}`, failures: 0, nextAt: 0 }
    const until = call.now.getTime() + 90 * 24 * 3600 * 1000
    expect(await db.select().from(signInAttempts)).toEqual([{ ...known, knownUntil: until }])
    const later = testCall({ ...visitor, now: new Date(call.now.getTime() + 1000) })
    expect((await signIn({ password, device }, later)).device).toBe(device)
    expect(await db.select().from(signInAttempts)).toEqual([{ ...known, knownUntil: until + 1000 }])
  })

  it('never adopts a device token that the browser made up', async () => {
    const planted = 'p'.repeat(43)
    expect((await signIn({ password, device: planted }, visitor)).device).not.toBe(planted)
    const row = { who: `device ${hashOfToken(planted)}`, failures: 0, nextAt: 0, knownUntil: call.now.getTime() }
    await transaction((tx) => tx.insert(signInAttempts).values(row))
    const { device } = await signIn({ password, device: planted }, visitor)
    expect([device, device.length]).not.toEqual([planted, 43])
    expect(await everyRow()).toContain(hashOfToken(device))
  })

  it('with a wrong password is refused, counted, and leaves no session', async () => {
    const wrong = signIn({ password: 'x'.repeat(128) }, visitor)
    const refused = { code: 'unauthenticated', fields: [], message: 'The password is wrong. Try again.' }
    await expect(wrong).rejects.toMatchObject(refused)
    expect(await db.select().from(sessions)).toEqual([])
    expect(await auditLines()).toEqual([])
    expect(await db.select().from(signInAttempts)).toMatchObject([{ who: 'network 203.0.113.7', failures: 1 }])
  })

  it.each([
    [5, 'visitor: wrong passwords 6 in a row'],
    [4, undefined],
    [6, undefined],
  ])('with a wrong password after %i others writes down %s', async (failures, line) => {
    const row = { who: 'network 203.0.113.7', failures, nextAt: 0, knownUntil: 0 }
    await transaction((tx) => tx.insert(signInAttempts).values(row))
    await expect(signIn({ password: 'wrong' }, visitor)).rejects.toMatchObject({ code: 'unauthenticated' })
    expect(await auditLines()).toEqual(line === undefined ? [] : [line])
  })

  it('is refused without comparing the password while the network has to wait', async () => {
    const nextAt = call.now.getTime() + 5000
    await transaction((tx) =>
      tx.batch([
        tx.insert(signInAttempts).values({ who: 'network 203.0.113.7', failures: 5, nextAt, knownUntil: 0 }),
        tx.update(passwords).set({ hash: 'damaged' }),
      ]),
    )
    await expect(signIn({ password }, visitor)).rejects.toMatchObject({ code: 'too-many', retryAfter: 5 })
    // Where it cannot be compared, that was no failure.
    await expect(signIn({ password }, { ...visitor, network: 'other' })).rejects.toThrow('cannot be read')
    expect(await db.select().from(signInAttempts)).toMatchObject([{ failures: 5 }, { failures: 0 }])
  })

  it('is refused while no password is set, and costs no attempt', async () => {
    await emptyTables(passwords)
    await expect(signIn({ password }, visitor)).rejects.toMatchObject({
      code: 'not-found',
      message: 'No admin password is set. Set one with `npx rsvp password`.',
    })
    expect(await db.select().from(signInAttempts)).toEqual([])
  })

  it('is refused when the password changes while it is compared', async () => {
    // Long enough for the change.
    await setHash(testPasswordOldHash)
    const signingIn = signIn({ password }, visitor).catch((error) => error)
    await expect.poll(() => db.$count(signInAttempts)).toBe(1)
    await setHash(testPasswordHash.replace('YSBz', 'YSBt'))
    expect(await signingIn).toMatchObject({
      code: 'unauthenticated',
      message: 'The password was just changed. Try the new one.',
    })
    expect(await db.select().from(sessions)).toEqual([])
    expect(await auditLines()).toEqual([])
  })

  it('renews a hash that costs less than today, and keeps sessions', async () => {
    await setHash(testPasswordCheapHash)
    await addSession('one')
    await expect(signIn({ password: 'wrong' }, visitor)).rejects.toMatchObject({ code: 'unauthenticated' })
    expect(await hashInTable()).toBe(testPasswordCheapHash)
    const { token } = await signIn({ password }, visitor)
    const renewed = await hashInTable()
    expect(renewed).toMatch(/^\$scrypt\$ln=8,r=8,p=1\$/)
    expect(await isPasswordOf(renewed ?? '', password)).toBe(true)
    await signIn({ password }, visitor)
    expect(await hashInTable()).toBe(renewed)
    for (const each of ['one', token]) expect(await findSession(each, call)).toBeDefined()
  })

  it('renews no password that was changed or taken away meanwhile', async () => {
    const others = testPasswordHash.replace('YSBz', 'YSBt')
    await setHash(others)
    expect(await renewHash(testPasswordCheapHash, password)).toBe(testPasswordCheapHash)
    expect(await hashInTable()).toBe(others)
    await emptyTables(passwords)
    expect(await renewHash(testPasswordCheapHash, password)).toBe(testPasswordCheapHash)
  })

  it('renews it once when several sign in at the same time, and accepts all of them', async () => {
    await setHash(testPasswordCheapHash)
    const tokens = await Promise.all(
      Array.from({ length: 4 }, (_, place) => signIn({ password }, { ...visitor, network: `203.0.113.${place}` })),
    )
    for (const { token } of tokens) expect(await findSession(token, call)).toBeDefined()
    expect(await isPasswordOf((await hashInTable()) ?? '', password)).toBe(true)
  })

  it.each([
    [{}, 'Type the password.'],
    [{ password: '' }, 'Type the password.'],
    [{ password: ['x'] }, 'Type the password.'],
    [{ password: 'x'.repeat(129) }, 'A password has at most 128 characters.'],
    [null, 'Send the password as a JSON object.'],
  ])('with %j costs no attempt', async (request, message) => {
    await expect(signIn(request, visitor)).rejects.toMatchObject({ code: 'invalid', fields: [{ message }] })
    expect(await db.select().from(signInAttempts)).toEqual([])
  })

  it.each<[Partial<Call>, Awaited<ReturnType<typeof getAccess>>]>([
    [{ actor: 'open mode' }, { mode: 'open', signedIn: false }],
    [{ role: 'visitor' }, { mode: 'guarded', signedIn: false }],
    [{}, { mode: 'guarded', signedIn: true }],
  ])('is told to whoever asks with %j as %j', async (changes, access) => {
    expect(await getAccess(testCall(changes))).toEqual(access)
  })
})
