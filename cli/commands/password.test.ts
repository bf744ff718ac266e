import { readdirSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { isPasswordOf } from '#db/access/password.ts'
import { setPassword } from '#db/access/setup.ts'
import { addAdministrator, auditLines, testCall } from '#testing/database-fixtures.ts'
import { inDatabase, rsvp, testDatabase, testFolder } from '../fixtures.ts'
import { rsvpInTerminal } from '../terminal-fixtures.ts'

const { url } = testDatabase()
const { folder } = testFolder()
/** Variables that must be set, because the command would take others from a developer's .env. */
const env = { ADMIN_PASSWORD: '', ADMIN_PASSWORD_FILE: '' }
const LONG = 'three quiet otters'
const first = 'New password, 12 to 128 characters: \r\n'
const second = 'The same again: \r\n'
const changed = `The password in ${url.slice('file:'.length)} is changed. The person is signed out in every browser.\n`
const onScreen = `${first}${second}${changed.replace('\n', '\r\n')}`
const guessed = 'Guessers try this password first. Use three or four words that do not belong together.'
const different = 'The two are not the same. Nothing was changed.'
const tooShort = 'A password needs at least 12 characters. Three or four words will do.'

function hash(place = url, email = ''): string {
  const select = "SELECT password_hash FROM administrators WHERE ifnull(email, '') = ?"
  const row = inDatabase(place, (database) => database.prepare(select).get(email))
  return String(row?.password_hash)
}

function piped(input: string, words: string[] = [], place = url) {
  return rsvp(place, ['password', ...words], { env, input })
}

/** Starts the command and waits for its first question. */
async function asked() {
  const terminal = rsvpInTerminal(url, ['password'], { env })
  await terminal.shows(/^New password,.+:/)
  return terminal
}

/** Types at the questions, and returns everything that the terminal was sent. */
async function typed(one = '', two?: string) {
  const terminal = await asked()
  terminal.press(one)
  if (two !== undefined) {
    await terminal.shows('The same again:')
    terminal.press(two)
  }
  return { code: await terminal.ended, raw: terminal.raw() }
}

beforeAll(() => setPassword({ password: 'the one before all' }, testCall()))

describe('rsvp password in a terminal', () => {
  it('asks twice, takes corrections, and shows nothing of what is typed, not even how long it is', async () => {
    expect(await typed(`nonsense\u0015${LONG}xy\u007f\u007f\r`, `${LONG}\r`)).toEqual({ code: 0, raw: onScreen })
    expect(await isPasswordOf(hash(), LONG)).toBe(true)
    const pasted = await asked()
    pasted.press('pasted by a program\rpasted by a program\r')
    expect([await pasted.ended, pasted.raw()]).toEqual([0, onScreen])
    expect(await isPasswordOf(hash(), 'pasted by a program')).toBe(true)
  })

  it.each([
    ['one that is too short', [`${'x'.repeat(11)}\r`], 1, `${first}${tooShort}\r\n`],
    ['two that differ', [`${LONG}\r`, `${LONG}!\r`], 1, `${first}${second}${different}\r\n`],
    ['Ctrl+C at the first question', ['never shown\u0003'], 130, first],
    ['Ctrl+C at the second question', [`${LONG}\r`, '\u0003'], 130, `${first}${second}`],
  ])('changes nothing after %s', async (_, inputs, code, raw) => {
    const before = hash()
    expect(await typed(...inputs)).toEqual({ code, raw })
    expect(hash()).toBe(before)
  })
})

describe('rsvp password in a pipe', () => {
  it('takes a line, also with CRLF, blanks around it and other letters', async () => {
    const text = '  ça c’est très sûr, 김민수\t\r\n'
    expect(await piped(text)).toEqual({ code: 0, stdout: '', stderr: changed })
    expect(await isPasswordOf(hash(), text.trim())).toBe(true)
    expect(await piped(LONG, ['--quiet'])).toEqual({ code: 0, stdout: '', stderr: '' })
    expect((await auditLines()).at(-1)).toBe('terminal: password set administrator 1')
  })

  it('refuses one that guessers try first, without repeating it', async () => {
    const before = hash()
    expect(await piped('password1234')).toEqual({ code: 1, stdout: '', stderr: `${guessed}\n` })
    expect(hash()).toBe(before)
  })

  it('requires --of where there are several administrators, and sets only the password of that one', async () => {
    await addAdministrator({ email: 'ruth@cole.example' })
    const several = 'There are several administrators. Say whose password it is, with --of EMAIL.\n'
    expect(await piped('')).toMatchObject({ code: 2, stderr: `${several}see rsvp password --help\n` })
    const before = hash()
    const given = { ...env, ADMIN_PASSWORD: 'kept in the settings' }
    const ended = await rsvp(url, ['password', '--of', 'Ruth@Cole.example'], { env: given, input: LONG })
    expect(ended).toEqual({ code: 0, stdout: '', stderr: changed })
    expect(await isPasswordOf(hash(url, 'ruth@cole.example'), LONG)).toBe(true)
    expect(hash()).toBe(before)
  })
})

describe('rsvp password without a database', () => {
  it('creates one', async () => {
    const place = `${folder}/new/rsvp.db`
    const set = `The password is set in ${place}. The site that uses it is guarded from now on: sign in at /admin.\n`
    expect(await piped(LONG, [], `file:${place}`)).toEqual({ code: 0, stdout: '', stderr: set })
    expect(await isPasswordOf(hash(`file:${place}`), LONG)).toBe(true)
  })

  const argument = /^error: [^\n]+\nsee rsvp password --help\n$/
  const elsewhere = (name: string) => new RegExp(`^The site takes its password from ${name}\\. Change it there\\.\n$`)

  it.each<[string, number, RegExp, string[], string, object]>([
    ['one that is too short', 1, /^A password needs at least 12 /, [], 'too short', {}],
    ['one as an argument', 2, argument, ['--quiet', 'an-old-habit-of-mine'], LONG, {}],
    ['one as an option', 2, argument, ['--password=an-old-habit'], LONG, {}],
    ['one beside ADMIN_PASSWORD', 78, elsewhere('ADMIN_PASSWORD'), [], LONG, { ADMIN_PASSWORD: LONG }],
    ['one beside ADMIN_PASSWORD_FILE', 78, elsewhere('ADMIN_PASSWORD_FILE'), [], LONG, { ADMIN_PASSWORD_FILE: '/x' }],
  ])('refuses %s, does not print it, and creates none', async (_, code, sentence, words, input, set) => {
    const place = `file:${folder}/refused/rsvp.db`
    const ended = await rsvp(place, ['password', ...words], { env: { ...env, ...set }, input })
    expect(ended).toEqual({ code, stdout: '', stderr: expect.stringMatching(sentence) })
    expect(ended.stderr).not.toContain('habit')
    expect(readdirSync(folder)).not.toContain('refused')
  })
})
