import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { leastRsvp } from '#db/values/rsvp-fixtures.ts'
import { stubBrowser } from '#site/stores/browser-fixtures.ts'
import { $toasts } from '#site/stores/toasts.ts'
import { deleteRsvps, deleteSelection, reloadAfterMerge, restoreRsvps, showKeptNotice } from './stored-rsvps.ts'

let calls: string[]
/** What the server replies to a call, e.g. `DELETE /api/rsvps/1`. */
let replyTo: (call: string) => Response

beforeEach(() => {
  stubBrowser()
  $toasts.set([])
  calls = []
  replyTo = () => new Response(null, { status: 204 })
  vi.stubGlobal('fetch', async (path: string, { method, body }: RequestInit) => {
    const call = `${method} ${path}`
    calls.push(body ? `${call} ${body}` : call)
    return replyTo(call)
  })
})
afterEach(() => vi.unstubAllGlobals())

const kept = () => JSON.parse(sessionStorage.getItem('after-reload') ?? '{}')
const failed = (status: number) => new Response('no', { status })

describe('deleting the ticked responses', () => {
  it('says how many were deleted where the first cannot be, and offers to restore those', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    replyTo = (call) => (call.endsWith('/1') ? failed(500) : new Response(null, { status: 204 }))
    await deleteRsvps([1, 2, 3])
    expect(calls).toEqual([1, 2, 3].map((id) => `DELETE /api/rsvps/${id}`))
    const description = 'Failed to delete RSVPs. 2 responses were deleted, 1 not.'
    expect(kept()).toMatchObject({ notice: { title: 'Error', description }, undo: { ids: [2, 3] } })
  })

  it('leaves the page as it is where none of those that match was deleted', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    replyTo = () => failed(500)
    await deleteSelection({ newest: 3, except: [] })
    const description = 'Failed to delete RSVPs. Reload the page to see what is left.'
    expect($toasts.get()).toMatchObject([{ title: 'Error', description }])
    expect(kept()).toEqual({})
  })
})

describe('restoring deleted responses', () => {
  it('counts those that the server has restored', async () => {
    replyTo = () => Response.json({ ids: [2, 3] })
    await restoreRsvps([1, 2, 3])
    expect(calls).toEqual(['POST /api/rsvps/restore {"ids":[1,2,3]}'])
    expect(kept().notice).toEqual({ title: 'RSVPs Restored', description: '2 responses are back in the list.' })
  })

  it.each([
    [500, 'Failed to restore RSVPs'],
    [401, 'Failed to restore RSVPs. You are no longer signed in.'],
  ])('says so where it ends with %s, and leaves the page as it is', async (status, description) => {
    replyTo = () => failed(status)
    await restoreRsvps([1, 2])
    expect($toasts.get()).toMatchObject([{ title: 'Error', variant: 'destructive', description }])
    expect(kept()).toEqual({})
  })
})

describe('the notice after a reload', () => {
  it.each([204, 404, 412, 422])('brings back what was merged where the reply for the newest is %s', async (status) => {
    replyTo = (call) => {
      if (!call.startsWith('PATCH')) return Response.json({ ids: [7, 8] })
      return status === 204 ? new Response(null, { status }) : failed(status)
    }
    const newest = { ...leastRsvp, id: 9 }
    reloadAfterMerge({ title: 'Merged' }, [7, 8], { newest, changedAt: newest.createdAt })
    showKeptNotice()
    expect($toasts.get()).toMatchObject([{ title: 'Merged', action: { label: 'Undo' } }])
    expect(kept(), 'it is shown once').toEqual({})
    $toasts.get()[0]?.action?.onPress()
    await vi.waitFor(() => expect(calls[1]).toBe('POST /api/rsvps/restore {"ids":[7,8]}'))
    expect(calls[0]).toMatch(/^PATCH \/api\/rsvps\/9 /)
  })
})
