import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readConfig } from '../config.ts'
import { testPassword } from '../fixtures.ts'
import { givenPassword } from './given-password.ts'

const folder = mkdtempSync(join(tmpdir(), 'rsvp-password-'))
const file = join(folder, 'password')
afterAll(() => rmSync(folder, { recursive: true }))

describe('givenPassword', () => {
  it('is none where none is set', async () => {
    expect(await givenPassword(readConfig({}))).toBeUndefined()
    expect(await givenPassword({ ...readConfig({}), adminPasswordFile: '' })).toBeUndefined()
  })

  it('is that of ADMIN_PASSWORD', async () => {
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

  it.each(['', '\n', `\n${testPassword}`, 'too short\n', 'x'.repeat(129)])('is not in the file %j', async (content) => {
    writeFileSync(file, content)
    await expect(givenPassword(readConfig({ ADMIN_PASSWORD_FILE: file }))).rejects.toMatchObject({
      code: 'configuration',
      message: `The first line of ${file} (ADMIN_PASSWORD_FILE) cannot be the password. Give 12 to 128 characters.`,
    })
  })

  it('is not asked for twice', async () => {
    writeFileSync(file, testPassword)
    const both = readConfig({ ADMIN_PASSWORD: testPassword, ADMIN_PASSWORD_FILE: file })
    await expect(givenPassword(both)).rejects.toMatchObject({
      code: 'configuration',
      message: 'Give ADMIN_PASSWORD or ADMIN_PASSWORD_FILE, not both.',
    })
  })

  it.each([
    ['nowhere', 'ENOENT'],
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
