import { describe, expect, it } from 'vitest'
import { roles } from '#db/values/roles.ts'
import type { Access } from '#site/call-description.ts'
import { calls } from '#site/calls.ts'
import { callOf, testCall } from '#testing/database-fixtures.ts'
import { accessTo, assertAllowed, assertProven, mayUse, methodsOf } from './access.ts'

/** The promise, written down a second time: who may do what. Every other method of a route is refused. */
const promised = promises({
  public: `
    GET / /share /privacy /calendar.ics /calendar/own/[token].ics /qr.svg /answer /mail/stop /church/picture/[size].jpg
      /manifest.webmanifest /sign-in /guard /invitation
      /404 /500 /api/health /api/answer /api/church /api/event
      /api/features /api/schedule /api/volunteer-roles
    POST /api/answer /api/answer/link /api/failures /api/invitation /api/rsvp /mail/stop
    PATCH /api/answer
    DELETE /api/answer`,
  'public-or-admin': `
    GET /api/rsvps /api/session
    POST /api/guard /api/passkeys/options /api/session /api/session/passkey
    DELETE /api/session`,
  reader: `
    GET /admin /admin/prayers /admin/sheet /api/account /api/prayers
    POST /admin/prayers /api/passkeys /api/session/proof
    PATCH /api/account /api/prayers/[id]
    DELETE /api/passkeys/[id] /api/sessions`,
  clerk: `
    GET /admin/poster /api/event/translations /api/mail /api/rsvps/deleted /api/rsvps/download /api/settings /api/standing
    POST /admin /admin/sheet /api/event /api/mail/retry /api/mail/test /api/rsvps /api/rsvps/delete /api/rsvps/restore /api/rsvps/[id]/merge
      /api/volunteer-roles
    PUT /api/church/picture /api/event/translations/[language]
    PATCH /api/church /api/event/translations /api/features /api/rsvps/[id] /api/schedule /api/services/[date]
      /api/standing/[id] /api/volunteer-roles/[id]
    DELETE /api/church/picture /api/rsvps/[id]`,
  owner: `
    GET /api/administrators /api/audit /api/backups
    POST /api/administrators /api/administrators/[id]/invitation /api/backups /api/backups/download /api/rsvps/erase
    PATCH /api/administrators/[id] /api/settings
    DELETE /api/administrators/[id]`,
})
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT', 'get', '', 'toString']

/** The access by method of each route. */
function promises(texts: Record<Access, string>): Record<string, Record<string, Access>> {
  const promised: Record<string, Record<string, Access>> = {}
  for (const [access, text] of Object.entries(texts) as [Access, string][]) {
    let method = ''
    for (const word of text.trim().split(/\s+/))
      if (word.startsWith('/')) promised[word] = { ...promised[word], [method]: access }
      else method = word
  }
  return promised
}

describe('accessTo', () => {
  it.each(Object.entries(promised))('gives for %s what is promised', (route, expected) => {
    const allowed = methods.map((method) => [method, accessTo(route, method)])
    expect(Object.fromEntries(allowed.filter(([, access]) => access !== undefined))).toEqual(expected)
    expect(accessTo(route, 'HEAD')).toBe(expected.GET)
  })

  it('is promised for every call in the table', () => {
    const names = Object.entries(promised).flatMap(([route, by]) =>
      Object.keys(by).map((method) => `${method} ${route}`),
    )
    expect(names.filter((name) => name.includes(' /api/')).toSorted()).toEqual(Object.keys(calls).toSorted())
  })

  it('is public for any other call, with every method: its reply is a 404', () => {
    for (const method of [...methods, 'HEAD']) expect(accessTo('/api/[...path]', method)).toBe('public')
  })

  const unknown = ['', '/nope', '/api', '/api/rsvps/1', '/admin/', '/ADMIN', 'toString', '__proto__', 'constructor']
  it.each(unknown)('refuses %j', (route) => {
    for (const method of [...methods, 'HEAD']) expect(accessTo(route, method)).toBeUndefined()
  })
})

describe('methodsOf', () => {
  it.each([
    ['/api/session', 'GET, HEAD, POST, DELETE'],
    ['/api/[...path]', ''],
    ['toString', ''],
  ])('%s are %j', (route, expected) => expect(methodsOf(route)).toBe(expected))
})

describe('assertAllowed', () => {
  const callers = [...roles, 'visitor'] as const
  const visitor = { code: 'unauthenticated', message: 'Only an administrator may do this. Sign in at /admin.' }
  const tooLow = (who: string) => ({ code: 'forbidden', message: `${who} may do this. Ask an owner of this site.` })

  it.each<[Access, (object | undefined)[]]>([
    ['public', [undefined, undefined, undefined, undefined]],
    ['public-or-admin', [undefined, undefined, undefined, undefined]],
    ['reader', [undefined, undefined, undefined, visitor]],
    ['clerk', [undefined, undefined, tooLow('Only a clerk or an owner'), visitor]],
    ['owner', [undefined, tooLow('Only an owner'), tooLow('Only an owner'), visitor]],
  ])('with access for %s refuses only the roles below, with a sentence', (access, refusals) => {
    expect(callers.map((role) => refusalOf(() => assertAllowed(access, testCall({ role }))))).toEqual(
      refusals.map((refusal) => refusal && expect.objectContaining(refusal)),
    )
  })
})

describe('mayUse', () => {
  it.each<[Parameters<typeof mayUse>[0], string[]]>([
    ['GET /share', ['owner', 'clerk', 'reader']],
    ['GET /admin', ['owner', 'clerk', 'reader']],
    ['PATCH /api/schedule', ['owner', 'clerk']],
    ['GET /api/audit', ['owner']],
  ])('is true of %s for %j', (name, shown) => expect(roles.filter((role) => mayUse(name, { role }))).toEqual(shown))
})

describe('assertProven', () => {
  const now = testCall().now.getTime()
  const after = (minutes: number) => callOf(3, { now: new Date(now + minutes * 60_000) })
  const provenAt = (minutes: number) => ({ ...after(minutes), administrator: callOf(3).administrator })

  it('accepts a proof of the last ten minutes, and asks for a new one after and before that', () => {
    for (const minutes of [0, 10]) expect(refusalOf(() => assertProven(provenAt(minutes)))).toBeUndefined()
    const message = 'Confirm that it is you: give your password or a passkey once more.'
    // Before it: the clock was ahead.
    for (const minutes of [10.001, 60 * 24, -10.001, -60 * 24])
      expect(refusalOf(() => assertProven(provenAt(minutes)))).toMatchObject({
        code: 'forbidden',
        message,
        fields: [{ path: 'proof', message }],
      })
  })

  it('asks neither a command nor anyone in open mode', () => {
    for (const actor of ['terminal', 'open mode', 'site'] as const)
      expect(refusalOf(() => assertProven(testCall({ actor })))).toBeUndefined()
  })
})

function refusalOf(run: () => void): unknown {
  try {
    run()
    return undefined
  } catch (error) {
    return error
  }
}
