import { beforeEach, describe, expect, it } from 'vitest'
import { changeFeatures, getFeatures } from '#db/feature/operations.ts'
import { testCall } from '#db/fixtures.ts'
import { rsvp, rsvpInTerminal, testDatabase } from '../fixtures.ts'

const { url } = testDatabase()
const allOn = { calendarIntegration: true, familyRsvp: true, volunteerSignup: true }

const stored = () => getFeatures(testCall())

beforeEach(async () => {
  await changeFeatures(allOn, testCall())
})

describe('rsvp features', () => {
  it('shows the three, each with what it does', async () => {
    await changeFeatures({ volunteerSignup: false }, testCall())
    expect(await rsvp(url, ['features'])).toEqual({
      code: 0,
      signal: null,
      stdout: [
        'calendarIntegration\ton\tCalendar Integration: Allow attendees to add the event to their calendar\n',
        'familyRsvp\ton\tFamily RSVP: Enable RSVP for multiple family members\n',
        'volunteerSignup\toff\tVolunteer Signup: Allow attendees to sign up for volunteer roles\n',
      ].join(''),
      stderr: '',
    })
    expect(await stored()).toEqual({ ...allOn, volunteerSignup: false })
  })

  it('prints them as JSON', async () => {
    const { code, stdout, stderr } = await rsvp(url, ['features', '--json'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(stdout)).toEqual(allOn)
  })

  it('switches one, says so beside the result, and leaves the others', async () => {
    const { code, stdout, stderr } = await rsvp(url, ['features', 'familyRsvp', 'off'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'Feature settings have been saved successfully.\n' })
    expect(stdout.split('\n').map((line) => line.split('\t').slice(0, 2))).toEqual([
      ['calendarIntegration', 'on'],
      ['familyRsvp', 'off'],
      ['volunteerSignup', 'on'],
      [''],
    ])
    expect(await stored()).toEqual({ ...allOn, familyRsvp: false })
  })

  it.each(['family-rsvp', 'Family RSVP', 'family_rsvp', 'FamilyRsvp'])('understands %s', async (name) => {
    expect(await rsvp(url, ['features', name, 'off'])).toMatchObject({ code: 0 })
    expect(await stored()).toEqual({ ...allOn, familyRsvp: false })
  })

  it('switches several at once', async () => {
    await changeFeatures({ volunteerSignup: false }, testCall())
    const words = ['features', '--json', 'familyRsvp', 'off', 'volunteerSignup', 'on', 'calendarIntegration', 'off']
    const { code, stdout } = await rsvp(url, words)
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual({ calendarIntegration: false, familyRsvp: false, volunteerSignup: true })
    expect(await stored()).toEqual(JSON.parse(stdout))
  })

  it('says nothing beside the result with --quiet', async () => {
    const { code, stderr } = await rsvp(url, ['features', 'familyRsvp', 'off', '--quiet'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(await stored()).toEqual({ ...allOn, familyRsvp: false })
  })

  it.each([[['FAMILYRSVP', 'off', 'Volunteersignup', 'off']], [['familyRsvp', 'OFF', 'volunteerSignup', 'Off']]])(
    'takes capitals as they come: %j',
    async (words) => {
      expect(await rsvp(url, ['features', ...words])).toMatchObject({ code: 0 })
      expect(await stored()).toEqual({ calendarIntegration: true, familyRsvp: false, volunteerSignup: false })
    },
  )

  it.concurrent.each([
    [['nonsense', 'off'], 'There is no feature "nonsense": name one of calendarIntegration, '],
    [['', 'off'], 'There is no feature "": '],
    [['constructor', 'off'], 'There is no feature "constructor": '],
    [['volunteerSignup', 'off', 'nonsense', 'off'], 'There is no feature "nonsense": '],
    [['familyRsvp'], 'Say on or off after each feature, e.g. `rsvp features familyRsvp off`.\n'],
    [['familyRsvp', 'maybe'], 'Say on or off after each feature'],
    [['familyRsvp', 'volunteerSignup', 'off'], 'Say on or off after each feature'],
    [['volunteerSignup', 'off', 'familyRsvp'], 'Say on or off after each feature'],
  ])('refuses %j with a sentence and the usage, and changes nothing', async (words, sentence) => {
    const { code, stdout, stderr } = await rsvp(url, ['features', ...words])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^[^\n]+\.\nsee rsvp features --help\n$/)
    expect(stderr.startsWith(sentence), stderr).toBe(true)
    expect(await stored()).toEqual(allOn)
  })
})

describe('rsvp features in a terminal', () => {
  const down = '\u001b[B'
  const up = '\u001b[A'

  /** The screen once it hears keys. */
  async function open() {
    const terminal = rsvpInTerminal(url, ['features'])
    await terminal.shows('space switch')
    return terminal
  }

  it('shows switches that arrows and space reach, and stores each change at once', async () => {
    const terminal = await open()
    const first = terminal.screen()
    expect(first).toMatch(/› \[on\] +Calendar Integration +Allow attendees to add/)
    expect(first).toMatch(/ {2}\[on\] +Family RSVP +Enable RSVP for multiple/)
    expect(first).toMatch(/ {2}\[on\] +Volunteer Signup +Allow attendees to sign up/)

    terminal.press(down)
    await terminal.shows(/› \[on\] +Family RSVP/)
    terminal.press(' ')
    await terminal.shows(/› \[off\] +Family RSVP/)
    expect(await stored()).toEqual({ ...allOn, familyRsvp: false })
    expect(terminal.screen()).toContain('Feature settings have been saved successfully.')

    terminal.press(up)
    await terminal.shows(/› \[on\] +Calendar Integration/)
    terminal.press('\r')
    await terminal.shows(/› \[off\] +Calendar Integration/)
    terminal.press(' ')
    await terminal.shows(/› \[on\] +Calendar Integration/)
    expect(await stored()).toEqual({ ...allOn, familyRsvp: false })

    terminal.press('q')
    expect(await terminal.ended).toBe(0)
  })

  it('stays on the first and on the last switch, and knows the keys of vi', async () => {
    const terminal = await open()
    terminal.press(up)
    terminal.press(' ')
    await terminal.shows(/› \[off\] +Calendar/)
    terminal.press('j')
    await terminal.shows(/› \[on\] +Family/)
    terminal.press('j')
    await terminal.shows(/› \[on\] +Volunteer/)
    terminal.press(down)
    terminal.press(' ')
    await terminal.shows(/› \[off\] +Volunteer/)
    terminal.press('k')
    await terminal.shows(/› \[on\] +Family/)
    terminal.press('\u001b')
    expect(await terminal.ended).toBe(0)
    expect(await stored()).toEqual({ calendarIntegration: false, familyRsvp: true, volunteerSignup: false })
  })

  it('takes arrows that arrive together, as on a slow line', async () => {
    const terminal = await open()
    terminal.press(down + down)
    await terminal.shows(/› \[on\] +Volunteer/)
    terminal.press('q')
    await terminal.ended
  })

  it('takes letters that arrive together, and stores before it leaves', async () => {
    const terminal = await open()
    terminal.press(' j j q')
    expect(await terminal.ended).toBe(0)
    expect(await stored()).toEqual({ calendarIntegration: false, familyRsvp: false, volunteerSignup: false })
  })

  it('ends with 130 after Ctrl+C', async () => {
    const terminal = await open()
    terminal.press('\u0003')
    expect(await terminal.ended).toBe(130)
  })

  it('shows no switches when it is told what to do, nor for JSON', async () => {
    const terminal = rsvpInTerminal(url, ['features', 'volunteerSignup', 'off'])
    expect(await terminal.ended).toBe(0)
    expect(terminal.screen()).not.toContain('space switch')
    expect(await stored()).toEqual({ ...allOn, volunteerSignup: false })
    const printed = rsvpInTerminal(url, ['features', '--json'])
    expect(await printed.ended).toBe(0)
    expect(JSON.parse(printed.screen())).toEqual(await stored())
  })
})
