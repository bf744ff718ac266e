import { randomUUID } from 'node:crypto'
import type { APIContext } from 'astro'
import { type FieldError, isOutage, UserError } from '#db/errors.ts'
import { FAMILY_MEMBERS_MAXIMUM } from '#db/rsvp/maximum.ts'
import { createRsvp } from '#db/rsvp/operations.ts'
import { tooManyMembers } from '#db/rsvp/schema.ts'
import { refuseTooManyForms } from '#db/rsvp/submit/limit.ts'
import { createThanksMark, THANKS_TTL_MS } from '#db/rsvp/submit/thanks.ts'
import { readForm } from '#site/lib/read-form.ts'
import { emptyMember, type ReturnedForm, type RsvpDraft } from '#site/lib/rsvp-form.ts'
import { toRsvpInput } from '#site/lib/rsvp-input.ts'
import { linkCookies, thanksCookie } from '#site/server/access/link-cookie.ts'
import { saidForm } from '#site/server/language/said-form.ts'
import { logOutage } from '#site/server/log.ts'
import { problemOf, problemResponse } from '#site/server/problem.ts'

/** The field that says when the page was made, in ms since 1970. */
const DRAWN_AT = 'drawnAt'
/** Twice as many as may be sent, so that who picked too many gets them back; more is never drawn. */
const ROLES_READ = 40

/**
 * Replies to the form that browsers post without JavaScript: back to the page with a thank-you, or the page again with
 * each message beside its field and everything typed still there.
 */
export async function replyToForm(context: APIContext): Promise<Response> {
  const body = await context.request.text()
  if (!isUtf8(body)) {
    return problemResponse(new UserError('invalid', 'The form is not written in UTF-8. Send it from this page again.'))
  }
  const fields = new URLSearchParams(body)
  const page = fields.get('page') === '/' ? '/' : '/share'
  const draft = bounded(readForm(fields))
  const action = fields.get('action')
  const { call } = context.locals
  try {
    if (action !== null) {
      await refuseTooManyForms(call)
      return await showForm(context, page, { ...edited(draft, action), status: 200 })
    }
    const sent = { ...toRsvpInput(draft), idempotencyKey: keyOf(fields), formAge: ageOf(fields, call.now) }
    const { id, linkSecret } = await createRsvp(sent, call)
    const reply = context.redirect(`${page}?thanks=${await createThanksMark({ id }, call)}#rsvp-title`, 303)
    if (linkSecret === undefined) return reply
    const seconds = THANKS_TTL_MS / 1000
    const { locals } = context
    const cookies = [thanksCookie(linkSecret, page, locals, seconds), ...linkCookies(linkSecret, locals, seconds)]
    for (const cookie of cookies) reply.headers.append('set-cookie', cookie)
    return reply
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    if (isOutage(error)) logOutage(error)
    // It is unknown whether it was stored: the next press has to send the same key.
    const formKey = isOutage(error) ? formKeyOf(fields) : undefined
    const reply = await showForm(context, page, { draft, formKey, ...explain(error) })
    if (error.retryAfter !== undefined) reply.headers.set('retry-after', String(error.retryAfter))
    return reply
  }
}

/** Bytes that are not UTF-8 would be stored as something else than what was typed. */
export function isUtf8(body: string): boolean {
  try {
    // The result is used: a bare call that can only throw is dropped by the bundler.
    return decodeURIComponent(body).isWellFormed()
  } catch {
    return false
  }
}

/** The reply is the page itself, under the address of the call. */
function showForm(context: APIContext, page: string, returned: ReturnedForm): Promise<Response> {
  context.locals.returnedForm = saidForm(returned)
  return context.rewrite(new Request(new URL(page, context.url)))
}

function explain(error: UserError): { errors: FieldError[]; status: number; notice?: string } {
  const { status } = problemOf(error)
  if (error.fields.length > 0)
    return { errors: error.fields, status, notice: 'Please correct the fields marked below.' }
  // What is to be done about the disk or the database is for those who run the site.
  const isForThem: boolean = isOutage(error)
  const todo = isForThem
    ? 'Everything you typed is still here. If it fails again, tell the church office.'
    : error.message
  return { errors: [], status, notice: `Failed to submit RSVP. Please try again. ${todo}` }
}

/** Whatever was posted, no more of it is drawn than a page can hold. The members are counted where they are read. */
export function bounded(draft: RsvpDraft): RsvpDraft {
  return { ...draft, volunteerRoles: Array.from(new Set(draft.volunteerRoles)).slice(0, ROLES_READ) }
}

/** The buttons that only add or remove a row. */
export function edited(draft: RsvpDraft, action: string): Pick<ReturnedForm, 'draft' | 'errors'> {
  const { familyMembers: members } = draft
  const removed = /^remove-family-member:(\d{1,3})$/.exec(action)?.[1]
  if (removed !== undefined) {
    const familyMembers = members.filter((_, position) => position !== Number(removed))
    return { draft: { ...draft, familyMembers }, errors: [] }
  }
  if (members.length >= FAMILY_MEMBERS_MAXIMUM) {
    return { draft, errors: [{ path: 'familyMembers', message: tooManyMembers }] }
  }
  return { draft: { ...draft, familyMembers: [...members, emptyMember] }, errors: [] }
}

/** How long ago the page was made, in ms. */
function ageOf(fields: URLSearchParams, now: Date): number | undefined {
  const drawnAt = fields.get(DRAWN_AT) ?? ''
  return /^\d{13}$/.test(drawnAt) ? now.getTime() - Number(drawnAt) : undefined
}

/**
 * The very same form from the very same page is a second press of the button and not a second RSVP. The blank keeps it
 * apart from every key that a header can hold; only a keyed hash of it is stored.
 */
function keyOf(fields: URLSearchParams): string {
  const typed = new URLSearchParams(Array.from(fields).filter(([name]) => name !== DRAWN_AT))
  // Not from a page of ours: the same again next week is another RSVP.
  if (formKeyOf(fields) === undefined) typed.set('formKey', randomUUID())
  return `form ${typed}`
}

/** What tells the page that was drawn from all others, if it is one of ours. */
function formKeyOf(fields: URLSearchParams): string | undefined {
  const formKey = fields.get('formKey') ?? ''
  return /^[\da-f-]{36}$/.test(formKey) ? formKey : undefined
}
