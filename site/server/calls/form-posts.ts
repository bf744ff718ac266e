import { randomUUID } from 'node:crypto'
import type { APIContext } from 'astro'
import type { Operation } from '#db/call.ts'
import { hashOfLinkSecret } from '#db/rsvp/link-secret.ts'
import { sendLink } from '#db/rsvp/links.ts'
import { changeOwnRsvp, restoreOwnRsvp, withdrawOwnRsvp } from '#db/rsvp/own.ts'
import { keepOwnStanding, revokeOwnCalendar, startOwnCalendar } from '#db/rsvp/own-standing.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { createThanksMark, THANKS_TTL_MS } from '#db/rsvp/thanks.ts'
import { isOutage, UserError } from '#db/values/errors.ts'
import { FAMILY_MEMBERS_MAXIMUM } from '#db/values/maximums.ts'
import { membersIn } from '#db/values/people.ts'
import { tooManyMembers } from '#db/values/rsvp.ts'
import { type RsvpDraft, readForm, toOwnChange, toRsvpInput } from '#site/lib/rsvp-draft.ts'
import { linkCookies, thanksCookie } from '#site/server/access/cookies.ts'
import { logOutage } from '#site/server/log.ts'
import { problemOf, refusalOf } from '#site/server/problem.ts'
import { emptyMember, LINK_MARK, type ReturnedForm, SHOWN } from '#site/stores/rsvp-form.ts'
import { t } from '#site/texts/texts.ts'
import { linkOf } from './request-headers.ts'

/** The field with the time at which the page was rendered, in ms since 1970. */
const DRAWN_AT = 'drawnAt'

type Posted = {
  fields: URLSearchParams
  page: '/' | '/share' | `/answer${string}`
  /** Stores the draft; undefined for the buttons that only add or remove a row. */
  store: (draft: RsvpDraft, action: string | null) => Promise<Response | undefined>
  /** What to do after an outage, for visitors, who cannot fix the disk or the database. */
  afterOutage: () => string
  /** The notice on the returned form if no field is to blame, and what the form sends next time. */
  refused: (error: UserError, todo: string) => Partial<ReturnedForm>
}

/** Replies to a form posted without JavaScript with a redirect to the page, which shows a thank-you. */
export async function replyToForm(context: APIContext): Promise<Response> {
  const fields = new URLSearchParams(await context.request.text())
  const page = fields.get('page') === '/' ? '/' : '/share'
  const { locals } = context
  const { call } = locals
  return replyOrShow(context, {
    fields,
    page,
    async store(draft, action) {
      if (action !== null) return undefined
      const sent = { ...toRsvpInput(draft), idempotencyKey: keyOf(fields), formAge: ageOf(fields, call.now) }
      const { id, linkSecret } = await createRsvp(sent, call)
      const reply = context.redirect(`${page}?thanks=${await createThanksMark({ id }, call)}#rsvp-title`, 303)
      if (linkSecret === undefined) return reply
      const seconds = THANKS_TTL_MS / 1000
      const cookies = [
        thanksCookie(linkSecret, page, locals, seconds),
        ...linkCookies('/answer', linkSecret, locals, seconds),
      ]
      for (const cookie of cookies) reply.headers.append('set-cookie', cookie)
      return reply
    },
    afterOutage: () => t('Everything you typed is still here. If it fails again, tell the church office.'),
    refused: (error, todo) => ({
      notice: `${t('Failed to submit RSVP. Please try again.')} ${todo}`,
      // It may have been stored, so the next press must send the same key.
      formKey: isOutage(error) ? formKeyOf(fields) : undefined,
    }),
  })
}

/** The buttons of a private link that change none of the fields. */
const ownActs = new Map<string | null, Operation<unknown>>([
  ['withdraw', withdrawOwnRsvp],
  ['restore', restoreOwnRsvp],
  // Without a week.
  ['end', withdrawOwnRsvp],
  ['still-coming', keepOwnStanding],
  ['calendar', startOwnCalendar],
  ['revoke-calendar', revokeOwnCalendar],
])

/** Those that save the fields, and for what else than the RSVP itself. */
const ownSaves = new Map<string | null, object>([
  [null, {}],
  ['every-week', { everyWeek: true }],
  ['begin', { standing: true }],
])

export async function replyToOwnForm(context: APIContext): Promise<Response> {
  const fields = new URLSearchParams(await context.request.text())
  const { call } = context.locals
  const link = linkOf(context)
  if (link.linkSecret !== undefined && fields.get(LINK_MARK) !== hashOfLinkSecret(link.linkSecret)) {
    // Input for one RSVP is never shown in the form of another.
    context.locals.otherLink = true
    return showPage(context, '/answer')
  }
  return replyOrShow(context, {
    fields,
    // A button of the list shows that again.
    page: link.week === undefined || !fields.has('name') ? '/answer' : `/answer?week=${encodeURIComponent(link.week)}`,
    async store(draft, action) {
      const act = ownActs.get(action)
      const save = ownSaves.get(action)
      const sent = toOwnChange(draft)
      // The other weeks can differ from what the form has shown of this one.
      const change = action === 'every-week' ? sent : changesSince(fields.get(SHOWN), sent)
      if (act !== undefined) await act(link, call)
      else if (save !== undefined) await changeOwnRsvp({ ...change, ...link, ...save }, call)
      else return undefined
      return context.redirect(`/answer?${action === 'restore' ? 'restored' : 'saved'}#reply`, 303)
    },
    afterOutage: () => t('Save it again. If it fails once more, tell the church office.'),
    refused: (_, todo) => ({ notice: t('Not saved: everything you typed is still here. {todo}', { todo }) }),
  })
}

