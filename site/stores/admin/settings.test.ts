import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { PublicNames } from '#db/settings/schema.ts'
import { $toasts } from '#site/stores/toasts.ts'
import { changeFeature, changePublicNames, features, settings } from './settings.ts'

describe('the choice of public names', () => {
  /** A network on which each reply comes when the test says so. */
  let pending: { reply: () => void; fail: (status: number) => void }[]

  beforeEach(() => {
    settings.$changed.set(undefined)
    $toasts.set([])
    pending = []
    vi.stubGlobal('fetch', (_path: string, { body }: RequestInit) => {
      const { promise, resolve } = Promise.withResolvers<Response>()
      const asked: PublicNames = JSON.parse(String(body)).publicNames
      pending.push({
        reply: () => resolve(Response.json({ publicNames: asked, retentionDays: 90 })),
        fail: (status) => resolve(new Response('no', { status })),
      })
      return promise
    })
  })
  afterEach(() => vi.unstubAllGlobals())

  const atFirst = { publicNames: 'initial', retentionDays: 90 } as const
  const shown = () => settings.$changed.get()?.publicNames
  const sent = (count: number) => vi.waitFor(() => expect(pending).toHaveLength(count))

  it('shows at once, and tells when it is stored', async () => {
    const changing = changePublicNames(atFirst, 'counts')
    expect(settings.$changed.get()).toEqual({ publicNames: 'counts', retentionDays: 90 })
    expect($toasts.get()).toEqual([])
    await sent(1)
    pending[0]?.reply()
    await changing
    expect(shown()).toBe('counts')
    expect($toasts.get()).toMatchObject([{ title: 'Settings Updated', variant: 'default' }])
  })

  it.each([
    { status: 500, description: 'Failed to update settings' },
    {
      status: 401,
      description: 'Failed to update settings. You are no longer signed in.',
      action: { label: 'Sign in' },
    },
  ])('goes back after a $status, and says so', async ({ status, ...notice }) => {
    const changing = changePublicNames(atFirst, 'none')
    await sent(1)
    pending[0]?.fail(status)
    await changing
    expect(settings.$changed.get()).toEqual(atFirst)
    expect($toasts.get()).toMatchObject([{ title: 'Error', variant: 'destructive', ...notice }])
  })

  it('shows what was chosen last, also when the one before is stored first', async () => {
    const changes = [changePublicNames(atFirst, 'counts')]
    await sent(1)
    changes.push(changePublicNames(settings.$changed.get() ?? atFirst, 'none'))
    pending[0]?.reply()
    await vi.waitFor(() => expect($toasts.get()).toHaveLength(1))
    expect(shown()).toBe('none')
    await sent(2)
    pending[1]?.reply()
    await Promise.all(changes)
    expect(shown()).toBe('none')
  })

  it('goes back to what is stored where two choices fail, one after the other', async () => {
    const changes = [changePublicNames(atFirst, 'counts')]
    changes.push(changePublicNames(settings.$changed.get() ?? atFirst, 'none'))
    for (const count of [1, 2]) {
      await sent(count)
      pending[count - 1]?.fail(500)
    }
    await Promise.all(changes)
    expect(settings.$changed.get()).toEqual(atFirst)
  })

  it('goes back to what the server stored last, not to what was shown first', async () => {
    const changes = [changePublicNames(atFirst, 'counts')]
    changes.push(changePublicNames(settings.$changed.get() ?? atFirst, 'none'))
    await sent(1)
    pending[0]?.reply()
    await sent(2)
    pending[1]?.fail(500)
    await Promise.all(changes)
    expect(shown()).toBe('counts')
  })

  it('ends with what was chosen last, whichever reply comes first', async () => {
    const changes = [changePublicNames(atFirst, 'counts'), changePublicNames(atFirst, 'none')]
    let over = false
    Promise.all(changes).then(() => {
      over = true
    })
    await vi.waitFor(() => {
      pending.pop()?.reply()
      expect(over).toBe(true)
    })
    expect(shown()).toBe('none')
  })
})

describe('the feature switches', () => {
  const allOn = { calendarIntegration: true, familyRsvp: true, volunteerSignup: true }

  /** What the server has, and whether it takes a change. */
  let stored = allOn
  let fails = false

  beforeEach(() => {
    features.$changed.set(undefined)
    $toasts.set([])
    stored = allOn
    vi.stubGlobal('fetch', async (_path: string, { body }: RequestInit) => {
      if (fails) return new Response('no', { status: 500 })
      stored = { ...stored, ...JSON.parse(String(body)) }
      return Response.json(stored)
    })
  })
  afterEach(() => vi.unstubAllGlobals())

  const press = (name: keyof typeof allOn) => {
    const shown = features.$changed.get() ?? allOn
    return changeFeature(shown, name, !shown[name])
  }

  it.each([false, true])('show what is stored in the end, where every change fails: %s', async (failing) => {
    fails = failing
    const presses = [press('familyRsvp'), press('familyRsvp'), press('familyRsvp'), press('volunteerSignup')]
    expect(features.$changed.get()).toEqual({ ...allOn, familyRsvp: false, volunteerSignup: false })
    await Promise.all(presses)
    expect(features.$changed.get()).toEqual(stored)
    expect(stored.familyRsvp).toBe(failing)
  })
})
