import { expect, it } from 'vitest'
import { calls } from '#site/calls.ts'
import { ask, expectProblem } from '#site/scenarios/fixtures.ts'
import { asVisitor, describeInBothModes } from '#site/scenarios/mode-fixtures.ts'
import { addressOf } from '#site/scenarios/route-fixtures.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND']
const allowed = {
  '/api/calendar': 'GET, HEAD',
  '/api/answer': 'GET, HEAD, PATCH, DELETE, POST',
  '/api/answer/restore': 'POST',
  '/api/church': 'GET, HEAD, PATCH',
  '/api/church/picture': 'PUT, DELETE',
  '/api/event': 'GET, HEAD, POST',
  '/api/event/translations': 'GET, HEAD, PATCH',
  '/api/event/translations/es': 'GET, HEAD, PUT, DELETE',
  '/api/features': 'GET, HEAD, PATCH',
  '/api/volunteer-roles': 'GET, HEAD, POST',
  '/api/volunteer-roles/1': 'PATCH',
  '/api/rsvp': 'POST',
  '/api/rsvps': 'GET, HEAD, POST',
  '/api/rsvps/delete': 'POST',
  '/api/rsvps/deleted': 'GET, HEAD',
  '/api/rsvps/download': 'GET, HEAD',
  '/api/rsvps/print': 'GET, HEAD',
  '/api/rsvps/restore': 'POST',
  '/api/rsvps/1': 'PATCH, DELETE',
  '/api/rsvps/1/merge': 'POST',
  '/api/rsvps/1/restore': 'POST',
  '/api/session': 'GET, HEAD, POST, DELETE',
  '/api/schedule': 'GET, HEAD, PATCH',
  '/api/services/2026-11-21': 'PATCH',
  '/api/settings': 'GET, HEAD, PATCH',
  '/api/health': 'GET, HEAD',
  '/api/ready': 'GET, HEAD',
  '/': 'GET, HEAD',
  '/share': 'GET, HEAD',
  '/calendar.ics': 'GET, HEAD',
  '/.well-known/security.txt': 'GET, HEAD',
  '/security.txt': 'GET, HEAD',
  '/privacy': 'GET, HEAD',
  '/answer': 'GET, HEAD',
  '/church/6a3460-0123456789abcdef.css': 'GET, HEAD',
  '/church/picture/0123456789abcdef-800.jpg': 'GET, HEAD',
  '/admin': 'GET, HEAD, POST',
  '/admin/sheet': 'GET, HEAD, POST',
  '/favicon.svg': 'GET, HEAD',
  '/nope': 'GET, HEAD',
}

it('is said here for every call there is', () => {
  const addresses = Object.keys(calls).map((name) => addressOf(name.slice(name.indexOf('/'))))
  const listed = Object.keys(allowed).filter((path) => path.startsWith('/api/'))
  expect(listed.toSorted()).toEqual([...new Set(addresses)].toSorted())
})

describeInBothModes('a method that an address does not know', (site) => {
  const unknown = Object.entries(allowed).flatMap(([path, allow]) =>
    METHODS.filter((method) => !allow.split(', ').includes(method)).map((method) => ({ method, path, allow })),
  )

  it.each(unknown)('$method $path is a 405 that allows $allow', async ({ method, path, allow }) => {
    for (const caller of [site(), asVisitor(site())]) {
      const reply = await ask(caller, `${method} ${path}`)
      expect(reply.headers.allow).toBe(allow)
      if (method === 'HEAD') expect(reply).toMatchObject({ status: 405, body: '' })
      else expectProblem(reply, 405)
    }
  })

  it.each(METHODS)('%s of an unknown call is a 404 problem', async (method) => {
    for (const path of ['/api', '/api/nope', '/api/rsvp/1', '/api/rsvps/1/2']) {
      const reply = await ask(site(), `${method} ${path}`)
      if (method === 'HEAD') expect(reply).toMatchObject({ status: 404, body: '' })
      else expectProblem(reply, 404)
    }
  })
})
