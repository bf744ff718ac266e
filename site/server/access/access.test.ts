import { describe, expect, it } from 'vitest'
import { signIn } from '#db/access/sign-in.ts'
import { addAdministrator, callOf, openForTests, testCall, testPassword } from '#db/fixtures.ts'
import { roles } from '#db/roles.ts'
import type { Access } from '#site/call-description.ts'
import { calls } from '#site/calls.ts'
import { accessTo, admitUpload, assertAllowed, assertProven, methodsOf } from './access.ts'

/** The promise, written down a second time: who may do what. Every other method of a route is refused. */
const onlyRead = `
  / /share /privacy /calendar.ics /qr.svg /answer /church/[look].css /church/picture/[size].jpg
  /preview/[hash].jpg /manifest.webmanifest /.well-known/security.txt /security.txt /sign-in /guard /invitation
  /404 /500
  /api/calendar /api/health /api/ready`
const promised: Record<string, Record<string, Access>> = {
  ...Object.fromEntries(
    onlyRead
      .trim()
      .split(/\s+/)
      .map((route) => [route, { GET: 'public' }]),
  ),
  '/admin': { GET: 'reader', POST: 'clerk' },
  '/admin/poster': { GET: 'clerk' },
  '/admin/sheet': { GET: 'reader', POST: 'clerk' },
  '/api/account': { GET: 'reader', PATCH: 'reader' },
  '/api/administrators': { GET: 'owner', POST: 'owner' },
  '/api/administrators/[id]': { PATCH: 'owner', DELETE: 'owner' },
  '/api/administrators/[id]/invitation': { POST: 'owner' },
  '/api/answer': { GET: 'public', PATCH: 'public', DELETE: 'public', POST: 'public' },
  '/api/answer/restore': { POST: 'public' },
  '/api/church': { GET: 'public', PATCH: 'clerk' },
  '/api/church/picture': { PUT: 'clerk', DELETE: 'clerk' },
  '/api/event': { GET: 'public', POST: 'clerk' },
  '/api/event/translations': { GET: 'public', PATCH: 'clerk' },
  '/api/event/translations/[language]': { GET: 'public', PUT: 'clerk', DELETE: 'clerk' },
  '/api/features': { GET: 'public', PATCH: 'clerk' },
  '/api/guard': { POST: 'public-or-admin' },
  '/api/invitation': { POST: 'public' },
  '/api/passkeys': { POST: 'reader' },
  '/api/passkeys/[id]': { DELETE: 'reader' },
  '/api/passkeys/options': { POST: 'public-or-admin' },
  '/api/rsvp': { POST: 'public' },
  '/api/rsvps': { GET: 'public-or-admin', POST: 'clerk' },
  '/api/rsvps/delete': { POST: 'clerk' },
  '/api/rsvps/deleted': { GET: 'clerk' },
  '/api/rsvps/download': { GET: 'clerk' },
  '/api/rsvps/print': { GET: 'clerk' },
  '/api/rsvps/restore': { POST: 'clerk' },
  '/api/rsvps/[id]': { PATCH: 'clerk', DELETE: 'clerk' },
  '/api/rsvps/[id]/merge': { POST: 'clerk' },
  '/api/rsvps/[id]/restore': { POST: 'clerk' },
  '/api/audit': { GET: 'owner' },
  '/api/audit/download': { GET: 'owner' },
  '/api/backups': { GET: 'owner', POST: 'owner' },
  '/api/backups/download': { POST: 'owner' },
  '/api/rsvps/erase': { POST: 'owner' },
  '/api/rsvps/erase/count': { POST: 'owner' },
  '/api/settings/retention': { GET: 'owner' },
  '/api/session': { GET: 'public-or-admin', POST: 'public-or-admin', DELETE: 'public-or-admin' },
  '/api/session/passkey': { POST: 'public-or-admin' },
  '/api/session/proof': { POST: 'reader' },
  '/api/sessions': { GET: 'reader', DELETE: 'reader' },
  '/api/sessions/[id]': { DELETE: 'reader' },
  '/api/schedule': { GET: 'public', PATCH: 'clerk' },
  '/api/services/[date]': { PATCH: 'clerk' },
  '/api/settings': { GET: 'clerk', PATCH: 'owner' },
  '/api/volunteer-roles': { GET: 'public', POST: 'clerk' },
  '/api/volunteer-roles/[id]': { PATCH: 'clerk' },
}
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT', 'get', '', 'toString']

describe('accessTo', () => {
  it.each(Object.entries(promised))('%s is as promised', (route, expected) => {
    const allowed = methods.map((method) => [method, accessTo(route, method)])
    expect(Object.fromEntries(allowed.filter(([, access]) => access !== undefined))).toEqual(expected)
    expect(accessTo(route, 'HEAD')).toBe(expected.GET)
  })

  it('is promised for every call there is', () => {
    const names = Object.entries(promised).flatMap(([route, by]) =>
      Object.keys(by).map((method) => `${method} ${route}`),
    )
    expect(names.filter((name) => name.includes(' /api/')).toSorted()).toEqual(Object.keys(calls).toSorted())
  })

  it('any other call is public, with every method: its reply is a 404', () => {
    for (const method of [...methods, 'HEAD']) expect(accessTo('/api/[...path]', method)).toBe('public')
  })

  it.each(['', '/nope', '/api', '/api/rsvps/1', '/admin/', '/ADMIN', 'toString', '__proto__', 'constructor'])(
    '%s is refused',
    (route) => {
      for (const method of [...methods, 'HEAD']) expect(accessTo(route, method)).toBeUndefined()
    },
  )
})

describe('methodsOf', () => {
  it.each([
    ['/', 'GET, HEAD'],
    ['/api/rsvp', 'POST'],
    ['/api/rsvps/[id]', 'PATCH, DELETE'],
    ['/api/session', 'GET, HEAD, POST, DELETE'],
    ['/api/[...path]', ''],
    ['toString', ''],
    ['__proto__', ''],
  ])('of %s are %j', (route, expected) => {
    expect(methodsOf(route)).toBe(expected)
  })
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
  ])('what is for %s refuses no one else than it has to, with a sentence', (access, refusals) => {
    expect(callers.map((role) => refusalOf(() => assertAllowed(access, testCall({ role }))))).toEqual(
      refusals.map((refusal) => refusal && expect.objectContaining(refusal)),
    )
  })
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

describe('admitUpload', () => {
  openForTests()
  const admit = (cookies: string | undefined, isOpen = false) =>
    admitUpload(cookies, 'http://localhost', {
      isKnownGuarded: () => !isOpen,
      isOpen: async () => isOpen,
      isStillOpen: async () => isOpen,
    })

  it('lets in an owner and a clerk, and everyone while the site is open', async () => {
    for (const role of roles) {
      const email = `${role}@cole.example`
      await addAdministrator({ email, role })
      const { token } = await signIn({ email, password: testPassword }, testCall({ now: new Date() }))
      const admitted = admit(`rsvp-session=${token}`)
      await (role === 'reader' ? expect(admitted).rejects.toMatchObject({ code: 'forbidden' }) : admitted)
    }
    await admit(undefined, true)
    for (const cookies of [undefined, `rsvp-session=${'x'.repeat(43)}`])
      await expect(admit(cookies)).rejects.toMatchObject({ code: 'unauthenticated' })
  })
})
