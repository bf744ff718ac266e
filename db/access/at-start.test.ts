import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readConfig } from '#db/config/config.ts'
import { describeOnBothDatabases, testCall, testPassword, testPasswordHash } from '#db/fixtures.ts'
import { transaction } from '#db/storage/client.ts'
import { givenMetricsToken, givenPassword, isGuardedBy, openModeRefusal } from './at-start.ts'
import { passwords } from './table.ts'

describe('what is given at the start', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rsvp-password-'))
  const file = join(folder, 'password')
  afterAll(() => rmSync(folder, { recursive: true }))

  describe('givenPassword', () => {
    it('is undefined when neither setting is given', async () => {
      expect(await givenPassword(readConfig({}))).toBeUndefined()
      expect(await givenPassword({ ...readConfig({}), adminPasswordFile: '' })).toBeUndefined()
    })

    it('is ADMIN_PASSWORD', async () => {
      expect(await givenPassword(readConfig({ ADMIN_PASSWORD: testPassword }))).toBe(testPassword)
    })

    it.each([
      testPassword,
      `${testPassword}\n`,
      `${testPassword}\r\n`,
      `${testPassword}\nanother line that says something else\n`,
    ])('is the first line of the file %j', async (content) => {
      writeFileSync(file, content)
      expect(await givenPassword(readConfig({ ADMIN_PASSWORD_FILE: file }))).toBe(testPassword)
    })

    it.each([`\n${testPassword}`, 'too short\n', 'x'.repeat(129)])('is not in the file %j', async (content) => {
      writeFileSync(file, content)
      await expect(givenPassword(readConfig({ ADMIN_PASSWORD_FILE: file }))).rejects.toMatchObject({
        code: 'configuration',
        message: `The first line of ${file} (ADMIN_PASSWORD_FILE) cannot be the password. Give 12 to 128 characters.`,
      })
    })

    it('cannot be given in both settings', async () => {
      writeFileSync(file, testPassword)
      const both = readConfig({ ADMIN_PASSWORD: testPassword, ADMIN_PASSWORD_FILE: file })
      await expect(givenPassword(both)).rejects.toMatchObject({
        code: 'configuration',
        message: 'Give ADMIN_PASSWORD or ADMIN_PASSWORD_FILE, not both.',
      })
    })

    it.each([
      ['missing', 'ENOENT'],
      ['.', 'EISDIR'],
      ['password/x', 'ENOTDIR'],
    ])('cannot be read from %s', async (path, code) => {
      writeFileSync(file, testPassword)
      const wrong = join(folder, path)
      await expect(givenPassword(readConfig({ ADMIN_PASSWORD_FILE: wrong }))).rejects.toMatchObject({
        code: 'configuration',
        message: `The password in ${wrong} (ADMIN_PASSWORD_FILE) cannot be read (${code}). Check the path and who may read it.`,
      })
    })
  })

  describe('givenMetricsToken', () => {
    const token = 'twenty-characters-at-least'

    it('is none, that of the setting, or the first line of a file', async () => {
      writeFileSync(file, `${token}\nsecond line`)
      expect(await givenMetricsToken(readConfig({}))).toBeUndefined()
      expect(await givenMetricsToken(readConfig({ METRICS_TOKEN: token }))).toBe(token)
      expect(await givenMetricsToken(readConfig({ METRICS_TOKEN_FILE: file }))).toBe(token)
      const both = givenMetricsToken(readConfig({ METRICS_TOKEN: token, METRICS_TOKEN_FILE: file }))
      await expect(both).rejects.toThrow('Give METRICS_TOKEN or METRICS_TOKEN_FILE, not both.')
    })

    it.each(['', 'too short', 'with blanks it is not one token'])('is not %j', async (text) => {
      writeFileSync(file, text)
      await expect(givenMetricsToken(readConfig({ METRICS_TOKEN_FILE: file }))).rejects.toMatchObject({
        code: 'configuration',
        message: `The first line of ${file} (METRICS_TOKEN_FILE) cannot be used. Give at least 20 letters and digits without blanks, e.g. what \`openssl rand -hex 32\` prints.`,
      })
    })
  })

  describeOnBothDatabases('isGuardedBy', () => {
    it('tells whether a password is given, or set already', async () => {
      const [without, given] = [readConfig({}), readConfig({ ADMIN_PASSWORD: testPassword })]
      expect(await isGuardedBy(without, testCall())).toBe(false)
      expect(await isGuardedBy(given, testCall())).toBe(true)
      await transaction((tx) => tx.insert(passwords).values({ hash: testPasswordHash }))
      expect(await isGuardedBy(without, testCall())).toBe(true)
      expect(await isGuardedBy(given, testCall())).toBe(true)
    })
  })
})

describe('open mode', () => {
  const refusalOf = (variables: Record<string, string | undefined>) => openModeRefusal(readConfig(variables))

  const advice =
    'can be reached from other machines, and no admin password is set. Set one with `npx rsvp password`,\n' +
    'or set RSVP_ACCESS=open if everyone who can reach this address may administer the site.'

  describe('openModeRefusal', () => {
    it('lets a site start as it comes', () => {
      expect(refusalOf({})).toBeUndefined()
    })

    it.each(['localhost', '127.0.0.1', '::1', '[::1]'])('lets a site start on %s', (host) => {
      expect(refusalOf({ HOST: host })).toBeUndefined()
    })

    it.each(['0.0.0.0', '::', 'rsvp.example.org', '127.0.0.1.example.org', '127.0.0.10'])(
      'refuses to listen on %j',
      (host) => {
        expect(refusalOf({ HOST: host })).toBe(`HOST=${host} ${advice}`)
      },
    )

    it.each(['http://localhost:4321', 'http://127.0.0.1', 'http://[::1]:4321', 'http://LOCALHOST'])(
      'lets a site start that is reached at %s',
      (url) => {
        expect(refusalOf({ PUBLIC_URL: url })).toBeUndefined()
      },
    )

    it.each(['https://rsvp.example.org', 'https://localhost.example.org'])('refuses to be reached at %s', (url) => {
      expect(refusalOf({ PUBLIC_URL: url })).toBe(`PUBLIC_URL=${url} ${advice}`)
    })

    it('names the address it listens on first', () => {
      expect(refusalOf({ HOST: '0.0.0.0', PUBLIC_URL: 'https://rsvp.example.org' })).toBe(`HOST=0.0.0.0 ${advice}`)
    })

    it.each([{ HOST: '0.0.0.0' }, { PUBLIC_URL: 'https://rsvp.example.org' }])(
      'lets a site start with %o where everyone may administer',
      (variables) => {
        expect(refusalOf({ ...variables, RSVP_ACCESS: 'open' })).toBeUndefined()
      },
    )
  })
})
