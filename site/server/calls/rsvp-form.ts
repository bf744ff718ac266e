import type { APIContext } from 'astro'
import { isOutage, UserError } from '#db/values/errors.ts'
import { FAMILY_MEMBERS_MAXIMUM } from '#db/values/limits.ts'
import { membersIn } from '#db/values/people.ts'
import { tooManyMembers } from '#db/values/rsvp.ts'
import { type RsvpDraft, readForm } from '#site/lib/rsvp-draft.ts'
import { logOutage } from '#site/server/log.ts'
import { problemOf } from '#site/server/problem.ts'
import { emptyMember, type ReturnedForm, SHOWN } from '#site/stores/rsvp-form.ts'
import { t } from '#site/texts/texts.ts'

type Posted = {
  fields: URLSearchParams
  page: '/' | '/share' | `/answer${string}`
  /** Stores the draft; undefined for the buttons that only add or remove a row. */
  store: (draft: RsvpDraft, action: string | null) => Promise<Response | undefined>
  /** What to do after an outage, for visitors, who cannot fix the disk or the database. */
  afterOutage: () => string
  /** The notice on the returned form, shown if no field has an error, and the key that the form sends next time. */
  refused: (error: UserError, todo: string) => Partial<ReturnedForm>
}

/** Replies with the result of `store`, or with the page and everything typed, each error beside its field. */
export async function replyOrShow(context: APIContext, { fields, page, ...posted }: Posted): Promise<Response> {
  const { locals } = context
  const typed = readForm(fields)
  const action = fields.get('action')
  // A button that removes a row has the position of the row on the page, before lists are split.
  const familyMembers = action?.startsWith('remove') ? typed.familyMembers : splitLists(typed.familyMembers)
  const draft = { ...typed, familyMembers }
  const show = (returned: Omit<ReturnedForm, 'hasFields'>) => {
    locals.returnedForm = { shown: fields.get(SHOWN) ?? undefined, ...returned, hasFields: fields.has('name') }
    return showPage(context, page)
  }
  try {
    const reply = await posted.store(draft, action)
    if (reply !== undefined) return reply
    return await show({ ...addOrRemoveRow(draft, action ?? ''), status: 200 })
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    const isTechnical: boolean = isOutage(error)
    if (isTechnical) logOutage(error)
    const { status, body } = problemOf(error)
    const refused = posted.refused(error, isTechnical ? posted.afterOutage() : body.detail)
    const { errors = [] } = body
    const notice = errors.length > 0 ? t('Please correct the fields marked below.') : refused.notice
    const reply = await show({ draft, errors, status, ...refused, notice })
    if (error.retryAfter !== undefined) reply.headers.set('retry-after', String(error.retryAfter))
    return reply
  }
}

/** Splits a list typed as one name into members: at most one member too many, for which the form is refused. */
function splitLists(members: RsvpDraft['familyMembers']): RsvpDraft['familyMembers'] {
  let room = FAMILY_MEMBERS_MAXIMUM + 1 - members.length
  return members.flatMap((member) => {
    const found = membersIn(member.name, Math.max(room, 0) + 1)
    if (found.length < 2) return [member]
    room -= found.length - 1
    return found.map(({ name, age }) => ({ ...member, name, age: age || member.age }))
  })
}

function addOrRemoveRow(draft: RsvpDraft, action: string): Pick<ReturnedForm, 'draft' | 'errors'> {
  const { familyMembers: members } = draft
  const removed = /^remove-family-member:(\d{1,3})$/.exec(action)?.[1]
  if (removed !== undefined) {
    const familyMembers = members.filter((_, position) => position !== Number(removed))
    return { draft: { ...draft, familyMembers }, errors: [] }
  }
  if (members.length >= FAMILY_MEMBERS_MAXIMUM) {
    return { draft, errors: [{ path: 'familyMembers', message: t(tooManyMembers) }] }
  }
  return { draft: { ...draft, familyMembers: [...members, emptyMember] }, errors: [] }
}

/** Replies to a call with a page. Of the cookies, only the page of a private link needs one. */
export function showPage(context: APIContext, page: string): Promise<Response> {
  const headers = new Headers()
  if (page.startsWith('/answer')) headers.set('cookie', context.request.headers.get('cookie') ?? '')
  return context.rewrite(new Request(new URL(page, context.url), { headers }))
}
