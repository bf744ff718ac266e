import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { getChurch } from '#db/church/operations.ts'
import { testPicture } from '#db/church/picture-fixtures.ts'
import { auditLines, testCall } from '#db/fixtures.ts'
import { changeSettings, getSettings } from '#db/settings/operations.ts'
import { inDatabase, rsvp, rsvpInTerminal, rsvpProcess, testDatabase } from '../fixtures.ts'

const { url, folder } = testDatabase()
const settings = (...words: string[]) => rsvp(url, ['settings', ...words])
const stored = () => getSettings(testCall())
const church = () => getChurch(testCall())
const atFirst = {
  publicNames: 'initial',
  retentionDays: null,
  publicUrl: null,
  prayers: false,
  prayerDays: 30,
} as const
const others = {
  churchName: null,
  churchAccent: null,
  churchPicture: null,
  churchPictureAlt: null,
  churchPictureFocus: null,
  eventLanguage: 'en',
}
const saved = 'The settings have been saved.\n'
const days = 24 * 60 * 60 * 1000

/** Responses that came in so many days ago. */
function storeResponsesOf(...ages: number[]): void {
  inDatabase(url, (database) => {
    const insert = database.prepare(
      'INSERT INTO rsvps (key, name, email, attending, add_to_calendar, created_at, service_date, public_name) VALUES (?, ?, ?, 1, 0, ?, ?, ?)',
    )
    for (const [at, age] of ages.entries()) {
      insert.run(
        `key ${at}`,
        'Ana Cole',
        'ana@cole.example',
        new Date(Date.now() - age * days).toISOString(),
        '2025-01-11',
        'Ana C.',
      )
    }
  })
}

beforeAll(() => writeFileSync(join(folder, 'church.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>'))
beforeEach(async () => {
  inDatabase(url, (database) => database.exec('DELETE FROM rsvps'))
  await changeSettings(atFirst, testCall())
})

describe('rsvp settings', () => {
  it('shows all of them, with what they mean, and as JSON', async () => {
    const stdout = [
      'publicNames\tinitial\tFirst name and last initial: Visitors see who is coming, e.g. Ana C.\n',
      'retentionDays\toff\tResponses are kept until they are deleted.\n',
      'publicUrl\tnone\tThe address people use; PUBLIC_URL overrides it.\n',
      'prayers\toff\tWhether the form asks for prayer requests.\n',
      'prayerDays\t30\tAfter so many days each prayer request is erased.\n',
      'churchName\tnone\tWhat the church is called.\n',
      'churchAccent\tnone\tThe color of buttons and links.\n',
      'churchPicture\tnone\tThe picture of the church.\n',
      'churchPictureAlt\tnone\tWhat the picture shows.\n',
      'churchPictureFocus\tnone\tWhat no screen cuts off: percent from the left and from the top; without one, the middle.\n',
      'eventLanguage\ten\tThe language of the original texts of the event.\n',
    ].join('')
    expect(await settings()).toEqual({ code: 0, signal: null, stdout, stderr: '' })
    expect(JSON.parse((await settings('--json')).stdout)).toEqual({ ...atFirst, ...others })
  })

  it.each([
    ['publicNames=counts', { publicNames: 'counts' }],
    ['Public Names=NONE', { publicNames: 'none' }],
    ['public-names=full', { publicNames: 'full' }],
    ['retentionDays=3650d', { retentionDays: 3650 }],
    ['retentionDays=1', { retentionDays: 1 }],
  ])('understands %s', async (word, change) => {
    const { code, stdout, stderr } = await settings(word)
    expect([code, stderr]).toEqual([0, saved])
    const [name, value] = Object.entries(change)[0] ?? []
    expect(stdout).toMatch(new RegExp(`^${name}\t${value}\t`, 'm'))
    expect(await stored()).toEqual({ ...atFirst, ...change })
  })

  it('keeps them for good again with off, and asks nothing then', async () => {
    await changeSettings({ retentionDays: 90 }, testCall())
    storeResponsesOf(100)
    expect(await settings('retentionDays=off')).toMatchObject({ code: 0, stderr: saved })
    expect(await stored()).toEqual(atFirst)
  })

  it('changes several at once, in one line of the log, and prints them as JSON, without a word with --quiet', async () => {
    const { stdout, stderr } = await settings('retentionDays=30d', 'prayers=on', 'prayerDays=off', '--json', '--quiet')
    expect([JSON.parse(stdout), stderr]).toEqual([
      { ...atFirst, ...others, retentionDays: 30, prayers: true, prayerDays: null },
      '',
    ])
    expect((await auditLines()).at(-1)).toBe('terminal: settings changed retentionDays=30 prayers=true prayerDays=null')
    expect(await settings('publicNames=full', '--quiet')).toMatchObject({ code: 0, stdout: '', stderr: '' })
  })

  it.each([
    [
      ['name=full'],
      'There is no setting "name": name one of publicNames, retentionDays, publicUrl, prayers, prayerDays, churchName, churchAccent, churchPicture, churchPictureAlt, churchPictureFocus, eventLanguage.',
    ],
    [[''], '"" is not a change. Give a setting, = and its value, e.g. `rsvp settings publicNames=counts`.'],
    [['publicNames=all'], 'Say one of full, initial, counts, none, e.g. publicNames=counts.'],
    [['publicNames=full', 'retentionDays='], 'Say after how many days, e.g. `rsvp settings retentionDays=90`, or off.'],
    [['retentionDays=3m'], 'Say after how many days'],
    [['prayerDays='], 'Say after how many days, e.g. `rsvp settings prayerDays=30`, or off.'],
    [['prayers=yes'], 'Say on or off, e.g. `rsvp settings prayers=on`.'],
    [['retentionDays=3651'], 'Keep responses for at most 3650 days'],
  ])('refuses %j, and changes nothing', async (words, sentence) => {
    const { code, stdout, stderr } = await settings(...words)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr.split('\n\n')[0]).toContain(sentence)
    expect(stderr).toContain('see rsvp settings --help')
    expect(await stored()).toEqual(atFirst)
  })
})

