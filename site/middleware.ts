import { defineMiddleware } from 'astro:middleware'
import { methodNotAllowed } from './server/endpoint.ts'
import { RETRY_AFTER_S } from './server/problem.ts'

const READING = 'GET, HEAD'

/** Tells pages and endpoints who is asking, and keeps pages to reading. */
export const onRequest = defineMiddleware(async ({ locals, request, routePattern, url }, next) => {
  locals.route ??= routePattern
  locals.call ??= { now: new Date(), administrator: locals.administrator }
  const isApi = url.pathname === '/api' || url.pathname.startsWith('/api/')
  if (!isApi && request.method !== 'GET' && request.method !== 'HEAD') return methodNotAllowed(READING)
  const response = await next()
  if (response.headers.get('content-type') === 'text/html')
    response.headers.set('content-type', 'text/html; charset=utf-8')
  if (response.status === 503) response.headers.set('retry-after', RETRY_AFTER_S)
  if (!response.headers.has('cache-control')) response.headers.set('cache-control', 'private, no-cache')
  return response
})
