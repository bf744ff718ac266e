import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { listSessions, setPassword, signIn } from '#db/access/operations.ts'
import { isPasswordOf } from '#db/access/password.ts'
import { listAudit } from '#db/audit/operations.ts'
import { testCall } from '#db/fixtures.ts'
import { inDatabase, inShell, rsvp, rsvpInTerminal, testDatabase, testFolder } from '../fixtures.ts'

const { url } = testDatabase()
const { folder } = testFolder()
/** Set, so that a developer's own .env does not reach into these tests. */
const env = { ADMIN_PASSWORD: '', ADMIN_PASSWORD_FILE: '' }
const LONG = 'three quiet otters'
const first = 'New password, 12 to 128 characters: \r\n'
const second = 'The same again: \r\n'
const changed = `The password in ${url.slice('file:'.length)} is changed. All administrators are signed out.\n`
const tooShort = 'A password needs at least 12 characters. Three or four words will do.'
const tooLong = 'The password may have at most 128 characters.'

function hash(place = url): string {
  const row = inDatabase(place, (database) => database.prepare('SELECT hash FROM passwords').get())
  return String(row?.hash)
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
  terminal.press(`${one}\r`)
  await terminal.shows('The same again:')
  terminal.press(`${two}\r`)
  return { code: await terminal.ended, raw: terminal.raw() }
}

async function expectUnchanged<Result>(work: () => Promise<Result>): Promise<Result> {
  const before = hash()
  const result = await work()
  expect(hash()).toBe(before)
  return result
}

beforeAll(() => setPassword('the one before all', testCall()))

describe('rsvp password in a terminal', () => {
  it('asks twice, and shows nothing of what is typed, not even how long it is', async () => {
    const raw = `${first}${second}${changed.replace('\n', '\r\n')}`
    expect(await typed(LONG, LONG)).toEqual({ code: 0, raw })
    expect(await isPasswordOf(hash(), LONG)).toBe(true)
  })

  it('takes corrections made while typing', async () => {
    const corrected = `nonsense\u0015${LONG}xy\u007f\u007f`
    expect((await typed(corrected, LONG)).code).toBe(0)
    expect(await isPasswordOf(hash(), LONG)).toBe(true)
  })

  it.each([
    ['once for each question', ['pasted by a program\r', 'pasted by a program\r']],
    ['for both at once', ['pasted by a program\rpasted by a program\r']],
  ])('takes what a program pastes, Enter and all, %s', async (_how, pastes) => {
    const terminal = await asked()
    for (const [at, paste] of pastes.entries()) {
      if (at > 0) await terminal.shows('The same again:')
      terminal.press(paste)
    }
    const raw = `${first}${second}${changed.replace('\n', '\r\n')}`
    expect([await terminal.ended, terminal.raw()]).toEqual([0, raw])
    expect(await isPasswordOf(hash(), 'pasted by a program')).toBe(true)
  })

  it.each([
    ['none at all', '', tooShort],
    ['11 characters', 'x'.repeat(11), tooShort],
    ['129 characters', 'x'.repeat(129), tooLong],
  ])('refuses %s, before it asks again', async (_what, text, sentence) => {
    await expectUnchanged(async () => {
      const terminal = await asked()
      terminal.press(`${text}\r`)
      expect([await terminal.ended, terminal.raw()]).toEqual([1, `${first}${sentence}\r\n`])
    })
  })

  it('refuses two different ones', async () => {
    const raw = `${first}${second}The two are not the same. Nothing was changed.\r\n`
    expect(await expectUnchanged(() => typed(LONG, `${LONG}!`))).toEqual({ code: 1, raw })
  })

  it.each([
    ['Ctrl+C', '\u0003'],
    ['Ctrl+D', '\u0004'],
  ])('changes nothing after %s, at either question', async (_key, key) => {
    await expectUnchanged(async () => {
      const once = await asked()
      if (key === '\u0003') once.press('never shown')
      once.press(key)
      expect([await once.ended, once.raw()]).toEqual([130, first])
      const twice = await asked()
      twice.press(`${LONG}\r`)
      await twice.shows('The same again:')
      twice.press(key)
      expect([await twice.ended, twice.raw()]).toEqual([130, `${first}${second}`])
      const ahead = await asked()
      ahead.press(`${LONG}\r${key}`)
      expect([await ahead.ended, ahead.raw()]).toEqual([130, `${first}${second}`])
    })
  })

  it.each([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ])('changes nothing after %s', async (signal, code) => {
    await expectUnchanged(async () => {
      const terminal = await asked()
      terminal.kill(signal)
      expect([await terminal.ended, terminal.raw()]).toEqual([code, first])
    })
  })
})

