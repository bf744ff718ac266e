// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { leastRsvp } from '#db/rsvp/rsvp-fixtures.ts'
import { $toasts } from '#site/stores/toasts.ts'
import { carriedToast, reloadWithToast } from './carried-toast.ts'
import { showCarriedToast } from './undo.ts'

beforeEach(() => {
  document.body.innerHTML = '<main class="admin"></main>'
  sessionStorage.clear()
  $toasts.set([])
})
afterEach(() => vi.unstubAllGlobals())

const ids = Array.from({ length: 100_000 }, (_, position) => position + 1)

describe('a notice that is carried over a reload', () => {
  it('can take back however many were deleted', () => {
    reloadWithToast({ title: 'RSVPs Deleted', description: '100000 responses were deleted.', deleted: ids })
    expect(carriedToast.restore()?.deleted).toEqual(ids)
    showCarriedToast()
    expect($toasts.get()).toMatchObject([{ title: 'RSVPs Deleted', action: { label: 'Undo' } }])
  })

  it('is shown once', () => {
    reloadWithToast({ title: 'RSVPs Restored' })
    showCarriedToast()
    expect($toasts.get()).toMatchObject([{ title: 'RSVPs Restored' }])
    expect(carriedToast.restore()).toBeUndefined()
  })

  it.each([204, 404, 412, 422])('brings back what was merged where the reply for the newest is %s', async (status) => {
    const calls: string[] = []
    vi.stubGlobal('fetch', async (path: string, { method }: RequestInit) => {
      calls.push(`${method} ${path}`)
      return new Response(null, { status: method === 'PATCH' ? status : 204 })
    })
    const newest = { ...leastRsvp, id: 9 }
    reloadWithToast({ title: 'Merged', deleted: [7, 8], kept: { newest, changedAt: newest.createdAt } })
    showCarriedToast()
    $toasts.get()[0]?.action?.onPress()
    const expected = ['PATCH /api/rsvps/9', 'POST /api/rsvps/7/restore', 'POST /api/rsvps/8/restore']
    await vi.waitFor(() => expect(calls).toEqual(expected))
  })
})
