import { setTimeout as delay } from 'node:timers/promises'
import { cleanup, render } from 'ink-testing-library'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { UserError } from '#db/values/errors.ts'
import { FeaturesScreen } from './FeaturesScreen.tsx'

// Fixes the size and the colors, which Ink would otherwise take from the terminal of whoever runs the tests.
vi.hoisted(() => Object.assign(process.env, { COLUMNS: '100', LINES: '24', FORCE_COLOR: '0' }))
afterEach(cleanup)

const often = { interval: 10 }
const allOn = { calendarIntegration: true, familyRsvp: true, volunteerSignup: true }

describe('FeaturesScreen', () => {
  it.each([
    [new UserError('full', 'The disk is full. Make room.'), 'The disk is full. Make room.'],
    [new TypeError('ana@cole.example is not a function'), 'This is a bug in rsvp'],
  ])('shows why it could not switch a feature, but not the message of a bug: %o', async (error, text) => {
    const change = () => Promise.reject(error)
    const { lastFrame, stdin } = render(<FeaturesScreen features={allOn} change={change} onEnd={() => {}} />)
    await vi.waitFor(() => expect(lastFrame()).toContain('q quit'), often)
    await delay(10)
    stdin.write(' ')
    await vi.waitFor(() => expect(lastFrame()).toContain(text), often)
    expect(lastFrame()).toMatch(/› \[on\] {2}Calendar Integration/)
    expect(lastFrame()).not.toContain('ana@cole.example')
  })
})