describe('rsvp settings, where responses are older', () => {
  it('needs --yes without a terminal, and only there', async () => {
    storeResponsesOf(100, 91, 80)
    const { code, stdout, stderr } = await settings('retentionDays=90d', 'publicNames=full')
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toBe('No terminal to confirm on: add --yes to continue.\nsee rsvp settings --help\n')
    expect(await stored()).toEqual(atFirst)
    expect(await settings('retentionDays=120d')).toMatchObject({ code: 0, stderr: saved })
    expect(await settings('retentionDays=90d', '--yes')).toMatchObject({ code: 0, stderr: saved })
    expect(await stored()).toEqual({ ...atFirst, retentionDays: 90 })
  })

  const two = /^2 responses are older than 90 days and will lose names/
  const one = /^1 response is older than 90 days and will lose names/
  it.each([
    { ages: [100, 91, 80], question: two, how: 'Type 2', keys: '2\r', code: 0, says: `${saved}publicNames ` },
    { ages: [100], question: one, how: 'y/N', keys: '\r', code: 1, says: 'Nothing was changed.' },
  ])('asks before $ages lose their names, and ends with $code after $keys', async (asked) => {
    storeResponsesOf(...asked.ages)
    const terminal = rsvpInTerminal(url, ['settings', 'retentionDays=90d'], { columns: 120 })
    expect(await terminal.shows(asked.how)).toMatch(asked.question)
    expect(await stored()).toEqual(atFirst)
    terminal.press(asked.keys)
    expect(await terminal.ended).toBe(asked.code)
    expect(terminal.screen()).toContain(asked.says)
    expect(await stored()).toEqual({ ...atFirst, retentionDays: asked.code === 0 ? 90 : null })
  })

  it('says that nothing goes while the clock is doubtful', async () => {
    storeResponsesOf(100)
    const known = inDatabase(url, (database) => database.prepare('SELECT seen_at FROM clock_marks').get()?.seen_at)
    const markAt = (at: unknown) =>
      inDatabase(url, (database) => database.prepare('UPDATE clock_marks SET seen_at = ?').run(String(at)))
    onTestFinished(() => void markAt(known))
    markAt(new Date(Date.now() - 60 * days).toISOString())
    const { code, stderr } = await settings('retentionDays=90d', '--yes')
    expect(code).toBe(0)
    expect(stderr).toMatch(
      /^The settings have been saved\.\nThe clock shows .+ trusted once the site has run for seven days\. Until then nothing is made anonymous/,
    )
  })
})

describe('rsvp settings, of the church', () => {
  it('changes what is given, shows all of it and removes what is empty', async () => {
    const set = await settings('churchName=Grace Church', 'church-accent=#0B5D66')
    expect(set).toMatchObject({ code: 0, stderr: saved })
    expect(set.stdout).toMatch(/\nchurchName\tGrace Church\t.+\nchurchAccent\t#0b5d66\t/)
    const json = JSON.parse((await settings('churchPictureAlt=The church in spring', '--json')).stdout)
    expect(json).toMatchObject({ churchName: 'Grace Church', churchPictureAlt: 'The church in spring' })
    expect((await settings('churchAccent=none', 'churchPictureAlt=', '--quiet')).stdout).toBe('')
    expect(await church()).toMatchObject({ name: 'Grace Church', accent: null, pictureAlt: null })
  })

  it('stores a picture, as a process of its own, and removes it', async () => {
    const picture = join(folder, 'church.png')
    writeFileSync(picture, await testPicture({ format: 'png' }))
    expect((await settings('churchPictureFocus=middle', `churchPicture=${picture}`)).code).toBe(2)
    expect((await church()).picture).toBeNull()
    const { code, stdout } = await rsvpProcess(url, [
      'settings',
      'churchPictureFocus=40,25',
      `churchPicture=${picture}`,
      '--json',
    ])
    expect(code).toBe(0)
    expect(JSON.parse(stdout).churchPicture).toEqual((await church()).picture)
    expect((await church()).pictureFocus).toBe('40,25')
    expect((await church()).picture?.sizes.map(({ width }) => width)).toEqual([800, 1000])
    expect((await settings()).stdout).toContain('churchPicture\t1000 × 600 pixels\t')
    expect((await settings('churchPictureFocus=')).stdout).toContain('churchPictureFocus\tnone\t')
    expect((await settings('churchPicture=')).stdout).toContain('churchPicture\tnone\t')
    expect((await church()).picture).toBeNull()
  })

  it.each<[string, number, RegExp]>([
    ['churchAccent=teal', 2, /^A color is written as # with six digits from 0 to f, e\.g\. #6a3460\.\n/],
    ['churchPicture=missing.jpg', 3, /^There is no such file: /],
    ['churchPicture=/dev/zero', 1, / is a pipe, a device or a folder, and not a file\. /],
    [`churchPicture=${join(folder, 'church.svg')}`, 1, /Save it as JPEG/],
  ])('refuses %j', async (word, code, sentence) => {
    const before = await church()
    expect(await settings(word)).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(sentence) })
    expect(await church()).toEqual(before)
  })
})
