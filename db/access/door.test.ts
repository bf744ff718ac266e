import { eq } from 'drizzle-orm'
import { beforeEach, expect, it } from 'vitest'
import {
  addAdministrator,
  auditLines,
  describeOnBothDatabases,
  everyRow,
  invalidAt,
  testCall,
  testPassword,
} from '#db/fixtures.ts'
import { db, transaction } from '#db/storage/client.ts'
import { acceptInvitation, findEmailRule, findInvitation, guardSite, makeCode } from './door.ts'
import { addPasskey, addSession, emptyAccess } from './fixtures.ts'
import { isPasswordOf } from './password.ts'
import { findSession } from './sessions.ts'
import { isGuarded } from './setup.ts'
import { administrators, allowances, passkeys, sessions, setupCodes } from './table.ts'
import { hashOfToken, newToken } from './tokens.ts'

const start = testCall().now.getTime()
const HOUR = 3_600_000
const open = (ms = 0, network = '203.0.113.7') => testCall({ actor: 'open mode', network, now: new Date(start + ms) })
const visitor = (ms = 0) =>
  testCall({ role: 'visitor', actor: 'visitor', network: '203.0.113.7', now: new Date(start + ms) })

const ceremony = { origin: undefined, challengeToken: undefined }
const ruth = { name: 'Ruth Cole', email: 'Ruth@Cole.example', password: testPassword, ceremony }
const here = { ...ruth, isHere: true }
const elsewhere = { ...ruth, isHere: false }
const wrong = { code: 'forbidden', fields: [expect.objectContaining({ path: 'code' })] }

const passwordOf = async (email: string) =>
  (await db.select().from(administrators).where(eq(administrators.email, email)))[0]?.passwordHash ?? ''

