import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { isPasswordOf } from '#db/access/password.ts'
import { setPassword } from '#db/access/setup.ts'
import { addAdministrator, auditLines, testCall } from '#db/fixtures.ts'
import { inDatabase, rsvp, rsvpInTerminal, testDatabase, testFolder } from '../fixtures.ts'

const { url } = testDatabase()
const { folder } = testFolder()
/** Set, so that a developer's own .env does not reach into these tests. */
const env = { ADMIN_PASSWORD: '', ADMIN_PASSWORD_FILE: '' }
const LONG = 'three quiet otters'
const first = 'New password, 12 to 128 characters: \r\n'
const second = 'The same again: \r\n'
const changed = `The password in ${url.slice('file:'.length)} is changed. The person is signed out in every browser.\n`
const onScreen = `${first}${second}${changed.replace('\n', '\r\n')}`
const guessed = 'Guessers try this password first. Use three or four words that do not belong together.'
const tooShort = 'A password needs at least 12 characters. Three or four words will do.'

function hash(place = url, email = ''): string {
  const select = "SELECT password_hash FROM administrators WHERE ifnull(email, '') = ?"
  const row = inDatabase(place, (database) => database.prepare(select).get(email))
  return String(row?.password_hash)
}

function piped(input: string, words: string[] = [], place = url) {
  return rsvp(place, ['password', ...words], { env, input })
}

/** The command at its first question, which has been asked. */
async function asked(place = url) {
  const terminal = rsvpInTerminal(place, ['password'], { env })
  await terminal.shows(/^New password,.+:/)
  return terminal
}

/** Types into both questions, and returns everything that the terminal was sent. */
async function typed(one: string, two: string) {
  const terminal = await asked()
  terminal.press(one)
  await terminal.shows('The same again:')
  terminal.press(two)
  return { code: await terminal.ended, raw: terminal.raw() }
}

beforeAll(() => setPassword('the one before all', testCall()))

describe('rsvp password in a terminal', () => {
  it('asks twice, takes corrections, and shows nothing of what is typed, not even how long it is', async () => {
    expect(await typed(`nonsense\u0015${LONG}xy\u007f\u007f\r`, `${LONG}\r`)).toEqual({ code: 0, raw: onScreen })
    expect(await isPasswordOf(hash(), LONG)).toBe(true)
  })

  it('takes what a program pastes for both at once, Enter and all', async () => {
    const terminal = await asked()
    terminal.press('pasted by a program\rpasted by a program\r')
    expect([await terminal.ended, terminal.raw()]).toEqual([0, onScreen])
    expect(await isPasswordOf(hash(), 'pasted by a program')).toBe(true)
  })

  it('refuses one that is too short before it asks again, and two different ones', async () => {
    const before = hash()
    const terminal = await asked()
    terminal.press(`${'x'.repeat(11)}\r`)
    expect([await terminal.ended, terminal.raw()]).toEqual([1, `${first}${tooShort}\r\n`])
    const raw = `${first}${second}The two are not the same. Nothing was changed.\r\n`
    expect(await typed(`${LONG}\r`, `${LONG}!\r`)).toEqual({ code: 1, raw })
    expect(hash()).toBe(before)
  })

  it.each([
    ['Ctrl+C', 'never shown\u0003'],
    ['Ctrl+D', '\u0004'],
  ])('changes nothing after %s, at either question', async (_key, keys) => {
    const before = hash()
    const once = await asked()
    once.press(keys)
    expect([await once.ended, once.raw()]).toEqual([130, first])
    expect(await typed(`${LONG}\r`, keys)).toEqual({ code: 130, raw: `${first}${second}` })
    const ahead = await asked()
    ahead.press(`${LONG}\r${keys}`)
    expect([await ahead.ended, ahead.raw()]).toEqual([130, `${first}${second}`])
    expect(hash()).toBe(before)
  })
})

