import type { APIContext, APIRoute } from 'astro'
import { changeAccount, getAccount } from '#db/access/account.ts'
import {
  changeAdministrator,
  inviteAdministrator,
  listAdministrators,
  removeAdministrator,
  renewInvitation,
} from '#db/access/administrators.ts'
import { getAuditPage } from '#db/access/audit-log.ts'
import { acceptInvitation, guardSite } from '#db/access/joining.ts'
import { addPasskey, getAuthenticationOptions, getRegistrationOptions, removePasskey } from '#db/access/passkeys.ts'
import { endOtherSessions } from '#db/access/sessions.ts'
import { getAccess } from '#db/access/setup.ts'
import { prove, signIn, signOut } from '#db/access/sign-in.ts'
import type { Operation } from '#db/call.ts'
import { changeChurch, getChurch, removePicture, storePicture } from '#db/church/operations.ts'
import { readConfig } from '#db/config/config.ts'
import {
  changeEvent,
  changeEventLanguage,
  changeEventTexts,
  getEventLanguages,
  getStoredEvent,
  saveEventTranslation,
} from '#db/event.ts'
import { changeFeatures, getFeatures } from '#db/features.ts'
import { checkHealth } from '#db/health.ts'
import { getMailState, retryMail, sendTestMail } from '#db/mail/operations.ts'
import { deleteRsvp, deleteSelection, eraseIfConfirmed, restoreRsvps } from '#db/rsvp/delete.ts'
import { addRsvp, changeRsvp } from '#db/rsvp/entry.ts'
import { sendLink } from '#db/rsvp/links.ts'
import { getDeletedRsvps, listRsvps } from '#db/rsvp/list.ts'
import { mergeRsvps } from '#db/rsvp/merge.ts'
import { changeOwnRsvp, getOwnRsvp, withdrawOwnRsvp } from '#db/rsvp/own.ts'
import { changePrayer, listPrayers } from '#db/rsvp/prayers.ts'
import { getSettingsAndOld } from '#db/rsvp/purge.ts'
import { changeVolunteerRole, createVolunteerRole, listVolunteerRoles } from '#db/rsvp/roles.ts'
import { changeSchedule } from '#db/rsvp/service-dates.ts'
import { changeStanding, listStanding } from '#db/rsvp/standing.ts'
import { submitRsvp } from '#db/rsvp/submit.ts'
import { getSchedule } from '#db/schedule.ts'
import { changeSettings } from '#db/settings.ts'
import { changeTurnout } from '#db/turnout.ts'
import { UserError } from '#db/values/errors.ts'
import type { StoredEvent } from '#db/values/event.ts'
import { sentCeremony, startCeremony } from './server/access/ceremony.ts'
import { getBackups, makeBackup, openDownload, replyWithDownload } from './server/calls/backups.ts'
import { callNameOf, endpoint, withoutInput } from './server/calls/endpoint.ts'
import { logFailure, namedBrowser } from './server/calls/failures.ts'
import { replyToForm, replyToLinkForm, replyToOwnForm } from './server/calls/form-posts.ts'
import {
  changeHeaders,
  entityTag,
  linkOf,
  privateLink,
  rsvpHeaders,
  wholeEventHeaders,
} from './server/calls/request-headers.ts'
import { filterOf, replyWithCsv, replyWithRsvps } from './server/calls/rsvp-stream.ts'
import { checkedAccount, checkedSettings, uploadedPicture } from './server/calls/settings.ts'
import {
  browserOf,
  guardianOf,
  replyToGuardForm,
  replyToInvitationForm,
  replyToSignIn,
  replyToSignInForm,
  replyToSignOut,
  tokenOf,
  withInvitationLink,
} from './server/calls/sign-in.ts'
import { problemResponse, refusalText } from './server/problem.ts'
import { t } from './texts/texts.ts'

const [, replaceEvent] = endpoint('POST /api/event', changeEvent, { fromHeaders: wholeEventHeaders, reply: eventReply })
const [, changeTexts] = endpoint('POST /api/event', changeEventTexts, { fromHeaders: changeHeaders, reply: eventReply })

const sendTest: Operation<unknown> = (to, call) => sendTestMail(to, call, readConfig(), t)

