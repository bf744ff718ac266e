import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readConfig } from '#db/config/config.ts'
import { testPassword } from '#db/fixtures.ts'
import { givenPassword, openModeRefusal } from './at-start.ts'

describe('what is given at the start', () => {
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

  it('cannot be given in both settings, nor be read from what is no file', async () => {
    const refused = (message: string) => ({ code: 'configuration', message })
    const both = readConfig({ ADMIN_PASSWORD: testPassword, ADMIN_PASSWORD_FILE: file })
    await expect(givenPassword(both)).rejects.toMatchObject(
      refused('Give ADMIN_PASSWORD or ADMIN_PASSWORD_FILE, not both.'),
    )
    for (const [wrong, code] of [
      [join(folder, 'missing'), 'ENOENT'],
      [folder, 'EISDIR'],
    ] as const) {
      const sentence = `The password in ${wrong} (ADMIN_PASSWORD_FILE) cannot be read (${code}). Check the path and who may read it.`
      const given = givenPassword(readConfig({ ADMIN_PASSWORD_FILE: wrong }))
      await expect(given).rejects.toMatchObject(refused(sentence))
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
