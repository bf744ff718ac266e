import type { Access } from '#site/call-description.ts'
import { calls } from '#site/calls.ts'

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
  '/church/[accent].css': { GET: 'public' },
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
 * Who may do what, by route: the pages and the table of calls. Default deny: what is not in here is not served,
 * whatever file there may be. A test compares it with the routes that were built.
 */
export const accessTable: Record<string, Methods> = { ...pages, ...callsByRoute() }

function callsByRoute(): Record<string, Methods> {
  const routes: Record<string, Partial<Record<string, Access>>> = {}
  for (const [call, { access }] of Object.entries(calls)) {
    const [method = '', route = ''] = call.split(' ')
    routes[route] = { ...routes[route], [method]: access }
  }
  return routes
}
