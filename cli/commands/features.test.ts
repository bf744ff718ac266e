import { beforeEach, describe, expect, it } from 'vitest'
import { changeFeatures, getFeatures } from '#db/features.ts'
import { testCall } from '#testing/database-fixtures.ts'
import { rsvp, testDatabase } from '../fixtures.ts'
import { rsvpInTerminal } from '../terminal-fixtures.ts'

const { url } = testDatabase()
const allOn = { calendarIntegration: true, familyRsvp: true, volunteerSignup: true }
const features = (...words: string[]) => rsvp(url, ['features', ...words])
const stored = () => getFeatures()

beforeEach(async () => {
  await changeFeatures(allOn, testCall())
})

describe('rsvp features', () => {
  it('shows the three, each with what it does, and as JSON', async () => {
    await changeFeatures({ volunteerSignup: false }, testCall())
    expect(await features()).toMatchObject({
      code: 0,
      stdout: [
        'calendarIntegration\ton\tCalendar Integration: Allow attendees to add the event to their calendar\n',
        'familyRsvp\ton\tFamily RSVP: Enable RSVP for multiple family members\n',
        'volunteerSignup\toff\tVolunteer Signup: Allow attendees to sign up for volunteer roles\n',
      ].join(''),
      stderr: '',
    })
    expect(JSON.parse((await features('--json')).stdout)).toEqual({ ...allOn, volunteerSignup: false })
  })

  it('switches one feature, with a message unless --quiet is given, and leaves the others', async () => {
    const { code, stdout, stderr } = await features('familyRsvp', 'off')
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'Feature settings have been saved successfully.\n' })
    expect(stdout).toMatch(/^calendarIntegration\ton\t.+\nfamilyRsvp\toff\t.+\nvolunteerSignup\ton\t.+\n$/)
    expect(await stored()).toEqual({ ...allOn, familyRsvp: false })
    expect(await features('familyRsvp', 'on', '--quiet')).toMatchObject({ code: 0, stderr: '' })
    expect(await stored()).toEqual(allOn)
  })

  it.each([
    [
      'volunteerSignup off nonsense off',
      /^There is no feature "nonsense": name one of calendarIntegration, [^\n]+\.\nsee /,
    ],
    [
      'familyRsvp',
      /^Say on or off after each feature, e\.g\. `rsvp features familyRsvp off`\.\nsee rsvp features --help\n$/,
    ],
  ])('refuses %s, and changes nothing', async (line, sentence) => {
    const stderr = expect.stringMatching(sentence)
    expect(await features(...line.split(' '))).toEqual({ code: 2, stdout: '', stderr })
    expect(await stored()).toEqual(allOn)
  })
})

describe('rsvp features in a terminal', () => {
  it('shows switches, takes keys that arrive together, and stores before it leaves', async () => {
    const terminal = rsvpInTerminal(url, ['features'])
    await terminal.shows(/› \[on\] +Calendar Integration +Allow attendees to add/)
    await terminal.shows('space switch')
    terminal.press('\u001b[A \u001b[B\r\u001b[B\u001b[B q')
    expect(await terminal.ended).toBe(0)
    expect(await stored()).toEqual({ calendarIntegration: false, familyRsvp: false, volunteerSignup: false })
  })
})