/** What a form changes of what it has shown: an older page writes over nothing that was changed meanwhile elsewhere. */
function changesSince(shown: string | null, sent: object): object {
  let before: Record<string, unknown> = {}
  try {
    before = Object(JSON.parse(shown ?? ''))
  } catch {
    // Not from our page: all of it is a change.
  }
  const isChanged = ([name, value]: [string, unknown]) => JSON.stringify(value) !== JSON.stringify(before[name])
  return Object.fromEntries(Object.entries(sent).filter(isChanged))
}

/** Replies to a visitor who wants their private link by mail: with the page of private links, which says the result. */
export async function replyToLinkForm(context: APIContext): Promise<Response> {
  const fields = new URLSearchParams(await context.request.text())
  const email = fields.get('email') ?? ''
  try {
    await sendLink({ email }, context.locals.call)
    return context.redirect('/answer?sent#reply', 303)
  } catch (error) {
    context.locals.refusedLink = { email, ...refusalOf(error) }
    return showPage(context, '/answer')
  }
}

/** Replies with the result of `store`, or with the page again: everything typed, each message beside its field. */
async function replyOrShow(context: APIContext, { fields, page, ...posted }: Posted): Promise<Response> {
  const { locals } = context
  const typed = readForm(fields)
  const action = fields.get('action')
  // A removal names a row as it was shown.
  const familyMembers = action?.startsWith('remove') ? typed.familyMembers : eachNamed(typed.familyMembers)
  const draft = { ...typed, familyMembers }
  const show = (returned: Omit<ReturnedForm, 'hasFields'>) => {
    locals.returnedForm = { shown: fields.get(SHOWN) ?? undefined, ...returned, hasFields: fields.has('name') }
    return showPage(context, page)
  }
  try {
    const reply = await posted.store(draft, action)
    if (reply !== undefined) return reply
    return await show({ ...edited(draft, action ?? ''), status: 200 })
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    const isForThem: boolean = isOutage(error)
    if (isForThem) logOutage(error)
    const { status, body } = problemOf(error)
    const refused = posted.refused(error, isForThem ? posted.afterOutage() : body.detail)
    const { errors = [] } = body
    const notice = errors.length > 0 ? t('Please correct the fields marked below.') : refused.notice
    const reply = await show({ draft, errors, status, ...refused, notice })
    if (error.retryAfter !== undefined) reply.headers.set('retry-after', String(error.retryAfter))
    return reply
  }
}

/** A list typed into the name of a member becomes a member each; one too many is refused, and nothing is lost. */
function eachNamed(members: RsvpDraft['familyMembers']): RsvpDraft['familyMembers'] {
  let room = FAMILY_MEMBERS_MAXIMUM + 1 - members.length
  return members.flatMap((member) => {
    const found = membersIn(member.name, Math.max(room, 0) + 1)
    if (found.length < 2) return [member]
    room -= found.length - 1
    return found.map(({ name, age }) => ({ ...member, name, age: age || member.age }))
  })
}

/** Handles the buttons that only add or remove a row. */
function edited(draft: RsvpDraft, action: string): Pick<ReturnedForm, 'draft' | 'errors'> {
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

/** Renders the page under the address of the call. Only the page of a private link reads a cookie. */
function showPage(context: APIContext, page: string): Promise<Response> {
  const headers = new Headers()
  if (page.startsWith('/answer')) headers.set('cookie', context.request.headers.get('cookie') ?? '')
  return context.rewrite(new Request(new URL(page, context.url), { headers }))
}

function ageOf(fields: URLSearchParams, now: Date): number | undefined {
  const drawnAt = fields.get(DRAWN_AT) ?? ''
  return /^\d{13}$/.test(drawnAt) ? now.getTime() - Number(drawnAt) : undefined
}

/**
 * The same form from the same page is a second press of the button, not a second RSVP. The blank separates this key
 * from every key in a header; only a keyed hash of it is stored.
 */
function keyOf(fields: URLSearchParams): string {
  const typed = new URLSearchParams(Array.from(fields).filter(([name]) => name !== DRAWN_AT))
  // Not from one of our pages: the same form next week is another RSVP.
  if (formKeyOf(fields) === undefined) typed.set('formKey', randomUUID())
  return `form ${typed}`
}

/** The random key of the rendered page; undefined if it was not one of ours. */
function formKeyOf(fields: URLSearchParams): string | undefined {
  const formKey = fields.get('formKey') ?? ''
  return /^[\da-f-]{36}$/.test(formKey) ? formKey : undefined
}
