import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Administrator } from '#db/access/schema.ts'
import { $toasts } from '#site/stores/toasts.ts'
import { administrators, inviteAdministrator, removeAdministrator, saveAdministrator } from './administrators.ts'

const ruth = person(1, 'Ruth Cole', 'owner')
const sam = person(2, 'Samuel Okafor', 'clerk')
const people = [ruth, sam]
const sent = { name: 'Samuel Okafor', email: 'samuel.okafor@example.org', role: 'reader' as const, seesContacts: true }

const refuse = vi.fn<(reason: string, field: string) => void>()
let replies: Record<string, () => Response>

beforeEach(() => {
  administrators.$changed.set(undefined)
  $toasts.set([])
  refuse.mockReset()
  vi.stubGlobal('fetch', async (path: string, { method }: RequestInit) => replies[`${method} ${path}`]?.())
})
afterEach(() => vi.unstubAllGlobals())

describe('the administrators', () => {
  it('show what a change or a removal of one has changed for others', async () => {
    const over = { ...ruth, invitedUntil: '2026-11-26T00:00:00.000Z' }
    replies = {
      'PATCH /api/administrators/2': () => Response.json({ ...sam, ...sent }),
      'DELETE /api/administrators/2': () => new Response(null, { status: 204 }),
      'GET /api/administrators': () => Response.json([over]),
    }
    for (const act of [() => saveAdministrator(people, sam, sent, refuse), () => removeAdministrator(people, sam)]) {
      administrators.$changed.set(people)
      expect(await act()).toBe(true)
      expect(administrators.$changed.get()).toEqual([over])
    }
  })

  it('say in the form of a dialog, which covers notices, what is wrong with a field or failed', async () => {
    const why = 'Another administrator has this email. Give another one, or change theirs first.'
    replies = { 'POST /api/administrators': () => problem(409, why, [{ path: 'email', message: why }]) }
    expect(await inviteAdministrator(people, sent, refuse)).toBeUndefined()
    replies = { 'POST /api/administrators': () => problem(500, 'The site failed.') }
    expect(await inviteAdministrator(people, sent, refuse)).toBeUndefined()
    replies = { 'POST /api/administrators': () => problem(401, 'Only an administrator may do this.') }
    expect(await inviteAdministrator(people, sent, refuse)).toBeUndefined()
    expect(refuse.mock.calls).toEqual([
      [why, 'email'],
      ['The site failed.', 'form'],
      ['You are no longer signed in. Sign in in another tab.', 'form'],
    ])
    expect($toasts.get()).toEqual([])
  })

  it('keep an invitation link even if the list cannot be read again', async () => {
    const link = 'https://rsvp.example.org/invitation?key=x'
    replies = {
      'POST /api/administrators': () => Response.json({ id: 3, link }, { status: 201 }),
      'GET /api/administrators': () => problem(503, 'The database is not responding.'),
    }
    expect(await inviteAdministrator(people, sent, refuse)).toBe(link)
    expect(refuse).not.toHaveBeenCalled()
    expect(administrators.$changed.get()).toEqual(people)
  })
})

function person(id: number, name: string, role: Administrator['role']): Administrator {
  const email = `${name.toLowerCase().replace(' ', '.')}@example.org`
  return { id, name, email, role, seesContacts: false, prayers: 'none', seenAt: null, invitedUntil: null }
}

function problem(status: number, detail: string, errors?: object[]): Response {
  return Response.json({ status, detail, errors }, { status })
}
