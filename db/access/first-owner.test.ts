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
import { db } from '#db/storage/client.ts'
import { guardSite, makeCode } from './first-owner.ts'
import { emptyAccess, hashInTable } from './fixtures.ts'
import { isPasswordOf } from './password.ts'
import { findSession } from './sessions.ts'
import { isGuarded } from './setup.ts'
import { administrators, allowances, sessions, setupCodes } from './table.ts'
import { hashOfToken } from './tokens.ts'

const start = testCall().now.getTime()
const open = (ms = 0, network = '203.0.113.7') => testCall({ actor: 'open mode', network, now: new Date(start + ms) })
const visitor = (ms = 0) =>
  testCall({ role: 'visitor', actor: 'visitor', network: '203.0.113.7', now: new Date(start + ms) })

const ceremony = { origin: undefined, challengeToken: undefined }
const ruth = { name: 'Ruth Cole', email: 'Ruth@Cole.example', password: testPassword, ceremony }
const here = { ...ruth, isHere: true }
const elsewhere = { ...ruth, isHere: false }
const wrong = { code: 'forbidden', fields: [expect.objectContaining({ path: 'code' })] }

describeOnBothDatabases('guarding an open site', () => {
  beforeEach(emptyAccess)

  it('makes its first owner, signed in, without a code on the computer itself', async () => {
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

  it('of many networks keep no one else out', async () => {
    const code = await makeCode(testCall())
    for (let network = 0; network < 30; network++) expect(await guess(`10.${network}.0.1`)).toBe('forbidden')
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
