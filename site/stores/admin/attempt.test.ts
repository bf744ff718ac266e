import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { request } from '#site/lib/request.ts'
import { $proofAsked, attempt, cancelProof, prove } from './attempt.ts'

const PASSWORD = 'three words in a row'

/** Whether the server has a recent proof, and the calls that it got, e.g. `DELETE /api/administrators/2`. */
let proven: boolean
let calls: string[]

const refuse = vi.fn()

beforeEach(() => {
  proven = false
  calls = []
  refuse.mockReset()
  vi.stubGlobal('fetch', async (path: string, { method, body }: RequestInit) => {
    calls.push(`${method} ${path}`)
    if (path !== '/api/session/proof')
      return proven ? new Response(null, { status: 204 }) : refusal('proof', 'Confirm.')
    proven = JSON.parse(String(body)).password === PASSWORD
    return proven ? new Response(null, { status: 204 }) : refusal('password', 'The password is wrong. Try again.')
  })
})
afterEach(() => vi.unstubAllGlobals())

const remove = (id: number) => attempt(() => request(`DELETE /api/administrators/${id}`), { failure: 'Failed', refuse })
const asked = () => vi.waitFor(() => expect($proofAsked.get()).toBeDefined())

describe('an attempt', () => {
  it('asks for the password where a call needs it, until it is right, and repeats the call once', async () => {
    const removed = remove(2)
    await asked()
    await prove('a wrong password', refuse)
    expect(refuse.mock.calls).toEqual([['The password is wrong. Try again.', 'password']])
    expect($proofAsked.get()).toBeDefined()
    await prove(PASSWORD, refuse)
    expect((await removed)?.status).toBe(204)
    expect($proofAsked.get()).toBeUndefined()
    const proof = 'POST /api/session/proof'
    const call = 'DELETE /api/administrators/2'
    expect(calls).toEqual([call, proof, proof, call])
  })

  it('asks nothing of a call that needs no proof, or fails for another reason', async () => {
    proven = true
    await remove(2)
    vi.stubGlobal('fetch', async () => refusal('email', 'Another administrator has this email.'))
    expect(await remove(2)).toBeUndefined()
    expect(refuse.mock.calls).toEqual([['Another administrator has this email.', 'email']])
    expect($proofAsked.get()).toBeUndefined()
  })

  it('asks once for two calls at a time', async () => {
    const both = Promise.all([remove(2), remove(3)])
    await asked()
    await prove(PASSWORD, refuse)
    await both
    expect($proofAsked.get()).toBeUndefined()
  })

  it('says to check the connection where the password cannot be checked', async () => {
    const removed = remove(2)
    await asked()
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
    await prove(PASSWORD, refuse)
    expect(refuse.mock.calls).toEqual([['It could not be checked. Check your connection, then try again.', 'form']])
    cancelProof()
    await removed
  })
})

function refusal(path: string, message: string): Response {
  return Response.json({ status: 403, detail: message, errors: [{ path, message }] }, { status: 403 })
}
