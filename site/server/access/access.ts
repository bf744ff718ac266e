import { UserError } from '#db/errors.ts'

/**
 * Everybody, or only who has signed in, or everybody with an answer that depends on it. In open mode that is all the
 * same.
 */
export type Access = 'guest' | 'administrator' | 'either'

type Methods = Partial<Record<'GET' | 'POST' | 'PATCH' | 'DELETE', Access>> | 'any'

/**
 * Who may do what, by route: default deny. What is not in here is not answered, whatever file there may be. The
 * endpoints say it once more; a test compares the two, and both with the routes that were built.
 */
export const accessTable: Record<string, Methods> = {
  '/': { GET: 'guest' },
  '/share': { GET: 'guest' },
  '/privacy': { GET: 'guest' },
  '/admin': { GET: 'administrator' },
  '/sign-in': { GET: 'guest' },
  '/404': { GET: 'guest' },
  '/500': { GET: 'guest' },
  '/api/event': { GET: 'guest', POST: 'administrator' },
  '/api/features': { GET: 'guest', PATCH: 'administrator' },
  '/api/health': { GET: 'guest' },
  '/api/rsvp': { POST: 'guest' },
  // Strangers get what they may see, or a 401: the operation decides by the setting for public names.
  '/api/rsvps': { GET: 'either' },
  '/api/rsvps/download': { GET: 'administrator' },
  '/api/rsvps/[id]': { DELETE: 'administrator' },
  '/api/rsvps/[id]/restore': { POST: 'administrator' },
  '/api/session': { GET: 'either', POST: 'either', DELETE: 'either' },
  '/api/settings': { GET: 'administrator', PATCH: 'administrator' },
  '/api/volunteer-roles': { GET: 'guest', POST: 'administrator' },
  '/api/volunteer-roles/[id]': { PATCH: 'administrator' },
  // Every other call: a 404.
  '/api/[...path]': 'any',
}

/** Who may ask for a route with a method; undefined for nobody. HEAD is GET without a body. */
export function accessTo(route: string, method: string): Access | undefined {
  const methods = Object.hasOwn(accessTable, route) ? accessTable[route] : undefined
  if (methods === undefined || methods === 'any') return methods && 'guest'
  const name = method === 'HEAD' ? 'GET' : method
  return Object.hasOwn(methods, name) ? methods[name as keyof typeof methods] : undefined
}

/** The methods that a route knows, as in `GET, HEAD, POST`; none for a route that is not in the table. */
export function methodsOf(route: string): string {
  const methods = Object.hasOwn(accessTable, route) ? accessTable[route] : undefined
  if (methods === undefined || methods === 'any') return ''
  return Object.keys(methods)
    .flatMap((name) => (name === 'GET' ? ['GET', 'HEAD'] : [name]))
    .join(', ')
}

/** What somebody gets who would have to sign in first. */
export function notAllowed(): UserError {
  return new UserError('unauthenticated', 'Only an administrator may do this. Sign in at /admin.')
}