describe('rsvp password in a pipe', () => {
  it.each([
    ['no line break', LONG],
    ['CRLF, blanks around it and other letters', '  ça c’est très sûr, 김민수\t\r\n'],
  ])('takes one with %s', async (_what, text) => {
    expect(await piped(text)).toEqual({ code: 0, signal: null, stdout: '', stderr: changed })
    expect(await isPasswordOf(hash(), text.trim())).toBe(true)
  })

  it.each([
    ['nothing', '', tooShort],
    ['one that guessers try first', 'password1234', guessed],
    ['a megabyte', 'x'.repeat(1024 * 1024), 'The password may have at most 128 characters.'],
    ['a NUL', 'three\0quiet otters', 'The password holds a character that cannot be stored. Type it again.'],
  ])('refuses %s, without repeating it', async (_what, text, sentence) => {
    const before = hash()
    expect(await piped(text)).toEqual({ code: 1, signal: null, stdout: '', stderr: `${sentence}\n` })
    expect(hash()).toBe(before)
  })

  it('says nothing with --quiet', async () => {
    expect(await piped(LONG, ['--quiet'])).toEqual({ code: 0, signal: null, stdout: '', stderr: '' })
    expect((await auditLines()).at(-1)).toBe('terminal: password set administrator 1')
  })
})

describe('rsvp password where there are several administrators', () => {
  beforeAll(() => addAdministrator({ email: 'ruth@cole.example' }))

  it('asks for --of before anything else', async () => {
    const terminal = rsvpInTerminal(url, ['password'], { env })
    expect(await terminal.ended).toBe(2)
    expect(terminal.raw()).toMatch(
      /^There are several administrators\. Say whose password it is, with --of EMAIL\.\r\n/,
    )
  })

  it('sets that of one person, also where another one has it from the settings', async () => {
    const before = hash()
    const given = { ...env, ADMIN_PASSWORD: 'kept in the settings' }
    const ended = await rsvp(url, ['password', '--of', 'Ruth@Cole.example'], { env: given, input: LONG })
    expect(ended).toEqual({ code: 0, signal: null, stdout: '', stderr: changed })
    expect(await isPasswordOf(hash(url, 'ruth@cole.example'), LONG)).toBe(true)
    expect(hash()).toBe(before)
  })
})

describe('rsvp password without a database', () => {
  it('makes one', async () => {
    const place = `${folder}/new/rsvp.db`
    const said = `The password is set in ${place}. The site that uses it is guarded from now on: sign in at /admin.\n`
    expect(await piped(LONG, [], `file:${place}`)).toEqual({ code: 0, signal: null, stdout: '', stderr: said })
    expect(await isPasswordOf(hash(`file:${place}`), LONG)).toBe(true)
  })

  it('makes none for one that is refused, or after Ctrl+C', async () => {
    const none = `file:${folder}/none/rsvp.db`
    expect(await piped('too short', [], none)).toMatchObject({ code: 1 })
    const terminal = await asked(none)
    terminal.press('\u0003')
    expect(await terminal.ended).toBe(130)
    expect(readdirSync(folder)).not.toContain('none')
  })

  const argument = /^error: leave the password out: [^\n]+\nsee rsvp password --help\n$/
  it.each([
    [['--quiet', 'an-old-habit-of-mine'], argument],
    [['--password=an-old-habit'], /^error: /],
    [['-pan-old-habit'], /^error: /],
  ])('refuses one as an argument, without repeating it: %j', async (words, sentence) => {
    const { code, stdout, stderr } = await piped(LONG, words, `file:${folder}/refused/rsvp.db`)
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(sentence)])
    expect(stderr).not.toContain('habit')
    expect(existsSync(join(folder, 'refused'))).toBe(false)
  })

  it.each(['ADMIN_PASSWORD', 'ADMIN_PASSWORD_FILE'])('sends to %s where the site has it from there', async (name) => {
    const given = { ...env, [name]: 'kept in the settings' }
    const ended = await rsvp(`file:${folder}/settings/rsvp.db`, ['password'], { env: given, input: LONG })
    const stderr = `The site takes its password from ${name}. Change it there.\n`
    expect(ended).toEqual({ code: 78, signal: null, stdout: '', stderr })
    expect(readdirSync(folder)).not.toContain('settings')
  })
})
