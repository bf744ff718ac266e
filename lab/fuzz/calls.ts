import fc from 'fast-check'
import {
  eventBody,
  featuresBody,
  formBody,
  otherBody,
  roleBody,
  rsvpBody,
  sessionBody,
  settingsBody,
} from './bodies.ts'
import { FORM_TYPE, header, JSON_TYPE, query } from './queries-and-headers.ts'
import { encodedText } from './texts.ts'

/** A request that is correct HTTP, with any content. */
export type FuzzCall = { method: string; path: string; headers: Record<string, string>; body?: string }

/** The password of the guarded servers. */
export const PASSWORD = 'a password only for these runs'

type Route = Omit<FuzzCall, 'headers'> & { type: string }

const id = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 60 }).map(String) },
  { weight: 1, arbitrary: fc.constantFrom('0', '-1', '+1', '1e3', '01', '%31', '1'.repeat(16), '__proto__', '%00') },
  { weight: 1, arbitrary: encodedText },
)

const reading = fc.constantFrom(
  ...['/', '/share', '/admin', '/privacy', '/sign-in', '/calendar.ics'],
  '/api/calendar',
  '/api/event',
  '/api/event/translations/es',
  '/api/features',
  '/api/rsvps',
  '/api/rsvps/download',
  '/api/volunteer-roles',
  '/api/health',
  '/api/ready',
  '/api/session',
  '/api/settings',
)
const unknown = fc.oneof(
  fc.constantFrom('/api', '/api/', '/api/rsvps/', '/API/rsvp', '/_image', '/500', '/assets/x.js', '/.env', '/share/'),
  encodedText.map((text) => `/${text}`),
  encodedText.map((text) => `/api/${text}`),
)

const route: fc.Arbitrary<Route> = fc.oneof(
  { weight: 8, arbitrary: fc.tuple(fc.constantFrom('GET', 'GET', 'HEAD'), reading).map(bare) },
  { weight: 2, arbitrary: fc.tuple(fc.constant('GET'), unknown).map(bare) },
  { weight: 7, arbitrary: posted('POST', '/api/rsvp', rsvpBody) },
  { weight: 3, arbitrary: posted('POST', '/api/rsvp', formBody, FORM_TYPE) },
  { weight: 2, arbitrary: posted('POST', '/api/event', eventBody) },
  { weight: 1, arbitrary: posted('PUT', '/api/event/translations/es', eventBody) },
  { weight: 2, arbitrary: posted('PATCH', '/api/features', featuresBody) },
  { weight: 1, arbitrary: posted('POST', '/api/volunteer-roles', roleBody) },
  { weight: 2, arbitrary: id.chain((role) => posted('PATCH', `/api/volunteer-roles/${role}`, roleBody)) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(
        fc.constant('DELETE'),
        id.map((rsvp) => `/api/rsvps/${rsvp}`),
      )
      .map(bare),
  },
  { weight: 1, arbitrary: id.chain((rsvp) => posted('POST', `/api/rsvps/${rsvp}/restore`, otherBody)) },
  { weight: 1, arbitrary: posted('POST', '/api/session', sessionBody(PASSWORD)) },
  { weight: 1, arbitrary: fc.constant(bare(['DELETE', '/api/session'])) },
  { weight: 1, arbitrary: posted('POST', '/api/session', formBody, FORM_TYPE) },
  { weight: 2, arbitrary: posted('PATCH', '/api/settings', settingsBody) },
)

/** Every call that exists and some that do not, with input of every kind. */
export const anyCall: fc.Arbitrary<FuzzCall> = fc
  .tuple(
    fc.oneof(
      { weight: 12, arbitrary: route },
      {
        weight: 1,
        arbitrary: fc
          .tuple(route, fc.constantFrom('POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY'))
          .map(([known, method]) => ({ ...known, method })),
      },
    ),
    query,
    fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: fc.array(header, { maxLength: 3 }) }),
  )
  .map(([{ method, path, type, body }, search, headers]) => ({
    method,
    path: path + search,
    headers: { ...(body !== undefined && { 'content-type': type }), ...Object.fromEntries(headers) },
    body,
  }))

function bare([method, path]: [string, string]): Route {
  return { method, path, type: '' }
}

function posted(method: string, path: string, body: fc.Arbitrary<string>, type = JSON_TYPE): fc.Arbitrary<Route> {
  return body.map((text) => ({ method, path, type, body: text }))
}
