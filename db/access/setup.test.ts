import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { readConfig } from '#db/config/config.ts'
import { db, transaction } from '#db/storage/client.ts'
import { administrators, allowances, sessions } from '#db/tables/access.ts'
import {
  addAdministrator,
  auditLines,
  describeOnBothDatabases,
  testCall,
  testPassword,
  testPasswordHash,
} from '#testing/database-fixtures.ts'
import { inviteAdministrator } from './administrators.ts'
import { addSession, emptyAccess, hashInTable } from './fixtures.ts'
import { isPasswordOf } from './password.ts'
import { findSession } from './sessions.ts'
import { applyPassword, givenPassword, isGuarded, openModeRefusal, setPassword } from './setup.ts'

const call = testCall()
const password = testPassword

async function stored() {
  return db.select().from(administrators)
}

describeOnBothDatabases('the password', () => {
  beforeEach(emptyAccess)

  it('guards the site with an unnamed owner, and ends every session and wait when it changes', async () => {
    expect(await isGuarded()).toBe(false)
    await setPassword({ password }, call)
    expect(await isGuarded()).toBe(true)
    const [owner] = await stored()
    expect(owner).toMatchObject({ name: 'Administrator', email: null, role: 'owner', isFromSettings: false })
    expect(await isPasswordOf(await hashInTable(), password)).toBe(true)
    const id = owner?.id ?? 0
    await addSession(id, 'one')
    await addSession(id, 'two')
    // Three limits of sign-ins, which a new password removes, and one of RSVPs, which stays.
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
    for (const email of [undefined, 'ruth@cole.example'])
      await expect(setPassword({ email, password: wrong }, call)).rejects.toMatchObject({ code: 'invalid' })
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
    const unknown = setPassword({ ...given, email: 'other@cole.example' }, call)
    await expect(unknown).rejects.toMatchObject({ code: 'not-found' })
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
    // A command without an email runs only if ADMIN_PASSWORD is no longer set.
    await setPassword({ password: given.password }, call)
    expect(await isPasswordOf(await hashInTable(), given.password)).toBe(true)
  })

  it('does not make an owner of a person who no longer is one', async () => {
    await addAdministrator({ email: null, role: 'clerk' })
    await addAdministrator()
    expect(await applyPassword('four words in a row', testCall({ actor: 'site' }))).toBe(false)
    expect(await stored()).toMatchObject([{ isFromSettings: false, passwordHash: testPasswordHash }, {}])
  })

  it('is stored if there is none or another one, which ends its sessions', async () => {
    expect(await applyPassword(password, testCall({ actor: 'site' }))).toBe(true)
    const [owner] = await stored()
    expect(owner).toMatchObject({ name: 'Administrator', role: 'owner', isFromSettings: true })
    expect(await isPasswordOf(await hashInTable(), password)).toBe(true)
    const renamed = { passwordHash: testPasswordHash, email: 'a@cole.example' }
    await transaction((tx) => tx.update(administrators).set(renamed))
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

  it('belongs to an existing owner without an email, until it is taken out of the settings', async () => {
    const id = await addAdministrator({ email: null })
    expect(await applyPassword(password, call)).toBe(true)
    expect(await stored()).toMatchObject([{ id, isFromSettings: true, passwordHash: testPasswordHash }])
    expect(await applyPassword(undefined, call)).toBe(false)
    expect(await stored()).toMatchObject([{ id, isFromSettings: false, passwordHash: testPasswordHash }])
  })

  it('adds no owner if there is an administrator, even one that another instance adds meanwhile', async () => {
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

  it('is guarded while it has an administrator, even one who is only invited', async () => {
    await addAdministrator({ passwordHash: null })
    expect(await isGuarded()).toBe(true)
    await transaction((tx) => tx.update(administrators).set({ removedAt: 1 }))
    expect(await isGuarded()).toBe(false)
  })
})

describe('givenPassword', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rsvp-password-'))
  const file = join(folder, 'password')
  afterAll(() => rmSync(folder, { recursive: true }))

  it('is undefined, or ADMIN_PASSWORD', async () => {
    expect(await givenPassword(readConfig({}))).toBeUndefined()
    expect(await givenPassword(readConfig({ ADMIN_PASSWORD: testPassword }))).toBe(testPassword)
  })

  it.each([testPassword, `${testPassword}\n`, `${testPassword}\r\nanother line\n`])(
    'is the first line of the file %j',
    async (content) => {
      writeFileSync(file, content)
      expect(await givenPassword(readConfig({ ADMIN_PASSWORD_FILE: file }))).toBe(testPassword)
    },
  )

  it.each([`\n${testPassword}`, 'too short\n', 'x'.repeat(129)])('is not in the file %j', async (content) => {
    writeFileSync(file, content)
    await expect(givenPassword(readConfig({ ADMIN_PASSWORD_FILE: file }))).rejects.toMatchObject({
      code: 'configuration',
      message: `The first line of ${file} (ADMIN_PASSWORD_FILE) cannot be the password. Give 12 to 128 characters.`,
    })
  })

  it('refuses both settings together, and a path that is no file', async () => {
    const refused = (message: string) => ({ code: 'configuration', message })
    const both = givenPassword(readConfig({ ADMIN_PASSWORD: testPassword, ADMIN_PASSWORD_FILE: file }))
    await expect(both).rejects.toMatchObject(refused('Give ADMIN_PASSWORD or ADMIN_PASSWORD_FILE, not both.'))
    for (const [path, code] of Object.entries({ [join(folder, 'missing')]: 'ENOENT', [folder]: 'EISDIR' })) {
      const sentence = `The password in ${path} (ADMIN_PASSWORD_FILE) cannot be read (${code}). Check the path and who may read it.`
      const unread = givenPassword(readConfig({ ADMIN_PASSWORD_FILE: path }))
      await expect(unread).rejects.toMatchObject(refused(sentence))
    }
  })
})

describe('openModeRefusal', () => {
  const refusalOf = (variables: Record<string, string>) => openModeRefusal(readConfig(variables))
  const advice =
    'can be reached from other machines, and no admin password is set. Set one with `npx rsvp password`,\n' +
    'or set RSVP_ACCESS=open if everyone who can reach this address may administer the site.'

  it.each<Record<string, string>>([
    {},
    ...['localhost', '127.0.0.1', '::1', '[::1]'].map((HOST) => ({ HOST })),
    ...['http://localhost:4321', 'http://[::1]:4321', 'http://LOCALHOST'].map((PUBLIC_URL) => ({ PUBLIC_URL })),
    { HOST: '0.0.0.0', PUBLIC_URL: 'https://rsvp.example.org', RSVP_ACCESS: 'open' },
  ])('lets a site start with %o', (variables) => {
    expect(refusalOf(variables)).toBeUndefined()
  })

  it.each(['0.0.0.0', '::', 'rsvp.example.org', '127.0.0.1.example.org', 'notlocalhost'])('refuses HOST=%s', (HOST) => {
    expect(refusalOf({ HOST, PUBLIC_URL: 'https://rsvp.example.org' })).toBe(`HOST=${HOST} ${advice}`)
  })

  it.each(['https://rsvp.example.org', 'https://localhost.example.org'])('refuses PUBLIC_URL=%s', (PUBLIC_URL) => {
    expect(refusalOf({ PUBLIC_URL })).toBe(`PUBLIC_URL=${PUBLIC_URL} ${advice}`)
  })
})
