import { defineMiddleware } from 'astro:middleware'
import type { APIContext } from 'astro'
import pLimit from 'p-limit'
import { findSession } from '#db/access/sessions.ts'
import { type Call, isOpenMode } from '#db/call.ts'
import { findEventTranslation } from '#db/event.ts'
import { withDeadline } from '#db/storage/deadline.ts'
import { isOutage, UserError } from '#db/values/errors.ts'
import { directionOf, type Language } from '#db/values/languages.ts'
import { accessTo, assertAllowed, methodsOf } from '#site/server/access/access.ts'
import { errorResponse, problemResponse, RETRY_AFTER_S, refusalOf } from '#site/server/problem.ts'
import { t } from '#site/texts/texts.ts'
import type { Access } from './call-description.ts'
import { POSTER, PRAYERS, SHEET } from './lib/admin-page.ts'
import { clearSessionCookie, sentToken } from './server/access/cookies.ts'
import { loadChurch } from './server/church.ts'
import { inLanguage, rememberLanguage } from './server/language.ts'
import { ifReadable } from './server/log.ts'

/** Pages for administrators: without access they show the form to sign in, not a problem. */
const ADMINISTRATION = ['/admin', POSTER, PRAYERS, SHEET]
const WITH_SECRET_LINK = ['/answer', '/api/answer', '/invitation', '/api/invitation', '/calendar/own/[token].ics']

/** Shown when a form was sent without a session, because its input is not kept. */
const SIGNED_OUT_MEANWHILE =
  'You were signed out meanwhile, so what you entered is not stored. Sign in, then enter it once more.'

/** Identifies the caller for pages and endpoints, and refuses callers without the access that a route needs. */
export const onRequest = defineMiddleware(async (context, next) => {
  const { locals, routePattern } = context
  // A rewrite runs the middleware again, within the deadline of the first run.
  const isFirst = locals.route === undefined
  if (isFirst) rememberLanguage(context)
  locals.route ??= routePattern
  const response = await (isFirst ? withDeadline(() => serve(context, next)) : serve(context, next))
  if (response.headers.get('content-type') === 'text/html')
    response.headers.set('content-type', 'text/html; charset=utf-8')
  if (response.status === 503) response.headers.set('retry-after', RETRY_AFTER_S)
  if (WITH_SECRET_LINK.includes(locals.route)) {
    // An address with a key is a secret. Other pages keep the usual policy: with this one, Safari before 16.4 posts
    // forms with the origin `null` and without Sec-Fetch-Site.
    if (context.url.searchParams.has('key')) response.headers.set('referrer-policy', 'no-referrer')
    // The reply is for one household or person, so caches must not keep it, nor search engines list it.
    response.headers.set('cache-control', 'no-store')
    response.headers.set('x-robots-tag', 'noindex')
  }
  if (!response.headers.has('cache-control')) {
    response.headers.set('cache-control', /^\/(admin|api)\b/.test(locals.route) ? 'no-store' : 'private, no-cache')
  }
  return response
})

/** At most 16 pages are rendered at once. More would not be faster on one thread, and other calls need turns too. */
const inTurn = pLimit(16)
/** Requests that wait to be rendered; each takes a few kilobytes. */
const WAITING_MAXIMUM = 1500

/** Renders a page when its turn comes, unless the client has disconnected by then. */
async function renderInTurn(locals: App.Locals, next: () => Promise<Response>): Promise<Response> {
  // A page that replaces another by a rewrite already has its turn.
  if (locals.hasTurn) return next()
  if (inTurn.pendingCount >= WAITING_MAXIMUM) return overloadedPage(locals.language)
  locals.hasTurn = true
  return inTurn(() => (locals.reply.destroyed ? overloadedPage(locals.language) : next()))
}

