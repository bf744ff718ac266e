import { findSession, PROOF_TTL_MS } from '#db/access/sessions.ts'
import type { Call } from '#db/call.ts'
import { withDeadline } from '#db/storage/deadline.ts'
import { UserError } from '#db/values/errors.ts'
import { isAtLeast } from '#db/values/roles.ts'
import type { Access, CallDescription } from '#site/call-description.ts'
import { type CallName, calls } from '#site/calls.ts'
import { tokenIn } from './cookies.ts'
import type { Mode } from './site-state.ts'

type Methods = Partial<Record<string, Access>> | 'any'

const pages: Record<string, Methods> = {
  '/': { GET: 'public' },
  '/share': { GET: 'public' },
  '/privacy': { GET: 'public' },
  '/calendar.ics': { GET: 'public' },
  '/calendar/own/[token].ics': { GET: 'public' },
  '/qr.svg': { GET: 'public' },
  '/manifest.webmanifest': { GET: 'public' },
  '/answer': { GET: 'public' },
  '/mail/stop': { GET: 'public', POST: 'public' },
  '/church/picture/[size].jpg': { GET: 'public' },
  '/admin': { GET: 'reader', POST: 'clerk' },
  '/admin/poster': { GET: 'clerk' },
  '/admin/prayers': { GET: 'reader', POST: 'reader' },
  '/admin/sheet': { GET: 'reader', POST: 'clerk' },
  '/sign-in': { GET: 'public' },
  '/guard': { GET: 'public' },
  '/invitation': { GET: 'public' },
  '/404': { GET: 'public' },
  '/500': { GET: 'public' },
  // The route of all other addresses below /api, whose reply is a 404.
  '/api/[...path]': 'any',
}

/**
 * Access by route and method, for pages and calls. A route that is missing here is not served. A test compares the table
 * with the built routes.
 * @internal Exported for its test.
 */
export const accessTable: Record<string, Methods> = { ...pages, ...callsByRoute() }

/** Who may call a route with a method; undefined if no one may. HEAD is GET without a body. */
export function accessTo(route: string, method: string): Access | undefined {
  const methods = Object.hasOwn(accessTable, route) ? accessTable[route] : undefined
  if (methods === undefined || methods === 'any') return methods && 'public'
  const name = method === 'HEAD' ? 'GET' : method
  return Object.hasOwn(methods, name) ? methods[name] : undefined
}

/** Whether a caller may use a page or make a call, e.g. `PATCH /api/schedule`. */
export function mayUse(name: CallName | `GET /${string}`, { role }: Pick<Call, 'role'>): boolean {
  const [method = '', route = ''] = name.split(' ')
  const access = accessTo(route, method)
  return access !== undefined && isAllowed(access, role)
}

/** The methods of a route for the header `Allow`, e.g. `GET, HEAD, POST`; empty for an unknown route. */
export function methodsOf(route: string): string {
  const methods = Object.hasOwn(accessTable, route) ? accessTable[route] : undefined
  if (methods === undefined || methods === 'any') return ''
  return Object.keys(methods)
    .flatMap((name) => (name === 'GET' ? ['GET', 'HEAD'] : [name]))
    .join(', ')
}

/** @throws UserError 'unauthenticated' for a visitor, 'forbidden' for an administrator whose role does not allow it. */
export function assertAllowed(access: Access, { role }: Call): void {
  if (isAllowed(access, role)) return
  if (role === 'visitor')
    throw new UserError('unauthenticated', 'Only an administrator may do this. Sign in at /admin.')
  if (access === 'owner') throw new UserError('owner-only')
  throw new UserError('clerk-only')
}

function isAllowed(access: Access, role: Call['role']): boolean {
  return access === 'public' || access === 'public-or-admin' || isAtLeast(access, role)
}

/**
 * Checks the proof of the caller, before a call that cannot be undone or that gives access.
 * @throws UserError 'forbidden' with a field `proof` if the password or a passkey was given over ten minutes ago, or that
 * far in the future by a clock that was ahead.
 */
export function assertProven({ administrator, now }: Call): void {
  if (administrator === undefined || Math.abs(now.getTime() - administrator.provenAt) <= PROOF_TTL_MS) return
  const message = 'Confirm that it is you: give your password or a passkey once more.'
  throw new UserError('forbidden', message).at('proof')
}

/**
 * Checks access before the body of an upload is read, because only clerks and owners may fill megabytes of memory. The
 * middleware and the endpoint check access again.
 * @throws UserError 'unauthenticated' or 'forbidden' for all others.
 */
export async function admitUpload(cookies: string | undefined, origin: string, mode: Mode): Promise<void> {
  await withDeadline(async () => {
    if (await mode.isStillOpen()) return
    const token = tokenIn(cookies, origin)
    const call: Call = { now: new Date(), role: 'visitor', actor: 'visitor' }
    const session = token === undefined ? undefined : await findSession(token, call)
    assertAllowed('clerk', { ...call, role: session?.role ?? 'visitor' })
  })
}

function callsByRoute(): Record<string, Methods> {
  const routes: Record<string, Partial<Record<string, Access>>> = {}
  for (const [call, { access = 'clerk' }] of Object.entries<CallDescription>(calls)) {
    const [method = '', route = ''] = call.split(' ')
    routes[route] = { ...routes[route], [method]: access }
  }
  return routes
}
