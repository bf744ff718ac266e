import { createHook } from 'node:async_hooks'
import { beforeEach, expect, it } from 'vitest'
import { db, transaction } from '#db/storage/client.ts'
import { administrators, allowances, auditEntries, sessions } from '#db/tables/access.ts'
import {
  addAdministrator,
  auditLines,
  callOf,
  describeOnBothDatabases,
  emptyTables,
  testCall,
  testPassword,
} from '#testing/database-fixtures.ts'
import { removeAdministrator } from './administrators.ts'
import { addPasskey, emptyAccess } from './fixtures.ts'
import { findSession, PROOF_TTL_MS } from './sessions.ts'
import { prove, signIn } from './sign-in.ts'

const call = testCall()
const moment = call.now.getTime()
const visitor = testCall({ role: 'visitor', actor: 'visitor', network: '203.0.113.7' })
const password = testPassword
const email = 'ruth@cole.example'
let id: number

/** What the reply to a try is, in full. */
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
    // A token that another account knows may have been planted.
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
