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

/** The input of a refused form is not kept, so its sender has to be told. */
const SIGNED_OUT_MEANWHILE =
  'You were signed out meanwhile, so what you entered is not stored. Sign in, then enter it once more.'

/** Identifies the caller for pages and endpoints, and refuses callers without the access that a route needs. */
export const onRequest = defineMiddleware(async (context, next) => {
  const { locals, routePattern } = context
  // A page rendered in place of another one shares its deadline.
  const isFirst = locals.route === undefined
  if (isFirst) rememberLanguage(context)
  locals.route ??= routePattern
  const response = await (isFirst ? withDeadline(() => serve(context, next)) : serve(context, next))
  if (response.headers.get('content-type') === 'text/html')
    response.headers.set('content-type', 'text/html; charset=utf-8')
  if (response.status === 503) response.headers.set('retry-after', RETRY_AFTER_S)
  if (WITH_SECRET_LINK.includes(locals.route)) {
    // The address has the secret. Not on others: Safari before 16.4 then posts the origin `null` alone.
    if (context.url.searchParams.has('key')) response.headers.set('referrer-policy', 'no-referrer')
    // Its content is for the one household or person: nothing may keep or list it.
    response.headers.set('cache-control', 'no-store')
    response.headers.set('x-robots-tag', 'noindex')
  }
  if (!response.headers.has('cache-control')) {
    response.headers.set('cache-control', locals.route.startsWith('/api/') ? 'no-store' : 'private, no-cache')
  }
  return response
})

/** More at a time would not render faster: there is one thread, and other calls need turns in between. */
const inTurn = pLimit(16)
/** A waiting request takes a few kilobytes. */
const WAITING_MAXIMUM = 1500

/** Renders a page when its turn comes, unless the client has disconnected by then. */
async function renderInTurn(locals: App.Locals, next: () => Promise<Response>): Promise<Response> {
  // A page rendered in place of another one already has its turn.
  if (locals.hasTurn) return next()
  if (inTurn.pendingCount >= WAITING_MAXIMUM) return overloadedPage(locals.language)
  locals.hasTurn = true
  return inTurn(() => (locals.reply.destroyed ? overloadedPage(locals.language) : next()))
}

async function serve(context: APIContext, next: () => Promise<Response>): Promise<Response> {
  const { locals, request, routePattern } = context
  // The error page is shown whatever the method was.
  const access = accessTo(routePattern, routePattern === '/500' ? 'GET' : request.method)
  if (access === undefined) return methodNotAllowed(methodsOf(routePattern))
  try {
    // A page rendered in place of another one has the same caller.
    locals.call ??= await callerOf(context, access)
  } catch (error) {
    if (!isOutage(error)) throw error
    // The caller cannot be identified now: on public routes it counts as a visitor.
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
  // The errors of files are problems, not pages.
  if (routePattern.includes('.'))
    return renderInTurn(locals, next).catch((error: unknown) => errorResponse(error, routePattern))
  // It must not read a database that may have failed.
  if (routePattern === '/500') return renderInTurn(locals, next)
  locals.church ??= await loadChurch()
  locals.translation ??= await ifReadable(findEventTranslation({ language: locals.language }, locals.call))
  const { translation } = locals
  const roles = translation && { language: translation.language, names: translation.roles }
  return inLanguage(locals.language, () => renderInTurn(locals, next), roles)
}

/**
 * During an outage in open mode, which has no sign-in, the administration is shown without personal data, because a
 * password may just have been set. Its parts load their data by calls, which are checked again.
 */
async function isOpenScreen({ locals, routePattern }: APIContext): Promise<boolean> {
  if (routePattern !== '/admin') return false
  locals.open = await locals.mode.isOpen(Number.POSITIVE_INFINITY)
  return locals.open
}

/** A program reads a problem; a person gets the form to sign in, at the same address. */
function refuse(context: APIContext, error: UserError): Response | Promise<Response> {
  const { locals, request, routePattern, url } = context
  if (!ADMINISTRATION.includes(routePattern)) return problemResponse(error)
  const { message, status } = refusalOf(error)
  if (status !== 401) locals.returnedSignIn = { status, notice: message }
  else if (request.method === 'POST') locals.returnedSignIn = { status, notice: t(SIGNED_OUT_MEANWHILE) }
  // Signing in continues with what was asked for.
  const asked = new URLSearchParams({ next: url.pathname + url.search })
  return context.rewrite(new Request(new URL(`/sign-in?${asked}`, url)))
}

async function callerOf(context: APIContext, access: Access): Promise<Call> {
  const { mode } = context.locals
  const open = access === 'public' ? await mode.isOpen(0) : await mode.isStillOpen()
  const call = visitor(context)
  // Without the allowance: whoever administers enters as many RSVPs as they like.
  if (open) return { ...call, role: 'owner', actor: 'open mode', allowance: undefined }
  const sent = sentToken(context)
  // Pages on other ports and subdomains also send the cookie: a picture there must not act for the administrator.
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

/** As short as possible: there is no time to render a page. Reloading sends a form again, with everything typed. */
function overloadedPage(language: Language): Response {
  const [title, text] = [t('One moment'), t('This site is very busy right now. Reload this page in a few seconds.')]
  const html = `<!doctype html><html lang="${language}" dir="${directionOf(language)}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><p>${text}</p></html>`
  return new Response(html, { status: 503, headers: { 'content-type': 'text/html; charset=utf-8' } })
}