/** The handler of each call in `calls.ts`: the operation behind it, and how its input and reply differ from the usual. */
export const endpoints = new Map<string, APIRoute>([
  endpoint('GET /api/event', withoutInput(getStoredEvent), {
    reply: (stored) => (stored === null ? { json: null } : eventReply(stored)),
  }),
  // Without If-Match the last write wins, and replaces the whole event; with it, only the texts that are sent.
  [
    'POST /api/event',
    (context) => (context.request.headers.has('if-match') ? changeTexts(context) : replaceEvent(context)),
  ],
  endpoint('GET /api/event/translations', withoutInput(getEventLanguages)),
  endpoint('PATCH /api/event/translations', changeEventLanguage),
  endpoint('PUT /api/event/translations/[language]', saveEventTranslation),
  endpoint('GET /api/features', withoutInput(getFeatures)),
  endpoint('PATCH /api/features', changeFeatures),
  endpoint('GET /api/volunteer-roles', withoutInput(listVolunteerRoles)),
  endpoint('POST /api/volunteer-roles', createVolunteerRole),
  endpoint('PATCH /api/volunteer-roles/[id]', changeVolunteerRole),
  endpoint('POST /api/rsvp', submitRsvp, {
    fromHeaders: rsvpHeaders,
    form: replyToForm,
    reply: withLink,
  }),
  endpoint('GET /api/answer', getOwnRsvp, { input: linkOf }),
  endpoint('PATCH /api/answer', changeOwnRsvp, { fromHeaders: linkOf }),
  endpoint('DELETE /api/answer', withdrawOwnRsvp, { input: linkOf }),
  endpoint('POST /api/answer', changeOwnRsvp, { fromHeaders: linkOf, form: replyToOwnForm }),
  endpoint('POST /api/answer/link', sendLink, { form: replyToLinkForm }),
  endpoint('GET /api/prayers', withoutInput(listPrayers)),
  endpoint('PATCH /api/prayers/[id]', changePrayer),
  endpoint('GET /api/standing', withoutInput(listStanding)),
  endpoint('PATCH /api/standing/[id]', changeStanding),
  endpoint('GET /api/mail', withoutInput(getMailState), {
    reply: ({ trouble, failed, ...state }) => ({
      json: {
        ...state,
        trouble: trouble && refusalText(trouble),
        failed: failed.map((mail) => ({ ...mail, failure: refusalText(mail.failure) })),
      },
    }),
  }),
  endpoint('POST /api/mail/retry', retryMail, { reply: (queued) => ({ json: { queued } }) }),
  endpoint('POST /api/mail/test', sendTest),
  endpoint('GET /api/rsvps', listRsvps, { input: filterOf, reply: replyWithRsvps }),
  endpoint('POST /api/rsvps', addRsvp, { fromHeaders: rsvpHeaders }),
  endpoint('GET /api/rsvps/download', listRsvps, { input: filterOf, reply: replyWithCsv }),
  endpoint('GET /api/rsvps/deleted', withoutInput(getDeletedRsvps)),
  endpoint('POST /api/rsvps/delete', deleteSelection, { reply: (ids) => ({ json: { ids } }) }),
  endpoint('POST /api/rsvps/restore', restoreRsvps, { reply: (ids) => ({ json: { ids } }) }),
  endpoint('PATCH /api/rsvps/[id]', changeRsvp, { fromHeaders: changeHeaders }),
  endpoint('DELETE /api/rsvps/[id]', deleteRsvp),
  endpoint('POST /api/rsvps/[id]/merge', mergeRsvps, { fromHeaders: changeHeaders, reply: withLink }),
  endpoint('GET /api/settings', getSettingsAndOld),
  endpoint('PATCH /api/settings', changeSettings, { input: checkedSettings }),
  endpoint('POST /api/rsvps/erase', eraseIfConfirmed, { reply: (count) => ({ json: { count } }) }),
  endpoint('GET /api/backups', withoutInput(getBackups)),
  endpoint('POST /api/backups', withoutInput(makeBackup)),
  endpoint('POST /api/backups/download', withoutInput(openDownload), { reply: replyWithDownload }),
  endpoint('GET /api/church', withoutInput(getChurch)),
  endpoint('PATCH /api/church', changeChurch),
  endpoint('PUT /api/church/picture', storePicture, { input: uploadedPicture }),
  endpoint('DELETE /api/church/picture', withoutInput(removePicture)),
  endpoint('GET /api/schedule', withoutInput(getSchedule)),
  endpoint('PATCH /api/schedule', changeSchedule),
  endpoint('PATCH /api/services/[date]', changeTurnout),
  endpoint('GET /api/session', withoutInput(getAccess)),
  endpoint('POST /api/session', signIn, { fromHeaders: browserOf, form: replyToSignInForm, reply: replyToSignIn }),
  endpoint('DELETE /api/session', signOut, { fromHeaders: tokenOf, reply: replyToSignOut }),
  endpoint('POST /api/session/passkey', getAuthenticationOptions, { fromHeaders: startCeremony }),
  endpoint('POST /api/session/proof', prove, { fromHeaders: browserOf }),
  endpoint('DELETE /api/sessions', withoutInput(endOtherSessions)),
  endpoint('GET /api/account', withoutInput(getAccount)),
  endpoint('PATCH /api/account', changeAccount, { input: checkedAccount }),
  endpoint('POST /api/passkeys/options', getRegistrationOptions, { fromHeaders: startCeremony }),
  endpoint('POST /api/passkeys', addPasskey, { fromHeaders: sentCeremony }),
  endpoint('DELETE /api/passkeys/[id]', removePasskey),
  endpoint('POST /api/guard', guardSite, {
    fromHeaders: guardianOf,
    form: replyToGuardForm,
    reply: replyToSignIn,
  }),
  endpoint('POST /api/invitation', acceptInvitation, {
    fromHeaders: browserOf,
    form: replyToInvitationForm,
    reply: replyToSignIn,
  }),
  endpoint('GET /api/administrators', withoutInput(listAdministrators)),
  endpoint('POST /api/administrators', inviteAdministrator, { reply: withInvitationLink }),
  endpoint('PATCH /api/administrators/[id]', changeAdministrator),
  endpoint('POST /api/administrators/[id]/invitation', renewInvitation, { reply: withInvitationLink }),
  endpoint('DELETE /api/administrators/[id]', removeAdministrator),
  endpoint('GET /api/audit', getAuditPage),
  endpoint('POST /api/failures', logFailure, { fromHeaders: namedBrowser }),
  endpoint('GET /api/health', withoutInput(checkHealth)),
])

/** Astro has the routes of all calls from `astro.config.mjs`; the middleware has checked the method. */
export const ALL: APIRoute = (context) =>
  endpoints.get(callNameOf(context))?.(context) ??
  problemResponse(new UserError('not-found', 'There is no such call. Check the address.'))

function eventReply({ event, revision }: StoredEvent) {
  return { json: event, headers: { etag: entityTag(revision) } }
}

/** With the private link in place of its secret. */
function withLink<Reply extends { linkSecret?: string | undefined }>(sent: Reply, { locals: { origin } }: APIContext) {
  const { linkSecret, ...others } = sent
  return { json: linkSecret === undefined ? others : { ...others, link: privateLink(linkSecret, origin) } }
}
