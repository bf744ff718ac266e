import { setTimeout as delay } from 'node:timers/promises'
import { cleanup, render } from 'ink-testing-library'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { UserError } from '#db/errors.ts'
import { changeFeatures, getFeatures } from '#db/feature/operations.ts'
import type { Features } from '#db/feature/schema.ts'
import { fileDatabase, testCall } from '#db/fixtures.ts'
import { openDatabase } from '#db/open.ts'
import { closeDatabase } from '#db/storage/client.ts'
import { FeaturesScreen } from './FeaturesScreen.tsx'

const UP = '\u001b[A'
const DOWN = '\u001b[B'
const ESCAPE = '\u001b'
const ENTER = '\r'

// The terminal the test itself runs in must not matter: neither its size nor its colors.
vi.hoisted(() => Object.assign(process.env, { COLUMNS: '100', LINES: '24', FORCE_COLOR: '0' }))

const often = { interval: 10 }

const call = testCall()
const allOn = { calendarIntegration: true, familyRsvp: true, volunteerSignup: true }
const saved = 'Feature settings have been saved successfully.'

/** The screen in front of the database, or of something that fails. */
async function open(change = (features: Partial<Features>) => changeFeatures(features, call)) {
  const left = vi.fn()
  const { lastFrame, stdin } = render(<FeaturesScreen features={allOn} change={change} onQuit={left} />)
  const frame = () => lastFrame() ?? ''
  await vi.waitFor(() => expect(frame()).toContain('q quit'), often)
  /** Presses keys one by one, as a person does, and waits for what comes of the last one. */
  async function press(keys: string[], text: string | RegExp) {
    for (const key of keys) {
      await delay(10)
      stdin.write(key)
    }
    await delay(10)
    await vi.waitFor(() => expect(frame()).toMatch(text), often)
  }
  return { frame, left, press }
}

describe('FeaturesScreen', () => {
  const database = fileDatabase()
  beforeAll(() => openDatabase(database.url))
  afterAll(async () => {
    await closeDatabase()
    database.stop()
  })
  beforeEach(() => changeFeatures(allOn, call))
  afterEach(cleanup)

  it('shows each feature with what it does, and the cursor at the first', async () => {
    expect((await open()).frame().split('\n').slice(0, 4)).toEqual([
      'Features Settings',
      '› [on]  Calendar Integration  Allow attendees to add the event to their calendar',
      '  [on]  Family RSVP           Enable RSVP for multiple family members',
      '  [on]  Volunteer Signup      Allow attendees to sign up for volunteer roles',
    ])
  })

  it('says with ? what each key does, and takes that away again', async () => {
    const { frame, press } = await open()
    await press(['?'], /^Space, Enter {5}switch it on or off, which is stored at once$/m)
    await press([DOWN, ' '], /\[off\] Family RSVP/)
    await press(['?'], /^(?![\s\S]*Space, Enter)/)
    expect(frame()).toContain('? keys  q quit')
  })

  it.each([' ', ENTER])('switches the one under the cursor with %j, at once and for good', async (key) => {
    const { frame, press } = await open()
    await press([DOWN, key], saved)
    expect(frame()).toMatch(/› \[off\] Family RSVP/)
    expect(await getFeatures(call)).toEqual({ ...allOn, familyRsvp: false })
    await press([key], /› \[on\] {2}Family RSVP/)
    expect(await getFeatures(call)).toEqual(allOn)
  })

  it('takes nothing that is pasted, and no letter that is held', async () => {
    const { frame, press } = await open()
    await press(['\u001b[200~ j \u001b[201~', '\u000a', '\u001bj'], /› \[on\] {2}Calendar Integration/)
    expect(frame()).not.toContain('[off]')
    expect(await getFeatures(call)).toEqual(allOn)
  })

  it('moves with arrows and letters, and not beyond the ends', async () => {
    const { press } = await open()
    await press([DOWN, DOWN, DOWN], /› \[on\] {2}Volunteer Signup/)
    await press([UP, UP, UP], /› \[on\] {2}Calendar Integration/)
    await press(['j', 'j'], /› \[on\] {2}Volunteer Signup/)
    await press(['k'], /› \[on\] {2}Family RSVP/)
  })

  it('shows what another one has switched meanwhile', async () => {
    const { press } = await open()
    await changeFeatures({ volunteerSignup: false }, call)
    await press([' '], /\[off\] Volunteer Signup/)
  })

  it('says why it could not switch, and shows what is still so', async () => {
    const { frame, press } = await open(() => Promise.reject(new UserError('full', 'The disk is full. Make room.')))
    await press([' '], 'The disk is full. Make room.')
    expect(frame()).toMatch(/› \[on\] {2}Calendar Integration/)
  })

  it('does not repeat the message of a bug', async () => {
    const { frame, press } = await open(() => Promise.reject(new TypeError('ana@cole.example is not a function')))
    await press([' '], 'This is a bug in rsvp')
    expect(frame()).not.toContain('ana@cole.example')
  })

  it.each(['q', ESCAPE])('is left with %j', async (key) => {
    const { left, press } = await open()
    await press([key], 'Features Settings')
    await vi.waitFor(() => expect(left).toHaveBeenCalledOnce(), often)
  })
})
