import type { APIContext } from 'astro'
import type { Call } from '#db/call.ts'
import { changeOwnRsvp, getOwnRsvp, restoreOwnRsvp, withdrawOwnRsvp } from '#db/rsvp/own-rsvp.ts'
import { keepOwnStanding, revokeOwnCalendar, startOwnCalendar } from '#db/rsvp/own-standing.ts'
import { hashOfLinkSecret } from '#db/rsvp/private-links.ts'
import { toOwnChange } from '#site/lib/rsvp-draft.ts'
import { sentKey } from '#site/server/access/cookies.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'
import { replyOrShow, showPage } from '#site/server/calls/rsvp-form.ts'
import { LINK_MARK, SHOWN } from '#site/stores/rsvp-form.ts'
import { t } from '#site/texts/texts.ts'

export const GET = endpoint('GET /api/answer', (_, call, context) => getOwnRsvp(linkOf(context), call))

export const PATCH = endpoint('PATCH /api/answer', change)

export const POST = endpoint('POST /api/answer', change, replyToForm)

export const DELETE = endpoint('DELETE /api/answer', (_, call, context) => withdrawOwnRsvp(linkOf(context), call))

function change(input: object, call: Call, context: APIContext) {
  return changeOwnRsvp({ ...input, ...linkOf(context) }, call)
}

/** The secret of a private link, from the header or else from the cookie, and the week in the query. */
function linkOf({ request, cookies, locals, url }: APIContext) {
  const linkSecret = request.headers.get('link-key') ?? sentKey('/answer', { cookies, locals })
  return { linkSecret, week: url.searchParams.get('week') ?? undefined }
}

/** The buttons of a private link that change none of the fields. */
const ownActs = new Map<string | null, (link: unknown, call: Call) => Promise<unknown>>([
  ['withdraw', withdrawOwnRsvp],
  ['restore', restoreOwnRsvp],
  // Sent without a week, this ends "every week", and `restore` takes that back.
  ['end', withdrawOwnRsvp],
  ['still-coming', keepOwnStanding],
  ['calendar', startOwnCalendar],
  ['revoke-calendar', revokeOwnCalendar],
])

/** The buttons that save the fields, with what each saves besides the RSVP. */
const ownSaves = new Map<string | null, object>([
  [null, {}],
  ['every-week', { everyWeek: true }],
  ['begin', { standing: true }],
])

async function replyToForm(fields: URLSearchParams, context: APIContext): Promise<Response> {
  const { call } = context.locals
  const link = linkOf(context)
  if (link.linkSecret !== undefined && fields.get(LINK_MARK) !== hashOfLinkSecret(link.linkSecret)) {
    // Input for one RSVP is never shown in the form of another.
    context.locals.otherLink = true
    return showPage(context, '/answer')
  }
  return replyOrShow(context, {
    fields,
    // A button in the list of weeks has no fields, and leads back to the list.
    page: link.week === undefined || !fields.has('name') ? '/answer' : `/answer?week=${encodeURIComponent(link.week)}`,
    async store(draft, action) {
      const act = ownActs.get(action)
      const save = ownSaves.get(action)
      const sent = toOwnChange(draft)
      // All fields are sent for every week, because other weeks can differ from the week that the form showed.
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

/** The fields that differ from those the form showed, so that an older page overwrites no change made elsewhere. */
function changesSince(shown: string | null, sent: object): object {
  let before: Record<string, unknown> = {}
  try {
    before = { ...JSON.parse(shown ?? '') }
  } catch {
    // The form is not from a page of ours, so every field counts as a change.
  }
  const isChanged = ([name, value]: [string, unknown]) => JSON.stringify(value) !== JSON.stringify(before[name])
  return Object.fromEntries(Object.entries(sent).filter(isChanged))
}
