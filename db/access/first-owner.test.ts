import { beforeEach, expect, it } from 'vitest'
import { addAdministrator, auditLines, describeOnBothDatabases, testCall, testPassword } from '#db/fixtures.ts'
import { db } from '#db/storage/client.ts'
import { guardSite } from './first-owner.ts'
import { emptyAccess, hashInTable } from './fixtures.ts'
import { isPasswordOf } from './password.ts'
import { findSession } from './sessions.ts'
import { isGuarded } from './setup.ts'
import { administrators, sessions } from './table.ts'

const open = () => testCall({ actor: 'open mode', network: '203.0.113.7' })

const ceremony = { origin: undefined, challengeToken: undefined }
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
    expect(await isGuarded(open())).toBe(false)
  })

  it('is for open mode: no visitor, administrator or command does it once the site is guarded', async () => {
    for (const call of [testCall({ role: 'visitor', actor: 'visitor' }), testCall(), testCall({ actor: 'session 7' })])
      await expect(guardSite(here, call)).rejects.toMatchObject({ code: 'conflict' })
    await addAdministrator({ passwordHash: null })
    await expect(guardSite(here, open())).rejects.toMatchObject({ code: 'conflict' })
    expect(await db.$count(sessions)).toBe(0)
  })

  it('is done by one of two who try at once', async () => {
    const tries = [here, { ...here, email: 'eve@cole.example' }]
    const done = await Promise.allSettled(tries.map((input) => guardSite(input, open())))
    expect(done.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await db.$count(administrators)).toBe(1)
    expect(await db.$count(sessions)).toBe(1)
  })
})
