import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { eq, like } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { db, transaction } from '#db/storage/client.ts'
import { administrators, allowances, challenges, passkeys, sessions } from '#db/tables/access.ts'
import {
  addAdministrator,
  auditLines,
  callOf,
  emptyTables,
  everyRow,
  openForTests,
  testCall,
  testPassword,
} from '#testing/database-fixtures.ts'
import { type Authenticator, type Deviation, newAuthenticator, testOrigin as origin } from './authenticator-fixtures.ts'
import { CHALLENGE_TTL_MS, forgetOldChallenges } from './credential.ts'
import { addSession, emptyAccess } from './fixtures.ts'
import {
  addPasskey,
  getAuthenticationOptions,
  getRegistrationOptions,
  hasPasskeys,
  removePasskey,
  withPasskey,
} from './passkeys.ts'
import { prove, signIn } from './sign-in.ts'
import { hashOfToken } from './tokens.ts'

const ceremony = { origin, challengeToken: 'the token of this browser' }
const visitor = testCall({ role: 'visitor', actor: 'visitor', network: '203.0.113.7' })
const later = (ms: number) => new Date(visitor.now.getTime() + ms)
const afterFiveMinutes = { ...visitor, now: later(CHALLENGE_TTL_MS) }

const registration = (call = callOf(ruth)) => getRegistrationOptions({ ceremony }, call)
const authentication = (call = visitor) => getAuthenticationOptions({ ceremony }, call)
const add = (passkey: object, call = callOf(ruth)) => addPasskey({ name: 'Phone', passkey, ceremony }, call)
const enter = (passkey: object, call = visitor) => signIn({ passkey, ceremony }, call)

/** Adds a passkey to Ruth's account. */
async function enrolled(counter = 0): Promise<Authenticator> {
  const authenticator = newAuthenticator()
  await add(authenticator.make(await registration(), {}, counter))
  return authenticator
}

let ruth = 0
openForTests()
beforeEach(async () => {
  await emptyAccess()
  ruth = await addAdministrator()
  // The session of the calls by `callOf`.
  await addSession(ruth, 'the token of session 7', { id: 7 })
})

describe('a passkey', () => {
  it('signs in its owner without an email, and is counted', async () => {
    expect(await hasPasskeys()).toBe(false)
    const [phone, key] = [await enrolled(), await enrolled(4)]
    expect(await hasPasskeys()).toBe(true)
    const { token } = await enter(phone.sign(await authentication()))
    await enter(key.sign(await authentication(), {}, 5))
    const [session] = await db
      .select()
      .from(sessions)
      .where(eq(sessions.tokenHash, hashOfToken(token)))
    expect(session).toMatchObject({ administratorId: ruth, provenAt: visitor.now.getTime() })
    const stored = await db.select().from(passkeys).where(eq(passkeys.id, key.id))
    expect(stored).toMatchObject([{ name: 'Phone', counter: 5, usedAt: visitor.now.getTime() }])
    expect(await auditLines()).toEqual([
      `session 7: passkey added passkey ${phone.id.slice(0, 8)}`,
      `session 7: passkey added passkey ${key.id.slice(0, 8)}`,
      'visitor: signed in session 8',
      'visitor: signed in session 9',
    ])
    expect(await everyRow()).not.toContain(ceremony.challengeToken)
  })

  it('is requested with user verification, without naming anyone', async () => {
    const { id } = await enrolled()
    expect(await registration()).toMatchObject({
      rp: { id: 'rsvp.example.org' },
      user: { name: 'ruth@cole.example', displayName: 'Ruth Cole' },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [{ id }],
    })
    const asked = await authentication()
    expect(asked).toMatchObject({ rpId: 'rsvp.example.org', userVerification: 'required' })
    expect(asked.allowCredentials).toBeUndefined()
  })

  it('can be made by an invited person and the first owner of an open site, but by no other visitor', async () => {
    const invited = { invitationHash: hashOfToken('key'), invitationEndsAt: visitor.now.getTime() + 1 }
    await addAdministrator({ name: 'Max', email: 'max@cole.example', passwordHash: null, ...invited })
    const asked = (input: object, call = visitor) => getRegistrationOptions({ ...input, ceremony }, call)
    expect(await asked({ key: 'key' })).toMatchObject({ user: { name: 'max@cole.example' } })
    const open = testCall({ actor: 'open mode' })
    expect(await asked({ name: 'Eva', email: 'eva@cole.example' }, open)).toMatchObject({
      user: { name: 'eva@cole.example', displayName: 'Eva' },
    })
    for (const refused of [asked({}), asked({ key: 'other' }), asked({ key: 'key' }, { ...visitor, now: later(1) })])
      await expect(refused).rejects.toMatchObject({ code: 'unauthenticated' })
    const elsewhere = { ceremony: { challengeToken: 'token' } }
    await expect(getAuthenticationOptions(elsewhere, visitor)).rejects.toMatchObject({ code: 'not-found' })
  })
})

