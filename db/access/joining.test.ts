import { beforeEach, expect, it } from 'vitest'
import { db, transaction } from '#db/storage/client.ts'
import { administrators, passkeys, sessions } from '#db/tables/access.ts'
import {
  addAdministrator,
  auditLines,
  describeOnBothDatabases,
  everyRow,
  invalidAt,
  testCall,
  testPassword,
} from '#testing/database-fixtures.ts'
import { addPasskey, addSession, emptyAccess, hashInTable } from './fixtures.ts'
import { acceptInvitation, findInvitation, guardSite } from './joining.ts'
import { isPasswordOf } from './password.ts'
import { findSession } from './sessions.ts'
import { isGuarded } from './setup.ts'
import { hashOfToken, newToken } from './tokens.ts'

const start = testCall().now.getTime()
const DAY = 24 * 3_600_000
const visitor = (ms = 0) =>
  testCall({ role: 'visitor', actor: 'visitor', network: '203.0.113.7', now: new Date(start + ms) })

const ceremony = { origin: undefined, challengeToken: undefined }

describeOnBothDatabases('an invitation', () => {
  beforeEach(emptyAccess)
  const key = newToken()
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

  it('shows whom it is for, without changing anything', async () => {
    const id = await invite()
    const before = await everyRow()
    const found = { name: 'Ruth Cole', email: 'ruth@cole.example', role: 'clerk', isReturning: false }
    expect(await findInvitation(key, visitor())).toEqual(found)
    for (const other of [newToken(), '', hashOfToken(key)])
      expect(await findInvitation(other, visitor())).toBeUndefined()
    expect(await everyRow()).toBe(before)
    await addPasskey(id)
    expect(await findInvitation(key, visitor())).toMatchObject({ isReturning: true })
  })

  it('is accepted once, even by concurrent requests, and signs in with its role', async () => {
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

  it('removes the earlier password, passkeys and sessions of that person only', async () => {
    const id = await invite({ passwordHash: 'old' })
    expect(await findInvitation(key, visitor())).toMatchObject({ isReturning: true })
    const other = await addAdministrator({ email: 'ana@cole.example' })
    for (const each of [id, other]) {
      await addPasskey(each)
      await addSession(each, `of ${each}`)
    }
    await accept()
    expect(await isPasswordOf(await hashInTable(), 'four strange horses walk')).toBe(true)
    expect(await db.select().from(passkeys)).toMatchObject([{ administratorId: other }])
    expect(await findSession(`of ${id}`, visitor())).toBeUndefined()
    expect(await findSession(`of ${other}`, visitor())).toBeDefined()
  })

  it('stays open when the password is refused', async () => {
    await invite()
    await expect(accept(0, { password: 'password1234' })).rejects.toMatchObject(invalidAt('password'))
    await expect(accept(0, { password: 'short' })).rejects.toMatchObject(invalidAt('password'))
    await expect(accept()).resolves.toHaveProperty('token')
  })
})

const open = () => testCall({ actor: 'open mode', network: '203.0.113.7' })

const ruth = { name: 'Ruth Cole', email: 'Ruth@Cole.example', password: testPassword, ceremony }
const here = { ...ruth, isHere: true }
const elsewhere = { ...ruth, isHere: false }

describeOnBothDatabases('guarding an open site', () => {
  beforeEach(emptyAccess)

  it('makes its first owner, signed in, on the computer itself', async () => {
    const { token } = await guardSite({ ...here, browser: 'Firefox, Linux' }, open())
    const owner = { name: 'Ruth Cole', email: 'ruth@cole.example', role: 'owner' }
    expect(await db.select().from(administrators)).toMatchObject([owner])
    expect(await isPasswordOf(await hashInTable(), testPassword)).toBe(true)
    expect(await findSession(token, open())).toMatchObject({ role: 'owner', administrator: { name: 'Ruth Cole' } })
    const [{ id } = { id: 0 }] = await db.select().from(administrators)
    const [guarded, signedIn] = await auditLines()
    expect(guarded).toBe(`open mode: site guarded administrator ${id}`)
    expect(signedIn).toMatch(/^open mode: signed in session \d+$/)
  })

  it('is refused from elsewhere', async () => {
    const message = 'Guard this site on the computer that it runs on, or with `npx rsvp password` there.'
    await expect(guardSite(elsewhere, open())).rejects.toMatchObject({ code: 'forbidden', message })
    expect(await isGuarded()).toBe(false)
  })

  it('is refused to everyone else, and to everyone once the site is guarded', async () => {
    for (const call of [testCall({ role: 'visitor', actor: 'visitor' }), testCall(), testCall({ actor: 'session 7' })])
      await expect(guardSite(here, call)).rejects.toMatchObject({ code: 'conflict' })
    await addAdministrator({ passwordHash: null })
    await expect(guardSite(here, open())).rejects.toMatchObject({ code: 'conflict' })
    expect(await db.$count(sessions)).toBe(0)
  })

  it('succeeds for one of two concurrent requests', async () => {
    const tries = [here, { ...here, email: 'eve@cole.example' }]
    const done = await Promise.allSettled(tries.map((input) => guardSite(input, open())))
    expect(done.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await db.$count(administrators)).toBe(1)
    expect(await db.$count(sessions)).toBe(1)
  })
})