describeOnBothDatabases('guarding an open site', () => {
  beforeEach(emptyAccess)

  it('makes its first owner, signed in, without a code on the computer itself', async () => {
    const { token } = await guardSite({ ...here, browser: 'Firefox, Linux' }, open())
    const owner = { name: 'Ruth Cole', email: 'ruth@cole.example', role: 'owner' }
    expect(await db.select().from(administrators)).toMatchObject([owner])
    expect(await isPasswordOf(await passwordOf('ruth@cole.example'), testPassword)).toBe(true)
    expect(await findSession(token, open())).toMatchObject({ role: 'owner', administrator: { name: 'Ruth Cole' } })
    const [{ id } = { id: 0 }] = await db.select().from(administrators)
    const [guarded, signedIn] = await auditLines()
    expect(guarded).toBe(`open mode: site guarded administrator ${id}`)
    expect(signedIn).toMatch(/^open mode: signed in session \d+$/)
  })

  it('from elsewhere takes the code, in any case and with or without its dash, and only once', async () => {
    const code = await makeCode(testCall({ actor: 'site' }))
    expect(code).toMatch(/^[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}$/)
    expect(await everyRow()).not.toContain(code.slice(0, 4))
    // Whoever reaches an open site can download its database: from a fast hash all codes are tried in minutes.
    expect(await db.select().from(setupCodes)).toMatchObject([{ hash: expect.stringMatching(/^\$scrypt\$/) }])
    await guardSite({ ...elsewhere, code: ` ${code.toLowerCase().replace('-', ' ')}` }, open())
    expect(await db.$count(setupCodes)).toBe(0)
    expect(await auditLines()).toContain('site: code made')
    await expect(guardSite({ ...elsewhere, code }, open())).rejects.toMatchObject({ code: 'conflict' })
    await expect(makeCode(testCall())).rejects.toMatchObject({ code: 'conflict' })
  })

  it('from elsewhere is refused without a code, with a wrong one, an earlier one, and where there is none', async () => {
    await expect(guardSite({ ...elsewhere, code: '2222-2222' }, open())).rejects.toMatchObject(wrong)
    const earlier = await makeCode(testCall())
    await makeCode(testCall())
    await expect(guardSite(elsewhere, open())).rejects.toMatchObject(invalidAt('code'))
    for (const code of ['2222-2222', earlier, '-', '%', hashOfToken(earlier.replace('-', ''))])
      await expect(guardSite({ ...elsewhere, code }, open())).rejects.toMatchObject(wrong)
    expect(await isGuarded(open())).toBe(false)
  })

  it('is for open mode: no visitor, administrator or command does it once the site is guarded', async () => {
    for (const call of [visitor(), testCall(), testCall({ actor: 'session 7' })])
      await expect(guardSite(here, call)).rejects.toMatchObject({ code: 'conflict' })
    await addAdministrator({ passwordHash: null })
    await expect(guardSite(here, open())).rejects.toMatchObject({ code: 'conflict' })
    expect(await db.$count(sessions)).toBe(0)
  })

  it('is done by one of two who try at once, and by no one with a code that was replaced meanwhile', async () => {
    const first = await makeCode(testCall())
    const late = guardSite({ ...elsewhere, code: first }, open())
    await makeCode(testCall())
    await expect(late).rejects.toMatchObject(wrong)
    const code = await makeCode(testCall())
    const tries = [here, { ...elsewhere, code }, { ...elsewhere, email: 'eve@cole.example', code }]
    const done = await Promise.allSettled(tries.map((input) => guardSite(input, open())))
    expect(done.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected'])
    expect(await db.$count(administrators)).toBe(1)
    expect(await db.$count(sessions)).toBe(1)
  })

  it('refuses a common password before anything is stored', async () => {
    await expect(guardSite({ ...here, password: 'password1234' }, open())).rejects.toMatchObject(invalidAt('password'))
    await expect(guardSite({ ...here, password: undefined }, open())).rejects.toMatchObject({ code: 'invalid' })
    expect(await isGuarded(open())).toBe(false)
  })
})

describeOnBothDatabases('wrong codes', () => {
  beforeEach(emptyAccess)
  const guess = (network: string, ms = 0, code = '2222-2222') =>
    guardSite({ ...elsewhere, code }, open(ms, network)).then(
      () => 'guarded',
      ({ code: refusal, retryAfter }) => (refusal === 'too-many' ? retryAfter : refusal),
    )

  it('of one network make it wait, concurrent ones too, also for the right one, until a new one is made', async () => {
    const code = await makeCode(testCall())
    const tried = await Promise.all(Array.from({ length: 12 }, () => guess('203.0.113.7')))
    expect(tried.filter((result) => result === 'forbidden')).toHaveLength(10)
    expect(await guess('203.0.113.7', 0, code)).toBe(300)
    // The wait is no one else's, and the computer itself has none.
    expect(await guess('198.51.100.4')).toBe('forbidden')
    expect(await guess('203.0.113.7', 300_000)).toBe('forbidden')
    await makeCode(testCall())
    expect(await guess('203.0.113.7', 300_000)).toBe('forbidden')
    await expect(guardSite({ ...here, email: 'here@cole.example' }, open())).resolves.toHaveProperty('token')
  })

  it('of a hundred networks keep no one else out', async () => {
    const code = await makeCode(testCall())
    for (let network = 0; network < 100; network++) expect(await guess(`10.${network}.0.1`)).toBe('forbidden')
    expect(await guess('10.200.0.1', 0, code)).toBe('guarded')
  })

  it('are forgotten once the right one is given', async () => {
    const code = await makeCode(testCall())
    for (let count = 0; count < 9; count++) await guess('203.0.113.7')
    const common = { ...elsewhere, code, password: 'password1234' }
    await expect(guardSite(common, open())).rejects.toMatchObject(invalidAt('password'))
    expect(await db.$count(allowances)).toBe(0)
    expect(await guess('203.0.113.7', 0, code)).toBe('guarded')
  })
})

describeOnBothDatabases('an invitation', () => {
  beforeEach(emptyAccess)
  const key = newToken()
  const DAY = 24 * HOUR
  const invite = (changes: Partial<typeof administrators.$inferInsert> = {}) =>
    addAdministrator({
      role: 'clerk',
      passwordHash: null,
      invitationHash: hashOfToken(key),
      invitationEndsAt: start + 7 * DAY,
      ...changes,
    })
  const accept = (ms = 0, changes: object = {}) =>
    acceptInvitation({ key, password: 'four strange horses walk', ceremony, ...changes }, visitor(ms))

  it('says whom it is for, and changes nothing by that', async () => {
    await invite()
    const before = await everyRow()
    const found = { name: 'Ruth Cole', email: 'ruth@cole.example', role: 'clerk', isReturning: false }
    expect(await findInvitation(key, visitor())).toEqual(found)
    for (const other of [newToken(), '', hashOfToken(key)])
      expect(await findInvitation(other, visitor())).toBeUndefined()
    expect(await everyRow()).toBe(before)
  })

  it('is accepted once, also by two at the same time, and signs in with its role', async () => {
    const id = await invite()
    const tried = await Promise.allSettled([accept(), accept(), accept()])
    const accepted = tried.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    const refused = tried.flatMap((each) => (each.status === 'rejected' ? [each.reason.code] : []))
    expect([accepted.length, refused]).toEqual([1, ['gone', 'gone']])
    await expect(accept()).rejects.toMatchObject({ code: 'gone', message: expect.stringContaining('Ask an owner') })
    expect(await findSession(accepted[0]?.token ?? '', visitor())).toMatchObject({
      role: 'clerk',
      administrator: { id },
    })
    expect(await auditLines()).toContain(`visitor: administrator joined administrator ${id}`)
    expect(await everyRow()).not.toContain(key)
  })

  it.each([
    ['over', { invitationEndsAt: start }],
    ['replaced', { invitationHash: hashOfToken('another') }],
    ['that of a person who was removed', { removedAt: start }],
  ])('that is %s opens nothing', async (_, changes) => {
    await invite(changes)
    expect(await findInvitation(key, visitor())).toBeUndefined()
    await expect(accept()).rejects.toMatchObject({ code: 'gone' })
    expect(await db.$count(sessions)).toBe(0)
  })

  it('does not let in a person who is removed while the password is hashed', async () => {
    await invite()
    const accepting = accept()
    await transaction((tx) => tx.update(administrators).set({ removedAt: start, invitationHash: null }))
    await expect(accepting).rejects.toMatchObject({ code: 'gone' })
    expect(await db.$count(sessions)).toBe(0)
  })

  it('for a lost way in ends every earlier one of that person, and of no one else', async () => {
    const id = await invite({ passwordHash: 'old' })
    const other = await addAdministrator({ email: 'ana@cole.example' })
    for (const each of [id, other]) {
      await addPasskey(each)
      await addSession(each, `of ${each}`)
    }
    expect(await findInvitation(key, visitor())).toMatchObject({ isReturning: true })
    await accept()
    expect(await isPasswordOf(await passwordOf('ruth@cole.example'), 'four strange horses walk')).toBe(true)
    expect(await db.select().from(passkeys)).toMatchObject([{ administratorId: other }])
    expect(await findSession(`of ${id}`, visitor())).toBeUndefined()
    expect(await findSession(`of ${other}`, visitor())).toBeDefined()
  })

  it('stays open when the password is refused, and wrong keys of one network are limited', async () => {
    await invite()
    await expect(accept(0, { password: 'password1234' })).rejects.toMatchObject(invalidAt('password'))
    await expect(accept(0, { password: 'short' })).rejects.toMatchObject(invalidAt('password'))
    const tried = await Promise.allSettled(Array.from({ length: 25 }, () => accept(0, { key: 'wrong' })))
    const codes = tried.map((each) => each.status === 'rejected' && each.reason.code)
    expect(codes.filter((code) => code === 'gone')).toHaveLength(20)
    expect(codes.filter((code) => code === 'too-many')).toHaveLength(5)
    await expect(accept()).resolves.toHaveProperty('token')
  })
})

describeOnBothDatabases('what a sign-in asks for', () => {
  it('is an email once an administrator has one', async () => {
    await emptyAccess()
    await addAdministrator({ email: null })
    expect(await findEmailRule(visitor())).toBe('none')
    const id = await addAdministrator()
    expect(await findEmailRule(visitor())).toBe('optional')
    await transaction((tx) => tx.delete(administrators).where(eq(administrators.id, id)))
    expect(await findEmailRule(visitor())).toBe('none')
    await emptyAccess()
    await addAdministrator()
    await addAdministrator({ email: null, removedAt: start })
    expect(await findEmailRule(visitor())).toBe('required')
  })
})