async function serve(context: APIContext, next: () => Promise<Response>): Promise<Response> {
  const { locals, request, routePattern } = context
  // The error page replaces a page of any method.
  const access = accessTo(routePattern, routePattern === '/500' ? 'GET' : request.method)
  if (access === undefined) return methodNotAllowed(methodsOf(routePattern))
  try {
    // A rewrite keeps the caller.
    locals.call ??= await callerOf(context, access)
  } catch (error) {
    if (!isOutage(error)) throw error
    // During an outage the caller cannot be identified, and counts as a visitor on public routes.
    locals.call = visitor(context)
    if (access !== 'public') return (await isOpenScreen(context)) ? next() : refuse(context, error)
  }
  locals.open = isOpenMode(locals.call)
  try {
    assertAllowed(access, locals.call)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return refuse(context, error)
  }
  if (routePattern.startsWith('/api/')) return next()
  // For files, e.g. a calendar, errors are sent as problem+json and not as a page.
  if (routePattern.includes('.'))
    return renderInTurn(locals, next).catch((error: unknown) => errorResponse(error, routePattern))
  // The error page must not read the database, which may be what failed.
  if (routePattern === '/500') return renderInTurn(locals, next)
  locals.church ??= await loadChurch()
  locals.translation ??= await ifReadable(findEventTranslation({ language: locals.language }, locals.call))
  const { translation } = locals
  const roles = translation && { language: translation.language, names: translation.roles }
  return inLanguage(locals.language, () => renderInTurn(locals, next), roles)
}

/**
 * Whether to show the administration during an outage: in open mode, which has no sign-in. The page then has no
 * personal data, because the site may just have been guarded. Its parts load their data by calls, which check access.
 */
async function isOpenScreen({ locals, routePattern }: APIContext): Promise<boolean> {
  if (routePattern !== '/admin') return false
  locals.open = await locals.mode.isOpen(Number.POSITIVE_INFINITY)
  return locals.open
}

/** Refuses a call with a problem, and a page of the administration with the form to sign in, at the same address. */
function refuse(context: APIContext, error: UserError): Response | Promise<Response> {
  const { locals, request, routePattern, url } = context
  if (!ADMINISTRATION.includes(routePattern)) return problemResponse(error)
  const { message, status } = refusalOf(error)
  if (status !== 401) locals.returnedSignIn = { status, notice: message }
  else if (request.method === 'POST') locals.returnedSignIn = { status, notice: t(SIGNED_OUT_MEANWHILE) }
  // After the sign-in, the browser goes on to the requested page.
  const asked = new URLSearchParams({ next: url.pathname + url.search })
  return context.rewrite(new Request(new URL(`/sign-in?${asked}`, url)))
}

async function callerOf(context: APIContext, access: Access): Promise<Call> {
  const { mode } = context.locals
  const open = access === 'public' ? await mode.isOpen(0) : await mode.isStillOpen()
  const call = visitor(context)
  // Without an allowance, because administrators may enter any number of RSVPs.
  if (open) return { ...call, role: 'owner', actor: 'open mode', allowance: undefined }
  const sent = sentToken(context)
  // Browsers also send the cookie with requests of pages on other ports and subdomains. These get no session.
  const isEmbedded = /^(same|cross)-site$/.test(context.request.headers.get('sec-fetch-site') ?? '')
  if (sent === undefined || isEmbedded) return call
  const session = sent.token === undefined ? undefined : await findSession(sent.token, call)
  if (session !== undefined) {
    context.locals.token = sent.token
    const { role, administrator } = session
    return { ...call, role, administrator, actor: `session ${administrator.session}` }
  }
  clearSessionCookie(context)
  return call
}

function visitor(context: APIContext): Call {
  const { network, allowance, language, sendsMail } = context.locals
  return { now: new Date(), role: 'visitor', actor: 'visitor', network, allowance, language, sendsMail }
}

function methodNotAllowed(allowed: string): Response {
  if (allowed === '') return problemResponse(new UserError('not-found', 'There is no such call. Check the address.'))
  const error = new UserError('method-not-allowed', `This address accepts ${allowed} only.`)
  return problemResponse(error, { allow: allowed })
}

/** A page without layout, because the site has no time to render one. Reloading it sends a form again. */
function overloadedPage(language: Language): Response {
  const [title, text] = [t('One moment'), t('This site is very busy right now. Reload this page in a few seconds.')]
  const html = `<!doctype html><html lang="${language}" dir="${directionOf(language)}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><p>${text}</p></html>`
  return new Response(html, { status: 503, headers: { 'content-type': 'text/html; charset=utf-8' } })
}
