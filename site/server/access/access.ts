import { UserError } from '#db/errors.ts'
import type { Access } from '#site/call-description.ts'
import { accessTable } from './access-table.ts'

/** Who may call a route with a method; undefined if no one may. HEAD is GET without a body. */
export function accessTo(route: string, method: string): Access | undefined {
  const methods = Object.hasOwn(accessTable, route) ? accessTable[route] : undefined
  if (methods === undefined || methods === 'any') return methods && 'public'
  const name = method === 'HEAD' ? 'GET' : method
  return Object.hasOwn(methods, name) ? methods[name] : undefined
}

/** The methods that a route knows, e.g. `GET, HEAD, POST`; none for a route that is not in the table. */
export function methodsOf(route: string): string {
  const methods = Object.hasOwn(accessTable, route) ? accessTable[route] : undefined
  if (methods === undefined || methods === 'any') return ''
  return Object.keys(methods)
    .flatMap((name) => (name === 'GET' ? ['GET', 'HEAD'] : [name]))
    .join(', ')
}

/** The error of a caller who would have to sign in first. */
export function notAllowed(): UserError {
  return new UserError('unauthenticated', 'Only an administrator may do this. Sign in at /admin.')
}
