import { findSession } from '#db/access/operations.ts'
import { UserError } from '#db/errors.ts'
import { withDeadline } from '#db/storage/deadline.ts'
import type { Access, CallDescription } from '#site/call-description.ts'
import { calls } from '#site/calls.ts'
import { tokenIn } from './cookies.ts'
import type { Mode } from './mode.ts'

type Methods = Partial<Record<string, Access>> | 'any'

const pages: Record<string, Methods> = {
  '/': { GET: 'public' },
  '/share': { GET: 'public' },
  '/privacy': { GET: 'public' },
  '/calendar.ics': { GET: 'public' },
  '/preview/[hash].jpg': { GET: 'public' },
  '/qr.svg': { GET: 'public' },
  '/manifest.webmanifest': { GET: 'public' },
  '/.well-known/security.txt': { GET: 'public' },
  '/security.txt': { GET: 'public' },
  '/answer': { GET: 'public' },
  '/church/[look].css': { GET: 'public' },
  '/church/picture/[size].jpg': { GET: 'public' },
  '/admin': { GET: 'administrator', POST: 'administrator' },
  '/admin/poster': { GET: 'administrator' },
  '/admin/sheet': { GET: 'administrator', POST: 'administrator' },
  '/sign-in': { GET: 'public' },
  '/404': { GET: 'public' },
  '/500': { GET: 'public' },
  // Every other call: a 404.
  '/api/[...path]': 'any',
}

/**
 * Access by route and method, for pages and calls. Default deny: a route that is not in here is not served. A test
 * compares it with the built routes.
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

/** As in the `Allow` header, e.g. `GET, HEAD, POST`; empty for a route that is not in the table. */
export function methodsOf(route: string): string {
  const methods = Object.hasOwn(accessTable, route) ? accessTable[route] : undefined
  if (methods === undefined || methods === 'any') return ''
  return Object.keys(methods)
    .flatMap((name) => (name === 'GET' ? ['GET', 'HEAD'] : [name]))
    .join(', ')
}

export function notAllowed(): UserError {
  return new UserError('unauthenticated', 'Only an administrator may do this. Sign in at /admin.')
}

/**
 * Checks access before the body of an upload is read: only administrators may fill megabytes of memory. The call itself
 * checks it again.
 * @throws UserError 'unauthenticated' for all others.
 */
export async function admitUpload(cookies: string | undefined, origin: string, mode: Mode): Promise<void> {
  await withDeadline(async () => {
    if (await mode.isStillOpen()) return
    const token = tokenIn(cookies, origin)
    const session = token && (await findSession(token, { now: new Date(), administrator: false, actor: 'visitor' }))
    if (!session) throw notAllowed()
  })
}

function callsByRoute(): Record<string, Methods> {
  const routes: Record<string, Partial<Record<string, Access>>> = {}
  for (const [call, { access = 'administrator' }] of Object.entries<CallDescription>(calls)) {
    const [method = '', route = ''] = call.split(' ')
    routes[route] = { ...routes[route], [method]: access }
  }
  return routes
}