const deviations: [string, Deviation][] = [
  ['another origin', { origin: 'https://evil.example' }],
  ['another port', { origin: `${origin}:8443` }],
  ['another relying party', { rpId: 'evil.example' }],
  ['no one unlocked', { flags: 0x01 }],
  ['no one touched', { flags: 0x04 }],
  ['another challenge', { challenge: randomBytes(32).toString('base64url') }],
]

describe.each([...deviations, ['another purpose', { type: 'payment.get' }] as const])(
  'a passkey of %s',
  (_, deviation) => {
    it('is neither stored nor accepted', async () => {
      const phone = newAuthenticator()
      await expect(add(phone.make(await registration(), deviation))).rejects.toMatchObject({ code: 'invalid' })
      await add(phone.make(await registration()))
      const signed = phone.sign(await authentication(), deviation)
      await expect(enter(signed)).rejects.toMatchObject({ code: 'unauthenticated' })
      await enter(phone.sign(await authentication()))
    })
  },
)

describe('a challenge', () => {
  it('is used once, even if the passkey is refused', async () => {
    const phone = await enrolled()
    const options = await authentication()
    const signed = phone.sign(options)
    await expect(enter({ ...signed, id: 'unknown' })).rejects.toThrow('The passkey was refused')
    await expect(enter(signed)).rejects.toThrow('The passkey was refused')
    const again = phone.sign(await authentication())
    await enter(again)
    await expect(enter(again)).rejects.toThrow('The passkey was refused')
    const made = newAuthenticator().make(await registration())
    await add(made)
    await expect(add(made)).rejects.toThrow('This passkey could not be checked')
  })

  it('expires after five minutes, and when the clock is set back', async () => {
    const phone = await enrolled()
    await expect(enter(phone.sign(await authentication()), afterFiveMinutes)).rejects.toThrow('it took too long')
    await expect(enter(phone.sign(await authentication(afterFiveMinutes)))).rejects.toThrow('it took too long')
    await enter(phone.sign(await authentication()), { ...visitor, now: later(CHALLENGE_TTL_MS - 1) })
  })

  it('belongs to the browser that asked for it, which has one at a time', async () => {
    const phone = await enrolled()
    const [first, second] = [await authentication(), await authentication()]
    const other = { origin, challengeToken: 'the token of another browser' }
    for (const ceremony of [other, { origin }, {}]) {
      const entering = signIn({ passkey: phone.sign(second), ceremony }, visitor)
      await expect(entering).rejects.toThrow('The passkey was refused')
    }
    await expect(enter(phone.sign(first))).rejects.toThrow('The passkey was refused')
    await enter(phone.sign(await authentication()))
  })

  it('is limited for each network, and deleted once it has expired', async () => {
    await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        getAuthenticationOptions({ ceremony: { origin, challengeToken: `${n}` } }, visitor),
      ),
    )
    await expect(authentication()).rejects.toMatchObject({ code: 'too-many', retryAfter: 1 })
    await authentication({ ...visitor, network: '198.51.100.1' })
    await registration(callOf(ruth, { network: visitor.network }))
    expect(await db.$count(challenges)).toBe(61)
    await authentication(afterFiveMinutes)
    expect(await db.$count(challenges)).toBe(1)
    await forgetOldChallenges(visitor)
    expect(await db.$count(challenges)).toBe(0)
  })
})

