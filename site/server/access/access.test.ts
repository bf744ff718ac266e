import { describe, expect, it } from 'vitest'
import { setPassword } from '#db/access/setup.ts'
import { signIn } from '#db/access/sign-in.ts'
import { openForTests, testCall, testPassword } from '#db/fixtures.ts'
import type { Access } from '#site/call-description.ts'
import { calls } from '#site/calls.ts'
import { accessTo, admitUpload, methodsOf, notAllowed } from './access.ts'

/** The promise, written down a second time: who may do what. Every other method of a route is refused. */
const onlyRead = `
  / /share /privacy /calendar.ics /qr.svg /answer /church/[look].css /church/picture/[size].jpg
  /preview/[hash].jpg /manifest.webmanifest /.well-known/security.txt /security.txt /sign-in /404 /500
  /api/calendar /api/health /api/ready`
const promised: Record<string, Record<string, Access>> = {
  ...Object.fromEntries(
    onlyRead
      .trim()
      .split(/\s+/)
      .map((route) => [route, { GET: 'public' }]),
  ),
  '/admin': { GET: 'administrator', POST: 'administrator' },
  '/admin/poster': { GET: 'administrator' },
  '/admin/sheet': { GET: 'administrator', POST: 'administrator' },
  '/api/answer': { GET: 'public', PATCH: 'public', DELETE: 'public', POST: 'public' },
  '/api/answer/restore': { POST: 'public' },
  '/api/church': { GET: 'public', PATCH: 'administrator' },
  '/api/church/picture': { PUT: 'administrator', DELETE: 'administrator' },
  '/api/event': { GET: 'public', POST: 'administrator' },
  '/api/event/translations': { GET: 'public', PATCH: 'administrator' },
  '/api/event/translations/[language]': { GET: 'public', PUT: 'administrator', DELETE: 'administrator' },
  '/api/features': { GET: 'public', PATCH: 'administrator' },
  '/api/rsvp': { POST: 'public' },
  '/api/rsvps': { GET: 'public-or-admin', POST: 'administrator' },
  '/api/rsvps/delete': { POST: 'administrator' },
  '/api/rsvps/deleted': { GET: 'administrator' },
  '/api/rsvps/download': { GET: 'administrator' },
  '/api/rsvps/print': { GET: 'administrator' },
  '/api/rsvps/restore': { POST: 'administrator' },
  '/api/rsvps/[id]': { PATCH: 'administrator', DELETE: 'administrator' },
  '/api/rsvps/[id]/merge': { POST: 'administrator' },
  '/api/rsvps/[id]/restore': { POST: 'administrator' },
  '/api/session': { GET: 'public-or-admin', POST: 'public-or-admin', DELETE: 'public-or-admin' },
  '/api/schedule': { GET: 'public', PATCH: 'administrator' },
  '/api/services/[date]': { PATCH: 'administrator' },
  '/api/settings': { GET: 'administrator', PATCH: 'administrator' },
  '/api/volunteer-roles': { GET: 'public', POST: 'administrator' },
  '/api/volunteer-roles/[id]': { PATCH: 'administrator' },
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

it('who may not is told where to sign in', () => {
  const message = 'Only an administrator may do this. Sign in at /admin.'
  expect(notAllowed()).toMatchObject({ code: 'unauthenticated', fields: [], message })
})

describe('admitUpload', () => {
  openForTests()
  const admit = (cookies: string | undefined, isOpen = false) =>
    admitUpload(cookies, 'http://localhost', {
      isKnownGuarded: () => !isOpen,
      isOpen: async () => isOpen,
      isStillOpen: async () => isOpen,
    })

  it('lets in an administrator, and everyone while the site is open', async () => {
    const call = testCall({ now: new Date() })
    await setPassword(testPassword, call)
    const { token } = await signIn({ password: testPassword }, call)
    await admit(`rsvp-session=${token}`)
    await admit(undefined, true)
    for (const cookies of [undefined, `rsvp-session=${'x'.repeat(43)}`])
      await expect(admit(cookies)).rejects.toMatchObject({ code: 'unauthenticated' })
  })
})
