import { isNotNull, like } from 'drizzle-orm'
import { beforeEach, expect, it } from 'vitest'
import { db, transaction } from '#db/storage/client.ts'
import { administrators, allowances, auditEntries, sessions } from '#db/tables/access.ts'
import {
  addAdministrator,
  auditLines,
  describeOnBothDatabases,
  emptyTables,
  everyRow,
  testCall,
  testPassword,
  testPasswordExpensiveHash,
  testPasswordHash,
} from '#testing/database-fixtures.ts'
import { addSession, emptyAccess } from './fixtures.ts'
import { findSession } from './sessions.ts'
import { findEmailRule, signIn } from './sign-in.ts'
import { hashOfToken } from './tokens.ts'

const call = testCall()
const visitor = testCall({ role: 'visitor', actor: 'visitor', network: '203.0.113.7' })
const password = testPassword
const email = 'ruth@cole.example'
let id: number

async function setHash(passwordHash: string) {
  await transaction((tx) => tx.update(administrators).set({ passwordHash }))
}

const deviceName = (device: string) => `device ${hashOfToken(device)} ${id}`

describeOnBothDatabases('signing in', () => {
  beforeEach(async () => {
    await emptyAccess()
    id = await addAdministrator()
  })

  it('with email and password starts a session, of whose tokens only the hashes are stored', async () => {
    const { token, device } = await signIn(
      { email: ' Ruth@Cole.example ', password: ` ${password} `, browser: 'Firefox, Android' },
      visitor,
    )
    for (const secret of [token, device]) expect(secret).toMatch(/^[\w-]{43}$/)
    expect(token).not.toBe(device)
    const [session] = await db.select().from(sessions)
    const moment = call.now.getTime()
    expect(session).toMatchObject({ administratorId: id, browser: 'Firefox, Android', createdAt: moment })
    expect(session).toMatchObject({ tokenHash: hashOfToken(token), usedAt: moment, provenAt: moment })
    const reads = { seesContacts: false, prayers: 'none' }
    expect(await findSession(token, visitor)).toEqual({
      role: 'owner',
      administrator: { id, name: 'Ruth Cole', session: session?.id, provenAt: moment, ...reads },
    })
    expect(await db.select().from(administrators)).toMatchObject([{ id, seenAt: moment }])
    expect(await findSession(device, visitor)).toBeUndefined()
    expect(await auditLines()).toEqual([`visitor: signed in session ${session?.id}`])
    expect(await db.select().from(auditEntries)).toMatchObject([{ administratorId: id }])
    const stored = await everyRow()
    for (const secret of [token, device, password]) expect(stored).not.toContain(secret)
  })

  it('ends the session that the browser had before, and no other', async () => {
    await addSession(id, 'mine')
    await addSession(id, 'other')
    const { token } = await signIn({ email, password, token: 'mine' }, visitor)
    expect(await findSession('mine', visitor)).toBeUndefined()
    for (const alive of ['other', token]) expect(await findSession(alive, visitor)).toBeDefined()
  })

  it('keeps the token of a known browser, and forgets its wrong passwords', async () => {
    const remembered = () => db.select().from(allowances).where(like(allowances.name, '%device%'))
    const { device } = await signIn({ email, password }, visitor)
    const until = call.now.getTime() + 90 * 24 * 3600 * 1000
    expect(await remembered()).toEqual([{ name: deviceName(device), fullAt: until }])
    await expect(signIn({ email, password: 'wrong', device }, visitor)).rejects.toMatchObject({
      code: 'unauthenticated',
    })
    expect(await remembered()).toHaveLength(2)
    const later = testCall({ ...visitor, now: new Date(call.now.getTime() + 1000) })
    expect((await signIn({ email, password, device }, later)).device).toBe(device)
    expect(await remembered()).toEqual([{ name: deviceName(device), fullAt: until + 1000 }])
  })

  it('never adopts a device token that the browser made up', async () => {
    const planted = 'p'.repeat(43)
    expect((await signIn({ email, password, device: planted }, visitor)).device).not.toBe(planted)
    const row = { name: deviceName(planted), fullAt: call.now.getTime() }
    await transaction((tx) => tx.insert(allowances).values(row))
    const { device } = await signIn({ email, password, device: planted }, visitor)
    expect([device, device.length]).not.toEqual([planted, 43])
    expect(await everyRow()).toContain(deviceName(device))
  })

  it('is refused without comparing the password while the network has to wait', async () => {
    // Two minutes for each try, and five seconds more than five of them.
    const fullAt = call.now.getTime() + 485_000
    await setHash('damaged')
    await transaction((tx) => tx.insert(allowances).values({ name: 'sign-in 203.0.113.7', fullAt }))
    await expect(signIn({ email, password }, visitor)).rejects.toMatchObject({ code: 'too-many', retryAfter: 5 })
    await expect(signIn({ email, password }, { ...visitor, network: 'other' })).rejects.toThrow('cannot be read')
  })

  it('is refused while there is no administrator, and costs no attempt', async () => {
    await emptyTables(administrators)
    await expect(signIn({ password }, visitor)).rejects.toMatchObject({
      code: 'not-found',
      message: 'This site has no administrator yet. Guard it first.',
    })
    expect(await db.select().from(allowances)).toEqual([])
  })

  it('is refused if the password changes while it is compared', async () => {
    // Long enough for the change.
    await setHash(testPasswordExpensiveHash)
    const signingIn = signIn({ email, password }, visitor).catch((error) => error)
    await expect.poll(() => db.$count(allowances)).toBeGreaterThan(0)
    await setHash(testPasswordHash.replace('YSBz', 'YSBt'))
    expect(await signingIn).toMatchObject({
      code: 'unauthenticated',
      message: 'The password was just changed. Try the new one.',
    })
    expect(await db.select().from(sessions)).toEqual([])
    expect(await auditLines()).toEqual([])
  })

  it.each([
    [{}, 'Type the password.'],
    [{ password: '' }, 'Type the password.'],
    [{ password: ['x'] }, 'Type the password.'],
    [{ password: 'x'.repeat(129) }, 'A password has at most 128 characters.'],
    [{ email: 'no email', password }, 'Invalid email address'],
    [null, 'Send a JSON object.'],
  ])('with %j costs no attempt', async (request, message) => {
    await expect(signIn(request, visitor)).rejects.toMatchObject({ code: 'invalid', fields: [{ message }] })
    expect(await db.select().from(allowances)).toEqual([])
  })
})

describeOnBothDatabases('findEmailRule', () => {
  it('requires an email once every administrator has one', async () => {
    await emptyAccess()
    await addAdministrator({ email: null })
    expect(await findEmailRule()).toBe('none')
    await addAdministrator()
    expect(await findEmailRule()).toBe('optional')
    await transaction((tx) => tx.delete(administrators).where(isNotNull(administrators.email)))
    expect(await findEmailRule()).toBe('none')
    await emptyAccess()
    await addAdministrator()
    await addAdministrator({ email: null, removedAt: 1 })
    expect(await findEmailRule()).toBe('required')
  })
})