describe('signing in with a passkey', () => {
  it.each([
    [3, 2],
    [3, 3],
    [3, 0],
  ])('is refused when %i uses are followed by %i', async (before, now) => {
    const phone = await enrolled(before)
    await expect(enter(phone.sign(await authentication(), {}, now))).rejects.toThrow('The passkey was refused')
    expect(await db.select().from(passkeys)).toMatchObject([{ counter: before, usedAt: null }])
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const forged = phone.sign(await authentication(), {}, before + 1, privateKey)
    await expect(enter(forged)).rejects.toThrow('The passkey was refused')
    await enter(phone.sign(await authentication(), {}, before + 1))
  })

  it('is refused to a person who was removed after signing the challenge', async () => {
    const phone = await enrolled()
    const signed = phone.sign(await authentication())
    await transaction((tx) => tx.update(administrators).set({ removedAt: 1, email: null }))
    await expect(enter(signed)).rejects.toMatchObject({ code: 'not-found' })
    await addAdministrator()
    await expect(enter(phone.sign(await authentication()))).rejects.toMatchObject({ code: 'unauthenticated' })
  })

  it('does not count against the limits of passwords, nor wait for them', async () => {
    const phone = await enrolled()
    for (let tries = 0; tries < 12; tries++) await enter({ id: 'wrong' }).catch(() => {})
    expect(await db.$count(allowances, like(allowances.name, 'sign-in 203.0.113.7'))).toBe(0)
    await signIn({ email: 'ruth@cole.example', password: testPassword }, visitor)
    await Promise.all(Array.from({ length: 12 }, () => signIn({ password: 'wrong' }, visitor).catch(() => {})))
    await enter(phone.sign(await authentication()))
  })
})

describe('a proof by passkey', () => {
  it('must come from the person who is signed in', async () => {
    const own = await enrolled()
    const max = await addAdministrator({ email: 'max@cole.example' })
    const call = callOf(max)
    await expect(prove({ passkey: own.sign(await authentication(call)), ceremony }, call)).rejects.toMatchObject({
      code: 'forbidden',
      fields: [{ path: 'passkey' }],
    })
    await prove({ passkey: own.sign(await authentication()), ceremony }, callOf(ruth))
    expect(await db.select().from(sessions)).toMatchObject([{ id: 7, provenAt: visitor.now.getTime() }])
  })
})

describe('the passkeys of a person', () => {
  it('are removed by that person only, except the last one without a password', async () => {
    const [phone, key] = [await enrolled(), await enrolled()]
    const max = callOf(await addAdministrator({ email: 'max@cole.example' }))
    await expect(removePasskey({ id: phone.id }, max)).rejects.toMatchObject({ code: 'not-found' })
    await transaction((tx) => tx.update(administrators).set({ passwordHash: null }).where(eq(administrators.id, ruth)))
    await removePasskey({ id: phone.id }, callOf(ruth))
    await expect(enter(phone.sign(await authentication()))).rejects.toThrow('The passkey was refused')
    await expect(removePasskey({ id: key.id }, callOf(ruth))).rejects.toMatchObject({ code: 'conflict' })
    await transaction((tx) => tx.update(administrators).set({ passwordHash: 'of a password' }))
    await removePasskey({ id: key.id }, callOf(ruth))
    expect((await auditLines()).at(-1)).toBe(`session 7: passkey removed passkey ${key.id.slice(0, 8)}`)
  })

  it('are at most twenty, and each belongs to one person', async () => {
    const phone = await enrolled()
    const max = callOf(await addAdministrator({ email: 'max@cole.example' }))
    const same = add(phone.make(await registration(max)), max)
    await expect(same).rejects.toThrow('This passkey is in use already.')
    for (let more = 1; more < 20; more++) await enrolled()
    await expect(enrolled()).rejects.toThrow('You have 20 passkeys.')
  })

  it('cannot be added after the session', async () => {
    const made = newAuthenticator().make(await registration())
    await emptyTables(sessions)
    await expect(add(made)).rejects.toMatchObject({ code: 'unauthenticated' })
    expect(await db.$count(passkeys)).toBe(0)
  })

  it('are used in the same transaction as the act that they allow', async () => {
    const phone = await enrolled(1)
    const signed = phone.sign(await authentication(), {}, 2)
    const failing = withPasskey(signed, ceremony, visitor, () => Promise.reject(new Error('full')))
    await expect(failing).rejects.toThrow('full')
    expect(await db.select().from(passkeys)).toMatchObject([{ counter: 1 }])
  })
})
