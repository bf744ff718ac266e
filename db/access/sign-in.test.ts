import { createHook } from 'node:async_hooks'
import { isNotNull, like } from 'drizzle-orm'
import { beforeEach, expect, it } from 'vitest'
import { db, transaction } from '#db/storage/client.ts'
import { administrators, allowances, auditEntries, sessions } from '#db/tables/access.ts'
import {
  addAdministrator,
  auditLines,
  callOf,
  describeOnBothDatabases,
  emptyTables,
  everyRow,
  testCall,
  testPassword,
  testPasswordExpensiveHash,
  testPasswordHash,
} from '#testing/database-fixtures.ts'
import { removeAdministrator } from './administrators.ts'
import { addPasskey, addSession, emptyAccess } from './fixtures.ts'
import { findSession, PROOF_TTL_MS } from './sessions.ts'
import { findEmailRule, prove, signIn } from './sign-in.ts'
import { hashOfToken } from './tokens.ts'

const call = testCall()
const moment = call.now.getTime()
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
    // Five tries of two minutes each are used up, and the next is free in five seconds.
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
    // Comparing with this hash takes long enough for the change.
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

/** The whole reply to a try. */
async function replyTo(input: object, from = visitor) {
  return signIn(input, from).then(
    () => 'signed in',
    ({ code, message, fields }) => ({ code, message, fields }),
  )
}

describeOnBothDatabases('an email', () => {
  beforeEach(async () => {
    await emptyAccess()
    id = await addAdministrator()
  })

  it('gets the same reply for the same work if it is known, unknown, removed, only invited, or has only passkeys', async () => {
    const others = { passwordHash: null, role: 'clerk' as const }
    await addAdministrator({ ...others, email: 'invited@cole.example', invitationHash: 'x', invitationEndsAt: 2 ** 50 })
    const keyed = await addAdministrator({ ...others, email: 'keyed@cole.example' })
    await addPasskey(keyed)
    const removed = await addAdministrator({ email: 'removed@cole.example' })
    await removeAdministrator({ id: String(removed) }, call)
    let hashes = 0
    const hook = createHook({
      init(_, type) {
        if (type === 'SCRYPTREQUEST') hashes += 1
      },
    }).enable()
    const seen: { name: string; tries: number; reply: string; hashes: number }[] = []
    for (const name of ['ruth', 'unknown', 'removed', 'invited', 'keyed']) {
      const from = { ...visitor, network: `network of ${name}` }
      for (let tries = 0; tries < 7; tries += 1) {
        hashes = 0
        const reply = await replyTo({ email: `${name}@cole.example`, password: 'wrong' }, from)
        seen.push({ name, tries, reply: JSON.stringify(reply), hashes })
      }
    }
    hook.disable()
    const of = (wanted: string) => seen.filter(({ name }) => name === wanted).map(({ name: _, ...rest }) => rest)
    expect(of('ruth').map(({ hashes }) => hashes)).toEqual([1, 1, 1, 1, 1, 0, 0])
    for (const name of ['unknown', 'removed', 'invited', 'keyed']) expect(of(name)).toEqual(of('ruth'))
  })

  it('is left out by the administrator who has never given one', async () => {
    const reply = { code: 'unauthenticated', message: 'The password is wrong. Try again.', fields: [] }
    expect(await replyTo({ password })).toEqual(reply)
    await transaction((tx) => tx.update(administrators).set({ email: null }))
    expect(await replyTo({ password: 'wrong' })).toEqual(reply)
    expect(await replyTo({ email: '', password })).toBe('signed in')
    await transaction((tx) => tx.update(administrators).set({ removedAt: 1 }))
    await addAdministrator()
    expect(await replyTo({ password })).toEqual(reply)
  })

  it('of another account gets no extra tries from a known browser', async () => {
    await addAdministrator({ email: 'clerk@cole.example', role: 'clerk' })
    const { device } = await signIn({ email: 'clerk@cole.example', password }, visitor)
    await replyTo({ email, password: 'wrong', device })
    const tries = (await db.select().from(allowances)).map(({ name }) => name)
    expect(tries).toContain('sign-in 203.0.113.7')
    expect(tries.filter((name) => name.startsWith('sign-in device'))).toEqual([])
    // A token of another account may have been planted.
    expect((await signIn({ email, password, device }, visitor)).device).not.toBe(device)
  })
})

describeOnBothDatabases('a proof', () => {
  const own = (session: number, ms = 0) =>
    callOf(id, { now: new Date(moment + ms), network: visitor.network }, { session })
  const provenAt = async () => (await db.select().from(sessions)).map((session) => session.provenAt)
  let session: number

  beforeEach(async () => {
    await emptyAccess()
    id = await addAdministrator()
    await signIn({ email, password }, visitor)
    const { token } = await signIn({ email, password }, visitor)
    session = (await findSession(token, visitor))?.administrator.session ?? 0
    await emptyTables(auditEntries, allowances)
  })

  it('by the password counts from now on, for this session only', async () => {
    expect(PROOF_TTL_MS).toBe(600_000)
    await prove({ password: ` ${password}` }, own(session, 5000))
    expect(await provenAt()).toEqual([moment, moment + 5000])
    expect(await auditLines()).toEqual([])
    expect(await db.select().from(allowances)).toEqual([])
  })

  it('by a wrong password is refused, and counted for this session only', async () => {
    const wrong = () => prove({ password: 'wrong' }, own(session)).catch((error) => error)
    const refused = { code: 'forbidden', fields: [{ path: 'password', message: 'The password is wrong. Try again.' }] }
    for (let tries = 0; tries < 5; tries += 1) expect(await wrong()).toMatchObject(refused)
    expect(await wrong()).toMatchObject({ code: 'too-many', retryAfter: 120 })
    await expect(prove({ password }, own(session))).rejects.toMatchObject({ code: 'too-many' })
    expect(await provenAt()).toEqual([moment, moment])
    expect(await auditLines()).toEqual(['session 7: wrong passwords 5 in a row'])
    await prove({ password }, own(session - 1, 1000))
    await prove({ password }, own(session, 120_000))
    expect(await provenAt()).toEqual([moment + 1000, moment + 120_000])
  })

  it.each([{}, { password: '' }, null])('by %j costs no try', async (input) => {
    await expect(prove(input, own(session))).rejects.toMatchObject({ code: 'invalid' })
    expect(await db.$count(allowances)).toBe(0)
  })

  it('is refused to a person without a password, and where no one is signed in', async () => {
    await transaction((tx) => tx.update(administrators).set({ passwordHash: null }))
    await expect(prove({ password: 'AAAA' }, own(session))).rejects.toMatchObject({ code: 'forbidden' })
    await expect(prove({ password }, call)).rejects.toMatchObject({ code: 'not-found' })
  })
})
