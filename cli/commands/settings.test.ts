import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { listAudit } from '#db/audit/operations.ts'
import { testCall } from '#db/fixtures.ts'
import { changeSettings, getSettings } from '#db/settings/operations.ts'
import { publicNames } from '#db/settings/schema.ts'
import { inDatabase, rsvp, rsvpInTerminal, testDatabase } from '../fixtures.ts'

const { url } = testDatabase()
const settings = (...words: string[]) => rsvp(url, ['settings', ...words])
const stored = () => getSettings(testCall())
const atFirst = { publicNames: 'initial', retentionDays: null } as const
const others = {
  churchName: null,
  churchAccent: null,
  churchPicture: null,
  churchPictureAlt: null,
  eventLanguage: 'en',
}
const saved = 'The settings have been saved.\n'
const days = 24 * 60 * 60 * 1000

/** Responses that came in so many days ago. */
function storeResponsesOf(...ages: number[]): void {
  inDatabase(url, (database) => {
    const insert = database.prepare(
      'INSERT INTO rsvps (key, name, email, attending, add_to_calendar, created_at) VALUES (?, ?, ?, 1, 0, ?)',
    )
    for (const [at, age] of ages.entries()) {
      insert.run(`key ${at}`, 'Ana Cole', 'ana@cole.example', new Date(Date.now() - age * days).toISOString())
    }
  })
}

beforeEach(async () => {
  inDatabase(url, (database) => database.exec('DELETE FROM rsvps'))
  await changeSettings(atFirst, testCall())
})

