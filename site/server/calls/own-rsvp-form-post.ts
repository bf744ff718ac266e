import type { APIContext } from 'astro'
import { type FieldError, isOutage, UserError } from '#db/errors.ts'
import { changeOwnRsvp, getOwnRsvp, restoreOwnRsvp, withdrawOwnRsvp } from '#db/private-link/operations.ts'
import { refuseTooManyForms } from '#db/rsvp/limit.ts'
import { hashOfLinkSecret } from '#db/rsvp/link-secret.ts'
import { readForm, toRsvpInput } from '#site/lib/rsvp-draft.ts'
import type { RsvpDraft } from '#site/lib/rsvp-form.ts'
import { LINK_MARK, REVISION, type ReturnedOwnForm } from '#site/lib/rsvp-form.ts'
import { saidForm } from '#site/server/language/said-form.ts'
import { logOutage } from '#site/server/log.ts'
import { problemOf, problemResponse } from '#site/server/problem.ts'
import { linkOf } from './request-headers.ts'
import { bounded, edited, isUtf8 } from './rsvp-form-post.ts'

/** Replies to the form of a private link that browsers post without JavaScript: back to its page, or the page with what is wrong. */
export async function replyToOwnForm(context: APIContext): Promise<Response> {
  const body = await context.request.text()
  if (!isUtf8(body)) {
    return problemResponse(new UserError('invalid', 'The form is not written in UTF-8. Send it from this page again.'))
  }
  const fields = new URLSearchParams(body)
  const draft = bounded(readForm(fields))
  const revision = fields.get(REVISION) ?? ''
  const { linkSecret } = linkOf(context)
  if (linkSecret !== undefined && fields.get(LINK_MARK) !== hashOfLinkSecret(linkSecret)) return showOther(context)
  try {
    return await act(context, draft, revision, fields.get('action'))
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    if (isOutage(error)) logOutage(error)
    const reply = await showForm(context, {
      draft,
      // Who has seen what it says now may replace it.
      revision: error.code === 'changed-meanwhile' ? await currentRevision(context) : revision,
      ...explain(error),
    })
    if (error.retryAfter !== undefined) reply.headers.set('retry-after', String(error.retryAfter))
    return reply
  }
}

async function act(context: APIContext, draft: RsvpDraft, revision: string, action: string | null): Promise<Response> {
  const { call } = context.locals
  const link = linkOf(context)
  if (action === 'withdraw' || action === 'restore') {
    await (action === 'withdraw' ? withdrawOwnRsvp : restoreOwnRsvp)(link, call)
    return context.redirect(action === 'withdraw' ? '/answer#reply' : '/answer?restored#reply', 303)
  }
  if (action !== null) {
    await refuseTooManyForms(call)
    return showForm(context, { ...edited(draft, action), revision, status: 200 })
  }
  const onlyIfRevision = /^\d{1,15}$/.test(revision) ? [Number(revision)] : undefined
  await changeOwnRsvp({ ...toRsvpInput(draft), ...link, onlyIfRevision }, call)
  return context.redirect('/answer?saved#reply', 303)
}

async function currentRevision(context: APIContext): Promise<string> {
  return String((await getOwnRsvp(linkOf(context), context.locals.call)).revision)
}

/** The reply is the page itself, under the address of the call. */
function showForm(context: APIContext, returned: ReturnedOwnForm): Promise<Response> {
  context.locals.returnedOwnForm = saidForm(returned)
  return showPage(context)
}

/** What was typed for one RSVP is never shown in the form of another. */
function showOther(context: APIContext): Promise<Response> {
  context.locals.otherLink = true
  return showPage(context)
}

function showPage(context: APIContext): Promise<Response> {
  const cookie = context.request.headers.get('cookie') ?? ''
  return context.rewrite(new Request(new URL('/answer', context.url), { headers: { cookie } }))
}

function explain(error: UserError): { errors: FieldError[]; status: number; notice: string } {
  const { status } = problemOf(error)
  const { fields } = error
  if (fields.length > 0) return { errors: fields, status, notice: 'Please correct the fields marked below.' }
  if (error.code === 'changed-meanwhile') return { errors: [], status, notice: OVERTAKEN }
  const isForThem: boolean = isOutage(error)
  const todo = isForThem ? 'Save it again. If it fails once more, tell the church office.' : error.message
  return { errors: [], status, notice: `Not saved: everything you typed is still here. ${todo}` }
}

const OVERTAKEN =
  'Not saved: this RSVP was changed meanwhile, perhaps on another device. Above is what it says now, below what you typed. Save again to replace it.'
