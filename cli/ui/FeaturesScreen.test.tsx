import { setTimeout as delay } from 'node:timers/promises'
import { cleanup, render } from 'ink-testing-library'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { UserError } from '#db/errors.ts'
import type { Features } from '#db/feature/schema.ts'
import { FeaturesScreen } from './FeaturesScreen.tsx'

// The terminal the test itself runs in must not matter: neither its size nor its colors.
vi.hoisted(() => Object.assign(process.env, { COLUMNS: '100', LINES: '24', FORCE_COLOR: '0' }))
afterEach(cleanup)

const often = { interval: 10 }
const allOn = { calendarIntegration: true, familyRsvp: true, volunteerSignup: true }

/** The screen in front of features that are stored, or of something that fails. */
async function open(change?: () => Promise<never>) {
  let stored: Features = allOn
  const store = async (features: Partial<Features>) => {
    stored = { ...stored, ...features }
    return stored
  }
  const { lastFrame, stdin } = render(<FeaturesScreen features={allOn} change={change ?? store} onQuit={() => {}} />)
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
  return { frame, press, stored: () => stored }
}

describe('FeaturesScreen', () => {
  it('takes nothing that is pasted, and no letter that is held', async () => {
    const { frame, press, stored } = await open()
    await press(['\u001b[200~ y \u001b[201~', '\u000a', '\u001by'], /› \[on\] {2}Calendar Integration/)
    expect(frame()).not.toContain('[off]')
    expect(stored()).toBe(allOn)
  })

  it.each([
    [new UserError('full', 'The disk is full. Make room.'), 'The disk is full. Make room.'],
    [new TypeError('ana@cole.example is not a function'), 'This is a bug in rsvp'],
  ])('says why it could not switch, and not the message of a bug: %o', async (error, text) => {
    const { frame, press } = await open(() => Promise.reject(error))
    await press([' '], text)
    expect(frame()).toMatch(/› \[on\] {2}Calendar Integration/)
    expect(frame()).not.toContain('ana@cole.example')
  })
})
