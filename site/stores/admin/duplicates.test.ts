// @vitest-environment jsdom
import { afterEach, expect, it, vi } from 'vitest'
import { leastRsvp } from '#db/rsvp/rsvp-fixtures.ts'
import { undoMerge } from './duplicates.ts'

afterEach(() => vi.unstubAllGlobals())

it.each([204, 404, 412, 422])('brings back what was merged where the reply for the newest is %s', async (status) => {
  const calls: string[] = []
  vi.stubGlobal('fetch', async (path: string, { method }: RequestInit) => {
    calls.push(`${method} ${path}`)
    return new Response(null, { status: method === 'PATCH' ? status : 204 })
  })
  const newest = { ...leastRsvp, id: 9 }
  await undoMerge([7, 8], { newest, changedAt: newest.createdAt })
  expect(calls).toEqual(['PATCH /api/rsvps/9', 'POST /api/rsvps/7/restore', 'POST /api/rsvps/8/restore'])
})
