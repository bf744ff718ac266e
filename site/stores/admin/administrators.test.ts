import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { $toasts } from '#site/stores/toasts.ts'
import { inviteAdministrator } from './administrators.ts'

const sent = { name: 'Samuel Okafor', email: 'samuel.okafor@example.org', role: 'reader' as const, seesContacts: true }

const refuse = vi.fn<(reason: string, field: string) => void>()
let replies: Record<string, () => Response>

beforeEach(() => {
  $toasts.set([])
  refuse.mockReset()
  vi.stubGlobal('fetch', async (path: string, { method }: RequestInit) => replies[`${method} ${path}`]?.())
})
afterEach(() => vi.unstubAllGlobals())

describe('the administrators', () => {
  it('say in the form of a dialog, which covers notices, what is wrong with a field or failed', async () => {
    const why = 'Another administrator has this email. Give another one, or change theirs first.'
    for (const reply of [
      problem(409, why, [{ path: 'email', message: why }]),
      problem(500, 'The site failed.'),
      problem(401, 'Only an administrator may do this.'),
    ]) {
      replies = { 'POST /api/administrators': () => reply }
      expect(await inviteAdministrator(sent, refuse)).toBeUndefined()
    }
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
    expect(await inviteAdministrator(sent, refuse)).toBe(link)
    expect(refuse).not.toHaveBeenCalled()
  })
})

function problem(status: number, detail: string, errors?: object[]): Response {
  return Response.json({ status, detail, errors }, { status })
}
