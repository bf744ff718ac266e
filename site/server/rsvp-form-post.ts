import { createHash } from 'node:crypto'
import type { APIContext } from 'astro'
import { type FieldError, isOutage, UserError } from '#db/errors.ts'
import { createRsvp } from '#db/rsvp/operations.ts'
import { emptyMember, type ReturnedForm, type RsvpDraft, readForm, toSubmission } from '#site/lib/rsvp-form.ts'
import { logOutage } from './log.ts'
import { problemOf, problemResponse } from './problem.ts'

/** The field that says when the page was made, in ms since 1970. */
const DRAWN_AT = 'drawnAt'

/**
 * Answers the form as browsers post it without JavaScript: back to the page with a thank-you, or the page again with
 * each message beside its field and everything typed still there.
 */
export async function answerForm(context: APIContext): Promise<Response> {
  const body = await context.request.text()
  if (!isUtf8(body)) {
    return problemResponse(new UserError('invalid', 'The form is not written in UTF-8. Send it from this page again.'))
  }
  const fields = new URLSearchParams(body)
  const page = fields.get('page') === '/' ? '/' : '/share'
  const draft = readForm(fields)
  const action = fields.get('action')
  if (action !== null) return showForm(context, page, { draft: edited(draft, action), errors: [], status: 200 })
  try {
    const { call } = context.locals
    await createRsvp(toSubmission(draft), { ...call, idempotencyKey: keyOf(fields), formAge: ageOf(fields, call.now) })
    return context.redirect(`${page}?thanks#rsvp-title`, 303)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    if (isOutage(error)) logOutage(error)
    const answer = await showForm(context, page, { draft, ...explain(error) })
    if (error.retryAfter !== undefined) answer.headers.set('retry-after', String(error.retryAfter))
    return answer
  }
}

/** Bytes that are not UTF-8 would be stored as something else than what was typed. */
function isUtf8(body: string): boolean {
  try {
    // The result is used: a bare call that can only throw is dropped by the bundler.
    return decodeURIComponent(body).isWellFormed()
  } catch {
    return false
  }
}

/** The page itself answers, under the address of the call. */
function showForm(context: APIContext, page: string, returned: ReturnedForm): Promise<Response> {
  context.locals.returnedForm = returned
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

/** The buttons that only add or remove a row. */
function edited(draft: RsvpDraft, action: string): RsvpDraft {
  const removed = /^remove-family-member:(\d{1,3})$/.exec(action)?.[1]
  const familyMembers =
    removed === undefined
      ? [...draft.familyMembers, emptyMember]
      : draft.familyMembers.filter((_, position) => position !== Number(removed))
  return { ...draft, familyMembers }
}

/** How long ago the page was made, in ms. */
function ageOf(fields: URLSearchParams, now: Date): number | undefined {
  const drawnAt = fields.get(DRAWN_AT) ?? ''
  return /^\d{13}$/.test(drawnAt) ? now.getTime() - Number(drawnAt) : undefined
}

/** The very same form, drawn after the very same answers, is a second press of the button and not a second answer. */
function keyOf(fields: URLSearchParams): string {
  const typed = new URLSearchParams(Array.from(fields).filter(([name]) => name !== DRAWN_AT))
  return `form-${createHash('sha256').update(typed.toString()).digest('hex')}`
}
