import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { leastRsvp } from '#db/rsvp/rsvp-fixtures.ts'
import { stubBrowser } from '#site/stores/browser-fixtures.ts'
import { $toasts } from '#site/stores/toasts.ts'
import { carriedToast, deleteSelection, reloadWithToast, restoreRsvps, showCarriedToast } from './stored-rsvps.ts'

let calls: string[]
let statusOf: (id: number) => number

beforeEach(() => {
  stubBrowser()
  $toasts.set([])
  calls = []
  statusOf = () => 204
  vi.stubGlobal('fetch', async (path: string, { method }: RequestInit) => {
    calls.push(`${method} ${path}`)
    const status = statusOf(Number(path.split('/')[3]))
    return new Response(status === 204 ? null : 'no', { status })
  })
})
afterEach(() => vi.unstubAllGlobals())

const carried = () => JSON.parse(sessionStorage.getItem('notice-after-reload') ?? 'null')

describe('restoring deleted responses', () => {
  const again = { variant: 'destructive', deleted: [1], label: 'Try Again' }
  it.each([
    [204, 'RSVPs Restored', '3 responses are back in the list.', {}],
    [500, 'Error', 'Failed to restore RSVPs. 2 back in the list, 1 not.', again],
    // What can no longer be restored is not tried again.
    [404, 'RSVPs Restored', '2 responses are back in the list, 1 was restored or erased already.', {}],
  ])(
    'counts honestly on the page that comes anew, where the first ends with %s',
    async (status, title, description, others) => {
      statusOf = (id) => (id === 1 ? status : 204)
      await restoreRsvps([1, 2, 3])
      expect(calls).toEqual([1, 2, 3].map((id) => `POST /api/rsvps/${id}/restore`))
      expect(carried()).toEqual({ title, description, ...others })
      expect($toasts.get()).toEqual([])
    },
  )

  it.each([
    { status: 500, description: 'Failed to restore RSVPs', action: { label: 'Try Again' }, later: null },
    {
      status: 401,
      description: 'Failed to restore RSVPs. You are no longer signed in.',
      action: { label: 'Sign in' },
      later: { title: 'Not Restored Yet', variant: 'destructive', deleted: [1, 2] },
    },
  ])('says so where each ends with $status, and leaves the page as it is', async ({ status, later, ...notice }) => {
    statusOf = () => status
    await restoreRsvps([1, 2])
    if (later === null) expect(carried()).toBeNull()
    else expect(carried()).toMatchObject(later)
    expect($toasts.get()).toMatchObject([{ title: 'Error', variant: 'destructive', ...notice }])
    if (later !== null) return
    statusOf = () => 204
    $toasts.get()[0]?.action?.onPress()
    await vi.waitFor(() => expect(carried()).toMatchObject({ title: 'RSVPs Restored' }))
  })
})

describe('deleting all that match', () => {
  it.each([
    [412, { title: 'Nothing Deleted', action: { label: 'Reload' } }],
    [500, { title: 'Error', description: 'Failed to delete RSVPs. 0 responses were deleted, 3 not.' }],
  ])('says what is left, or to look again, where the reply is %s', async (status, notice) => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    statusOf = () => status
    await deleteSelection({ newest: 3, count: 3, fingerprint: 1, except: [] })
    expect(calls).toEqual(['POST /api/rsvps/delete'])
    expect($toasts.get()).toMatchObject([notice])
    expect(carried()).toBeNull()
  })
})

const ids = Array.from({ length: 100_000 }, (_, position) => position + 1)

describe('a notice that is carried over a reload', () => {
  it('can take back however many were deleted', () => {
    reloadWithToast({ title: 'RSVPs Deleted', description: '100000 responses were deleted.', deleted: ids })
    expect(carriedToast.restore()?.deleted).toEqual(ids)
    showCarriedToast()
    expect($toasts.get()).toMatchObject([{ title: 'RSVPs Deleted', action: { label: 'Undo' } }])
    expect(carriedToast.restore(), 'it is shown once').toBeUndefined()
  })

  it.each([204, 404, 412, 422])('brings back what was merged where the reply for the newest is %s', async (status) => {
    statusOf = (id) => (id === 9 ? status : 204)
    const newest = { ...leastRsvp, id: 9 }
    reloadWithToast({ title: 'Merged', deleted: [7, 8], kept: { newest, changedAt: newest.createdAt } })
    showCarriedToast()
    $toasts.get()[0]?.action?.onPress()
    const expected = ['PATCH /api/rsvps/9', 'POST /api/rsvps/7/restore', 'POST /api/rsvps/8/restore']
    await vi.waitFor(() => expect(calls).toEqual(expected))
  })
})