describe('rsvp password in a pipe', () => {
  it.each([
    ['no line break', LONG],
    ['a line break', `${LONG}\n`],
    ['CRLF', `${LONG}\r\n`],
    ['blanks around it', `  ${LONG}\t\n`],
  ])('takes one with %s', async (_what, text) => {
    await setPassword('the one before it', testCall())
    expect(await piped(text)).toEqual({ code: 0, signal: null, stdout: '', stderr: changed })
    expect(await isPasswordOf(hash(), LONG)).toBe(true)
  })

  it.each([
    ['12 characters', 'x'.repeat(12)],
    ['128 characters', 'x'.repeat(128)],
    ['other letters', 'ça c’est très sûr, 김민수'],
  ])('takes %s', async (_what, text) => {
    expect((await piped(`${text}\n`)).code).toBe(0)
    expect(await isPasswordOf(hash(), text)).toBe(true)
  })

  it.concurrent.each([
    ['nothing', '', tooShort],
    ['an empty line', '\n', tooShort],
    ['11 characters', 'x'.repeat(11), tooShort],
    ['12 of which the first is a blank', ` ${'x'.repeat(11)}`, tooShort],
    ['129 characters', 'x'.repeat(129), tooLong],
    ['a megabyte', 'x'.repeat(1024 * 1024), tooLong],
    ['a NUL', 'three\0quiet otters', 'The password holds a character that cannot be stored. Type it again.'],
  ])('refuses %s, without repeating it', async (_what, text, sentence) => {
    const { code, stdout, stderr } = await expectUnchanged(() => piped(text))
    expect([code, stdout, stderr]).toEqual([1, '', `${sentence}\n`])
  })

  it('ends every session, and writes down that it was set, but not what', async () => {
    await setPassword(LONG, testCall())
    const now = new Date()
    await signIn({ password: LONG }, testCall({ now }))
    expect(await listSessions(testCall({ now }))).toHaveLength(1)
    expect((await piped(LONG)).code).toBe(0)
    expect(await listSessions(testCall({ now }))).toEqual([])
    const [entry] = await listAudit({ limit: 1 }, testCall())
    expect(entry).toMatchObject({ actor: 'terminal', action: 'password set', subject: '' })
  })

  it('says nothing with --quiet', async () => {
    expect(await piped(LONG, ['--quiet'])).toEqual({ code: 0, signal: null, stdout: '', stderr: '' })
  })
})

describe('rsvp password without a database', () => {
  it('makes one for this account only, also where files are readable by all', async () => {
    const place = join(folder, 'new')
    const line = `umask 000; echo "${LONG}" | rsvp password; stat -c %a "$PLACE" "$PLACE"/rsvp.db*`
    const { code, stdout, stderr } = await inShell(`file:${place}/rsvp.db`, line, { env: { ...env, PLACE: place } })
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^700\n(600\n)+$/) })
    const said = `The password is set in ${place}/rsvp.db. The site that uses it is guarded from now on: sign in at /admin.\n`
    expect(stderr).toBe(said)
    expect(await isPasswordOf(hash(`file:${place}/rsvp.db`), LONG)).toBe(true)
    expect(statSync(place).mode & 0o777).toBe(0o700)
  })

  it('makes none for one that is refused, or after Ctrl+C', async () => {
    const none = `file:${folder}/none/rsvp.db`
    expect(await piped('too short', [], none)).toMatchObject({ code: 1 })
    const terminal = await asked(none)
    terminal.press('\u0003')
    expect(await terminal.ended).toBe(130)
    expect(readdirSync(folder)).not.toContain('none')
  })

  it.concurrent.each([
    [['an-old-habit-of-mine']],
    [['--', 'an-old-habit-of-mine']],
    [['--quiet', 'an-old-habit-of-mine']],
  ])('refuses one as an argument, without repeating it: %j', async (words) => {
    const { code, stdout, stderr } = await piped(LONG, words, `file:${folder}/refused/rsvp.db`)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/^error: leave the password out: [^\n]+\nsee rsvp password --help\n$/)
    expect(stderr).not.toContain('habit')
    expect(existsSync(join(folder, 'refused'))).toBe(false)
  })

  it.concurrent.each([
    [['an', 'old-habit', 'of mine']],
    [['--an-old-habit']],
    [['--password=an-old-habit']],
    [['-pan-old-habit']],
  ])('does not repeat it either where it looks like something else: %j', async (words) => {
    const { code, stdout, stderr } = await piped(LONG, words, `file:${folder}/refused/rsvp.db`)
    expect([code, stdout, stderr]).toEqual([2, '', expect.not.stringContaining('habit')])
  })

  it.each(['ADMIN_PASSWORD', 'ADMIN_PASSWORD_FILE'])('sends to %s where the site has it from there', async (name) => {
    const place = join(folder, 'settings')
    const given = { ...env, [name]: 'kept in the settings' }
    const ended = rsvp(`file:${place}/rsvp.db`, ['password'], { env: given, input: LONG })
    const stderr = `The site takes its password from ${name}. Change it there.\n`
    expect(await ended).toEqual({ code: 78, signal: null, stdout: '', stderr })
    expect(readdirSync(folder)).not.toContain('settings')
  })
})