describe('rsvp settings', () => {
  it('shows all of them, with what they mean', async () => {
    const stdout = [
      'publicNames\tinitial\tFirst name and last initial: Visitors see who is coming, e.g. Ana C.\n',
      'retentionDays\toff\tResponses are kept until they are deleted.\n',
      'churchName\tnone\tWhat the church is called.\n',
      'churchAccent\tnone\tThe color of buttons and links.\n',
      'churchPicture\tnone\tThe picture of the church.\n',
      'churchPictureAlt\tnone\tWhat the picture shows.\n',
      'eventLanguage\ten\tThe language in which the event is first written.\n',
    ].join('')
    expect(await settings()).toEqual({ code: 0, signal: null, stdout, stderr: '' })
    const terminal = rsvpInTerminal(url, ['settings'], { columns: 100 })
    expect(await terminal.ended).toBe(0)
    expect(terminal.screen()).toMatch(
      /^publicNames +initial +First name .+\nretentionDays +off +Responses are kept until .+$/m,
    )
  })

  it('prints them as JSON', async () => {
    const { code, stdout, stderr } = await settings('--json')
    expect([code, JSON.parse(stdout), stderr]).toEqual([0, { ...atFirst, ...others }, ''])
  })

  it.each(publicNames)('shows visitors %s', async (names) => {
    const { code, stdout, stderr } = await settings(`publicNames=${names}`)
    expect([code, stderr]).toEqual([0, saved])
    expect(stdout).toMatch(new RegExp(`^publicNames\\t${names}\\t[^\\n]+\\nretentionDays\\toff\\t`))
    expect(await stored()).toEqual({ publicNames: names, retentionDays: null })
  })

  it.each([
    ['90d', 90],
    ['90', 90],
    ['1', 1],
    ['3650d', 3650],
  ])('keeps responses for %s', async (word, retentionDays) => {
    const { code, stdout, stderr } = await settings(`retentionDays=${word}`)
    expect([code, stderr]).toEqual([0, saved])
    expect(stdout).toContain(`\nretentionDays\t${retentionDays}\tOlder responses are made anonymous`)
    expect(await stored()).toEqual({ ...atFirst, retentionDays })
  })

  it.each(['public-names=none', 'PublicNames=none', 'Public Names=none', 'public_names=none'])(
    'understands %s',
    async (word) => {
      expect(await settings(word)).toMatchObject({ code: 0, stderr: saved })
      expect(await stored()).toEqual({ ...atFirst, publicNames: 'none' })
    },
  )

  it('keeps them for good again with off', async () => {
    await changeSettings({ retentionDays: 90 }, testCall())
    storeResponsesOf(100)
    expect(await settings('retentionDays=off')).toMatchObject({ code: 0, stderr: saved })
    expect(await stored()).toEqual(atFirst)
  })

  it('changes several at once, in one line of the log', async () => {
    expect((await settings('retentionDays=30d', 'publicNames=NONE')).code).toBe(0)
    expect(await stored()).toEqual({ publicNames: 'none', retentionDays: 30 })
    const entry = { actor: 'terminal', action: 'settings changed', subject: 'publicNames=none retentionDays=30' }
    expect((await listAudit({ limit: 1 }, testCall()))[0]).toMatchObject(entry)
  })

  it('prints the new ones as JSON, and says nothing with --quiet', async () => {
    const json = await settings('publicNames=counts', '--json', '--quiet')
    expect([JSON.parse(json.stdout), json.stderr]).toEqual([{ ...atFirst, ...others, publicNames: 'counts' }, ''])
    expect(await settings('publicNames=full', '--quiet')).toMatchObject({ code: 0, stdout: '', stderr: '' })
    expect((await settings('--quiet')).stdout).toMatch(/^publicNames\tfull\t/)
  })

  it.concurrent.each([
    [
      ['name=full'],
      'There is no setting "name": name one of publicNames, retentionDays, churchName, churchAccent, churchPicture, churchPictureAlt, eventLanguage.',
    ],
    [['toString=1'], 'There is no setting "toString": name one of publicNames, '],
    [[''], '"" is not a change. Give a setting, = and its value, e.g. `rsvp settings publicNames=counts`.'],
    [['publicNames'], '"publicNames" is not a change. Give a setting, = and its value'],
    [['publicNames=all'], 'Say one of full, initial, counts, none, e.g. publicNames=counts.'],
    [['publicNames=full', 'retentionDays='], 'Say after how many days, e.g. `rsvp settings retentionDays=90`, or off.'],
    [['publicNames=full', '90d'], '"90d" is not a change.'],
    [['retentionDays=0'], 'Say after how many days'],
    [['retentionDays=1.5'], 'Say after how many days'],
    [['retentionDays=3m'], 'Say after how many days'],
    [['retentionDays=null'], 'Say after how many days'],
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
    expect(stderr).toMatch(/^No terminal to confirm on: add --yes to go on\.\nsee rsvp settings --help\n$/)
    expect(await stored()).toEqual(atFirst)
    expect(await settings('retentionDays=120d')).toMatchObject({ code: 0, stderr: saved })
    expect(await settings('retentionDays=90d', '--yes')).toMatchObject({ code: 0, stderr: saved })
    expect(await stored()).toEqual({ ...atFirst, retentionDays: 90 })
  })

  it.each([
    {
      ages: [100, 91, 80],
      question: /^2 responses are older than 90 days and will lose names/,
      how: 'Type 2',
      yes: '2\r',
    },
    { ages: [100, 80], question: /^1 response is older than 90 days and will lose names/, how: 'y/N', yes: 'y' },
  ])('asks before $ages lose their names', async ({ ages, question, how, yes }) => {
    storeResponsesOf(...ages)
    const terminal = rsvpInTerminal(url, ['settings', 'retentionDays=90d'], { columns: 120 })
    expect(await terminal.shows(how)).toMatch(question)
    expect(await stored()).toEqual(atFirst)
    terminal.press(yes)
    expect(await terminal.ended).toBe(0)
    expect(terminal.screen()).toContain('The settings have been saved.\npublicNames ')
    expect(await stored()).toEqual({ ...atFirst, retentionDays: 90 })
  })

  it.each([
    { input: 'n', keys: 'n', code: 1, says: 'Nothing was changed.' },
    { input: 'enter', keys: '\r', code: 1, says: 'Nothing was changed.' },
    { input: 'Ctrl+C', keys: '\u0003', code: 130, says: 'y/N' },
  ])('changes nothing after $input', async ({ keys, code, says }) => {
    storeResponsesOf(100)
    const terminal = rsvpInTerminal(url, ['settings', 'retentionDays=90d', 'publicNames=full'], { columns: 120 })
    await terminal.shows('y/N')
    terminal.press(keys)
    expect(await terminal.ended).toBe(code)
    expect(terminal.screen().endsWith(says)).toBe(true)
    expect(await stored()).toEqual(atFirst)
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

  it('asks nothing where none is older, with --yes, and for the names alone', async () => {
    storeResponsesOf(100)
    for (const words of [['retentionDays=101'], ['retentionDays=90d', '--yes'], ['publicNames=none']]) {
      const terminal = rsvpInTerminal(url, ['settings', ...words])
      expect([words, await terminal.ended]).toEqual([words, 0])
      expect(terminal.screen()).toMatch(/^The settings have been saved\.\n/)
    }
  })
})
