import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { $toasts } from '#site/stores/toasts.ts'
import { changeFeature, features } from './settings.ts'

const allOn = { calendarIntegration: true, familyRsvp: true, volunteerSignup: true }

/** What the server has, and whether it takes a change. */
let stored: object
let fails: boolean

beforeEach(() => {
  features.$changed.set(undefined)
  $toasts.set([])
  fails = false
  vi.stubGlobal('fetch', async (_path: string, { body }: RequestInit) => {
    if (fails) return new Response('no', { status: 500 })
    stored = { ...stored, ...JSON.parse(String(body)) }
    return Response.json(stored)
  })
})
afterEach(() => vi.unstubAllGlobals())

describe('the feature switches', () => {
  const press = (name: keyof typeof allOn) => {
    const shown = features.$changed.get() ?? allOn
    return changeFeature(shown, name, !shown[name])
  }

  it.each([false, true])('show what is stored in the end, where every change fails: %s', async (failing) => {
    stored = allOn
    fails = failing
    const presses = [press('familyRsvp'), press('familyRsvp'), press('familyRsvp'), press('volunteerSignup')]
    expect(features.$changed.get()).toEqual({ ...allOn, familyRsvp: false, volunteerSignup: false })
    await Promise.all(presses)
    expect(features.$changed.get()).toEqual(stored)
    expect(stored).toMatchObject({ familyRsvp: failing })
  })
})
