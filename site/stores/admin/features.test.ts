import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { $toasts } from '#site/stores/toasts.ts'
import { changeFeature, features } from './features.ts'

const atFirst = { calendarIntegration: true, familyRsvp: true, volunteerSignup: true }

/** What the server has, and whether it takes a change. */
let stored = atFirst
let fails = false

beforeEach(() => {
  features.$changed.set(undefined)
  $toasts.set([])
  stored = atFirst
  vi.stubGlobal('fetch', async (_path: string, { body }: RequestInit) => {
    if (fails) return new Response('no', { status: 500 })
    stored = { ...stored, ...JSON.parse(String(body)) }
    return Response.json(stored)
  })
})
afterEach(() => vi.unstubAllGlobals())

const press = (name: keyof typeof atFirst) => {
  const shown = features.$changed.get() ?? atFirst
  return changeFeature(shown, name, !shown[name])
}

describe('the feature switches', () => {
  it.each([false, true])('show what is stored in the end, where every change fails: %s', async (failing) => {
    fails = failing
    const presses = [press('familyRsvp'), press('familyRsvp'), press('familyRsvp'), press('volunteerSignup')]
    expect(features.$changed.get()).toEqual({ ...atFirst, familyRsvp: false, volunteerSignup: false })
    await Promise.all(presses)
    expect(features.$changed.get()).toEqual(stored)
    expect(stored.familyRsvp).toBe(failing)
  })
})
