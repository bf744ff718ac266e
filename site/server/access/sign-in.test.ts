import type { APIContext } from 'astro'
import { describe, expect, it, vi } from 'vitest'
import { ceremonyOf, startCeremony, whyNoPasskeys } from './sign-in.ts'

const url = 'https://rsvp.example.org'

describe('passkeys', () => {
  it.each([url, `${url}:8443`, 'http://localhost', 'http://localhost:4321'])('are offered at %s', (publicUrl) => {
    expect(whyNoPasskeys(publicUrl)).toBeUndefined()
  })

  it.each([
    [undefined, /^Passkeys need the public address/],
    ['http://rsvp.example.org', /begins with https/],
    ['http://localhost.example.org', /begins with https/],
    ['https://203.0.113.7', /not with a number/],
    ['https://[2001:db8::1]', /not with a number/],
    ['http://127.0.0.1:4321', /not with a number/],
  ])('are not offered at %s', (publicUrl, reason) => {
    expect(whyNoPasskeys(publicUrl)).toMatch(reason)
    expect(ceremonyOf(sent({ publicUrl: { current: () => publicUrl } })).origin).toBeUndefined()
  })

  it('are bound to the session, else to a cookie that only this host sends back, for five minutes', () => {
    const inSession = sent({ token: 'of the session' })
    expect(startCeremony(inSession)).toEqual({ origin: url, challengeToken: 'of the session' })
    expect(inSession.cookies.set).not.toHaveBeenCalled()
    const visiting = sent()
    const { challengeToken } = startCeremony(visiting)
    const attributes = { httpOnly: true, maxAge: 300, path: '/', sameSite: 'strict', secure: true }
    expect(visiting.cookies.set).toHaveBeenCalledWith('__Host-rsvp-challenge', challengeToken, attributes)
    expect(startCeremony(sent({}, challengeToken)).challengeToken).toBe(challengeToken)
    expect(startCeremony(sent({}, 'planted')).challengeToken).not.toBe('planted')
  })
})

function sent(locals: object = {}, cookie?: string) {
  const cookies = { get: () => cookie && { value: cookie }, set: vi.fn() }
  return { cookies, locals: { origin: url, publicUrl: { current: () => url }, ...locals } } as unknown as APIContext
}
